"""What a repository needs, found out from its files alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import repository

from handrail.changes.environments.detecting import MAX_ENVIRONMENTS, detect
from handrail.changes.environments.model import Environment

UV_LOCK = """version = 1
[[package]]
name = "idna"
source = { registry = "https://pypi.example.com/simple" }
wheels = [{ url = "https://files.example.com/idna.whl", hash = "sha256:00" }]
"""
NPM_LOCK = """{"lockfileVersion": 3, "packages": {"node_modules/a": {
  "resolved": "https://npm.example.com/a.tgz", "funding": {"url": "https://evil.example.com"}}}}"""


def only(root: Path, files: dict[str, str]) -> Environment:
    (found,) = detect(repository(root, files)).environments
    return found


def words(environment: Environment) -> str:
    return " ; ".join(" ".join(each.arguments) for each in environment.commands)


@pytest.mark.parametrize(
    ("files", "manager", "called"),
    [
        ({"pyproject.toml": "[project]\nname='a'", "uv.lock": UV_LOCK}, "uv", "uv sync --frozen"),
        (
            {"pyproject.toml": "[tool.poetry]\nname='a'", "poetry.lock": ""},
            "poetry",
            "-c /workspace/constraints.handrail.txt",
        ),
        ({"requirements.txt": "idna==3.10\n"}, "pip", "--only-binary :all: -r /workspace/requirements.txt"),
        ({"package.json": "{}", "package-lock.json": NPM_LOCK}, "npm", "npm ci --ignore-scripts"),
        ({"package.json": "{}"}, "npm", "npm install --ignore-scripts"),
        ({"package.json": "{}", "pnpm-lock.yaml": ""}, "pnpm", "install --ignore-scripts"),
        ({"package.json": "{}", "yarn.lock": "# yarn lockfile v1\n"}, "yarn", "yarn@1 install --ignore-scripts"),
        ({"package.json": "{}", "yarn.lock": "# x\n\n__metadata:\n"}, "yarn", "YARN_ENABLE_SCRIPTS=false"),
        ({"pom.xml": "<project/>"}, "Maven", "dependency:go-offline"),
        ({"build.gradle.kts": "", "gradlew": "#!/bin/sh"}, "Gradle", "sh /workspace/gradlew --no-daemon"),
        ({"App.csproj": "<Project/>", "packages.lock.json": "{}"}, "dotnet", "dotnet restore --locked-mode"),
        ({"go.mod": "module a\nrequire b v1.0.0\n", "go.sum": "x"}, "go", "go mod download"),
        ({"Cargo.toml": "[dependencies]\na='1'", "Cargo.lock": "", "src/lib.rs": "x"}, "cargo", "cargo fetch --locked"),
    ],
)
def test_each_manager_is_known_by_its_files(tmp_path: Path, files: dict[str, str], manager: str, called: str) -> None:
    found = only(tmp_path, files)
    assert found.manager == manager
    assert called in words(found)


def test_several_are_found_in_one_repository(tmp_path: Path) -> None:
    files = {"pyproject.toml": "[project]\nname='a'", "web/package.json": "{}", "tools/lint/go.mod": "module a"}
    found = detect(repository(tmp_path, files)).environments
    assert [(each.manager, each.folder) for each in found] == [("pip", ""), ("npm", "web"), ("go", "tools/lint")]
    assert len({each.place for each in found}) == 3


def test_members_of_a_workspace_belong_to_it(tmp_path: Path) -> None:
    found = only(
        tmp_path,
        {"package.json": '{"workspaces": ["packages/*"]}', "package-lock.json": "{}", "packages/a/package.json": "{}"},
    )
    assert "packages/a/package.json" in found.files


def test_dependencies_that_are_not_the_projects_own_are_left_out(tmp_path: Path) -> None:
    files = {"go.mod": "module a", "vendor/b/go.mod": "module b", "tests/fixtures/package.json": "{}"}
    assert only(tmp_path, files).manager == "go"


def test_nothing_known_is_an_answer_and_names_the_next_step(tmp_path: Path) -> None:
    found = detect(repository(tmp_path, {"main.f90": "end"}))
    assert found.environments == ()
    assert ".handrail/change.toml" in found.notes[0]


def test_an_empty_repository_is_said_to_be_empty(tmp_path: Path) -> None:
    assert detect(repository(tmp_path, {})).notes == ("The repository has no files.",)


@pytest.mark.parametrize("name", ["pyproject.toml", "package.json", "uv.lock", "Cargo.toml", "pom.xml", "setup.cfg"])
@pytest.mark.parametrize("content", ["\x00\xff", "[" * 5_000, '{"a":' * 2_000, "= = =", ""])
def test_garbage_in_a_manifest_is_no_exception(tmp_path: Path, name: str, content: str) -> None:
    found = detect(repository(tmp_path, {name: content, "package-lock.json": content}))
    assert all(each.hash for each in found.environments)


def test_a_link_out_of_the_repository_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("https://user:sesame@example.com")
    root = tmp_path / "repository"
    root.mkdir()
    (root / "requirements.txt").write_text("-r /etc/hostname\n-r ../secret\nidna\n")
    (root / "pyproject.toml").symlink_to(secret)
    found = only(root, {})
    assert sorted(found.files) == ["requirements.txt"]


def test_the_hash_changes_with_what_is_installed_and_with_nothing_else(tmp_path: Path) -> None:
    def hashed(name: str, lock: str, code: str) -> str:
        return only(tmp_path / name, {"package.json": "{}", "package-lock.json": lock, "index.js": code}).hash

    assert hashed("a", NPM_LOCK, "1") == hashed("b", NPM_LOCK, "2")
    assert hashed("c", NPM_LOCK + " ", "1") != hashed("a", NPM_LOCK, "1")


def test_hosts_are_those_that_packages_come_from(tmp_path: Path) -> None:
    npm = only(tmp_path / "npm", {"package.json": "{}", "package-lock.json": NPM_LOCK})
    assert npm.hosts == ("npm.example.com", "registry.npmjs.org")
    uv = only(tmp_path / "uv", {"pyproject.toml": "[project]\nname='a'", "uv.lock": UV_LOCK})
    assert {"pypi.example.com", "files.example.com"} <= set(uv.hosts)


def test_another_index_is_shown_as_a_host(tmp_path: Path) -> None:
    pip = only(tmp_path, {"requirements.txt": "--index-url https://u:p@mirror.example.com:8443/simple\nidna\n"})
    assert "mirror.example.com:8443" in pip.hosts
    assert not any("@" in host for host in pip.hosts)


def test_the_project_itself_is_not_built(tmp_path: Path) -> None:
    found = only(tmp_path, {"requirements.txt": "-e .[test]\nidna==3.10\n.\n"})
    assert found.files["requirements.txt"] == b"idna==3.10\n"


def test_requirements_that_others_include_come_along(tmp_path: Path) -> None:
    files = {"requirements-dev.txt": "-r requirements/base.txt\n", "requirements/base.txt": "-c limits.txt\nidna\n"}
    found = only(tmp_path, {**files, "requirements/limits.txt": "idna<4\n", "setup.py": ""})
    assert set(found.files) == {"requirements-dev.txt", "requirements/base.txt", "requirements/limits.txt"}


def test_what_tests_need_is_installed_with_the_project(tmp_path: Path) -> None:
    project = """[project]
name = "a"
dependencies = ["idna"]
optional-dependencies = { test = ["pytest"], gpu = ["torch"] }
[dependency-groups]
dev = ["ruff"]
docs = ["sphinx"]
"""
    said = words(only(tmp_path, {"pyproject.toml": project}))
    assert "--extra test" in said
    assert "--group /workspace/pyproject.toml:dev" in said
    assert "gpu" not in said
    assert "docs" not in said


def test_pytest_is_installed_where_tests_need_it_and_no_manifest_names_it(tmp_path: Path) -> None:
    files = {"setup.cfg": "[options]\ninstall_requires =\n  idna\n", "test_a.py": "def test_a(): pass\n"}
    assert words(only(tmp_path, files)).endswith("--only-binary :all: pytest")


def test_settings_of_pytest_do_not_install_it(tmp_path: Path) -> None:
    project = "[project]\nname = 'a'\n[tool.pytest.ini_options]\n"
    assert words(only(tmp_path, {"pyproject.toml": project, "test_a.py": ""})).endswith(":all: pytest")


def test_checkers_that_only_pre_commit_knows_are_installed_at_its_versions(tmp_path: Path) -> None:
    hooks = """repos:
  - repo: https://github.com/astral-sh/ruff-pre-commit
    rev: v0.11.2
  - repo: https://github.com/pre-commit/mirrors-mypy
    rev: 'v1.15.0'
"""
    project = "[project]\nname = 'a'\ndependencies = ['flake8']\n[tool.ruff]\n[tool.mypy]\n"
    files = {"pyproject.toml": project, ".pre-commit-config.yaml": hooks, ".flake8": ""}
    assert words(only(tmp_path, files)).endswith(":all: ruff==0.11.2 mypy==1.15.0")


def test_what_documentation_needs_is_not_prepared(tmp_path: Path) -> None:
    files = {"requirements.txt": "idna==3.10\n", "docs/requirements.txt": "sphinx\n", "docs/package.json": "{}"}
    assert only(tmp_path, files).folder == ""


def test_tests_without_any_manifest_get_pytest_and_nothing_else(tmp_path: Path) -> None:
    found = only(tmp_path, {"test_a.py": "def test_a(): pass\n"})
    assert found.files == {}
    assert words(found).endswith(":all: pytest")


def test_a_project_that_needs_nothing_has_nothing_to_prepare(tmp_path: Path) -> None:
    found = only(
        tmp_path, {"pyproject.toml": "[project]\nname = 'a'\ndependencies = []\n", "test_a.py": "import unittest"}
    )
    assert (found.commands, found.hosts, found.programs) == ((), (), ())


def test_dependencies_that_only_a_build_knows_are_noted(tmp_path: Path) -> None:
    assert "setup.py names" in only(tmp_path / "a", {"setup.py": "setup()"}).notes[0]
    dynamic = "[project]\nname = 'a'\ndynamic = ['dependencies']\n"
    assert "pyproject.toml names" in only(tmp_path / "b", {"pyproject.toml": dynamic}).notes[0]


def test_a_missing_lock_file_is_noted(tmp_path: Path) -> None:
    assert "no lock file" in only(tmp_path / "a", {"requirements.txt": "idna\n"}).notes[0]
    assert only(tmp_path / "b", {"requirements.txt": "idna==3.10\n"}).notes == ()
    assert "no lock file" in only(tmp_path / "c", {"package.json": "{}"}).notes[0]


def test_poetry_is_installed_as_it_was_locked(tmp_path: Path) -> None:
    project = """[project]
dependencies = ["idna>=3"]
[tool.poetry.dependencies]
python = "^3.11"
httpx = {version = "^0.28", extras = ["http2"]}
local = {path = "../local"}
[tool.poetry.group.dev.dependencies]
pytest = "*"
[tool.poetry.group.docs]
optional = true
dependencies = {sphinx = "*"}
"""
    lock = """[[package]]
name = "idna"
version = "3.10"
files = [{file = "a.whl", hash = "sha256:00ff"}, {file = "b", hash = "--extra-index-url https://evil.example"}]
[[package]]
name = "local"
version = "1.0"
source = {type = "directory", url = "../local"}
[[package]]
name = "private"
version = "2.0"
source = {type = "legacy", url = "https://index.example.com/simple"}
[[package]]
name = "bad\\n--index-url=https://evil.example"
version = "1"
"""
    found = only(tmp_path, {"pyproject.toml": project, "poetry.lock": lock})
    assert found.files["requirements.handrail.txt"] == b"idna>=3\nhttpx[http2]\npytest\n"
    assert found.files["constraints.handrail.txt"] == b"idna==3.10 --hash=sha256:00ff\nprivate==2.0\n"
    assert "local" in found.notes[0]
    assert "index.example.com" in found.hosts
    assert "evil.example" not in found.hosts


def test_managers_that_are_not_run_are_named(tmp_path: Path) -> None:
    assert "PDM" in only(tmp_path, {"pyproject.toml": "[project]\nname='a'", "pdm.lock": ""}).notes[0]


def test_what_runs_code_while_preparing_says_so(tmp_path: Path) -> None:
    assert only(tmp_path / "a", {"build.gradle": ""}).runs_code
    assert not only(tmp_path / "b", {"package.json": "{}"}).runs_code


def test_vendored_modules_need_no_network(tmp_path: Path) -> None:
    found = only(tmp_path, {"go.mod": "module a\nrequire b v1.0.0\n", "vendor/modules.txt": "# b"})
    assert (found.commands, found.hosts) == ((), ())


def test_a_repository_of_many_projects_is_bounded(tmp_path: Path) -> None:
    found = detect(repository(tmp_path, {f"p{number:02}/go.mod": "module a" for number in range(30)}))
    assert len(found.environments) == MAX_ENVIRONMENTS
    assert "10 more environments" in found.notes[0]
