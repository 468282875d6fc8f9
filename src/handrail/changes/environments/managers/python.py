"""uv, Poetry and pip, all carried out by uv, which comes with Handrail. Nothing is built: only wheels are used."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from handrail.changes.environments.managers import poetry
from handrail.changes.environments.model import TREE, Command, Environment, command, hosts_in, place
from handrail.changes.environments.sources import Sources, folder_of, joined, strings, table

MANIFESTS = ("pyproject.toml", "setup.cfg", "setup.py", "requirements.txt", "uv.lock", "poetry.lock")
REQUIREMENTS = (
    *("requirements.txt", "requirements-dev.txt", "requirements_dev.txt", "dev-requirements.txt"),
    *("requirements-test.txt", "requirements_test.txt", "test-requirements.txt", "requirements-tests.txt"),
    *("requirements/dev.txt", "requirements/test.txt", "requirements/tests.txt", "requirements/base.txt"),
)
# extras and groups that hold what tests and checks need
FOR_TESTS = frozenset({"dev", "develop", "development", "test", "tests", "testing", "lint", "typing", "types", "check"})
INDEX = ("https://pypi.org/", "https://files.pythonhosted.org/")
UNREAD = {"Pipfile.lock": "Pipenv", "pdm.lock": "PDM", "environment.yml": "conda", "pixi.lock": "pixi"}
# of the tests, to find out how they are written
MOST_LOOKED_AT = 200
_PLATFORM = f"Python {sys.version_info.major}.{sys.version_info.minor} {platform.machine()}"
_KEPT = {"UV_CACHE_DIR": "/tmp/uv", "UV_COMPILE_BYTECODE": "1"}  # noqa: S108
# longer than the door out of the sandbox tries: on a busy machine, uv's own 10 seconds are over before it has answered
_PATIENT = {"UV_HTTP_CONNECT_TIMEOUT": "60", "UV_HTTP_TIMEOUT": "120"}
_SELF = re.compile(r"^\s*(?:-e\s+|--editable[\s=]+)?\.(?:\[[^\]]*\])?/?\s*(?:#.*)?$")
_INCLUDED = re.compile(r"^\s*(?:-r|-c|--requirement|--constraint)[\s=]+(\S+)", re.MULTILINE)
_ADDRESS = re.compile(r"https://[^\s\"'#]+")
_UV_ADDRESS = re.compile(r'\b(?:registry|git|url) = "(https://[^"]+)"')
_CHECKERS = ("ruff", "flake8", "mypy")
_NO_LOCK = "There is no lock file: today's versions are used, until the manifest changes."


def find(sources: Sources) -> Iterator[Environment]:
    """One for each folder that has a lock file or a manifest and is no member of a locked workspace above it."""
    locked: list[str] = []
    for folder in dict.fromkeys(folder_of(path) for path in sources.named(*MANIFESTS)):
        if any(not above or folder == above or folder.startswith(f"{above}/") for above in locked):
            continue
        if sources.has(joined(folder, "uv.lock")):
            locked.append(folder)
            yield _uv(sources, folder)
        elif sources.has(joined(folder, "poetry.lock")):
            yield _poetry(sources, folder)
        else:
            yield _pip(sources, folder)
    if not sources.named(*MANIFESTS) and files_of_tests(sources, "") and uses_pytest(sources, ""):
        yield _pip(sources, "")


def _uv(sources: Sources, folder: str) -> Environment:
    lock, manifest = joined(folder, "uv.lock"), joined(folder, "pyproject.toml")
    members = sources.under(folder, "pyproject.toml", ".python-version")
    project = sources.toml(manifest)
    chosen = [part for name in _extras(project) for part in ("--extra", name)]
    chosen += [part for name in _groups(project) for part in ("--group", name)]
    sync = command(
        *("uv", "sync", "--frozen", "--no-install-workspace", "--no-build", *chosen),
        **_settings(UV_PROJECT_ENVIRONMENT=place("python", folder)),
    )
    addresses = _UV_ADDRESS.findall(sources.text(lock))
    files = _files(sources, [lock, *members])
    return _environment("uv", folder, files, (lock,), [_venv(folder), sync, *_tools(sources, files, folder)], addresses)


def _poetry(sources: Sources, folder: str) -> Environment:
    lock, manifest = joined(folder, "poetry.lock"), joined(folder, "pyproject.toml")
    project, locked = sources.toml(manifest), sources.toml(lock)
    asked, pinned = joined(folder, "requirements.handrail.txt"), joined(folder, "constraints.handrail.txt")
    files = _files(sources, [lock, manifest])
    files[asked] = "".join(f"{line}\n" for line in poetry.requirements(project)).encode()
    files[pinned] = "".join(f"{line}\n" for line in poetry.constraints(locked)).encode()
    others = poetry.indexes(locked)
    chosen = ["-r", f"{TREE}/{asked}", "-c", f"{TREE}/{pinned}"]
    chosen += [part for address in others for part in ("--extra-index-url", address)]
    commands = [_venv(folder), _install(folder, *chosen), *_tools(sources, files, folder)]
    missing = poetry.elsewhere(locked)
    notes = (f"Not from a package index, so not installed: {', '.join(missing)}.",) if missing else ()
    return _environment("poetry", folder, files, (lock,), commands, others, notes)


def _pip(sources: Sources, folder: str) -> Environment:
    """One that needs nothing has nothing to prepare: the sandbox's own Python will do."""
    files, lists = _requirements(sources, folder)
    manifest = joined(folder, "pyproject.toml")
    project = sources.toml(manifest)
    chosen = [part for path in lists for part in ("-r", f"{TREE}/{path}")]
    if project.get("project") or project.get("dependency-groups"):
        files[manifest] = sources.data(manifest)
    if strings(project, "project", "dependencies") or _extras(project):
        chosen += ["-r", f"{TREE}/{manifest}", *(part for name in _extras(project) for part in ("--extra", name))]
    if groups := _groups(project):
        chosen += [part for name in groups for part in ("--group", f"{TREE}/{manifest}:{name}")]
    configured = _configured(sources.ini(joined(folder, "setup.cfg")))
    if configured:
        generated = joined(folder, "requirements.handrail.txt")
        files[generated] = "\n".join(configured).encode() + b"\n"
        chosen += ["-r", f"{TREE}/{generated}"]
    install = [*([_install(folder, *chosen)] if chosen else []), *_tools(sources, files, folder)]
    addresses = [each for data in files.values() for each in _ADDRESS.findall(_option_lines(data))]
    commands = [_venv(folder), *install] if install else []
    notes = tuple(_notes(sources, folder, files))
    return _environment("pip", folder, files, _pinned(files), commands, addresses, notes)


def _environment(
    manager: str,
    folder: str,
    files: Mapping[str, bytes],
    locks: tuple[str, ...],
    commands: list[Command],
    addresses: list[str],
    notes: tuple[str, ...] = (),
) -> Environment:
    hosts = hosts_in([*INDEX, *addresses]) if commands else ()
    programs = (f"{place('python', folder)}/bin",) if commands else ()
    return Environment(
        *(manager, "python", folder, files, locks),
        tuple(commands),
        hosts,
        programs=programs,
        notes=notes,
        platform=_PLATFORM,
    )


def _settings(**more: str) -> dict[str, str]:
    # no interpreter is fetched; what is compiled now need not be in each run, where the layer cannot be written
    return {"UV_PYTHON_DOWNLOADS": "never", "UV_LINK_MODE": "copy", **_KEPT, **_PATIENT, **more}


def _venv(folder: str) -> Command:
    return command("uv", "venv", "--allow-existing", place("python", folder), **_settings())


def _install(folder: str, *chosen: str) -> Command:
    python = f"{place('python', folder)}/bin/python"
    return command("uv", "pip", "install", "--python", python, "--only-binary", ":all:", *chosen, **_settings())


def _tools(sources: Sources, files: Mapping[str, bytes], folder: str) -> list[Command]:
    """pytest and checkers that the repository uses and no manifest names; at the version that pre-commit has them."""
    hooks = sources.text(joined(folder, ".pre-commit-config.yaml"))
    wanted = ["pytest"] if uses_pytest(sources, folder) else []
    wanted += [tool for tool in _CHECKERS if _configures(sources, folder, tool)]
    missing: list[str] = []
    for tool in wanted:
        # a dependency, not the settings of it
        named = re.compile(rb"(?<![.\w-])%b(?![.\w-])" % tool.encode())
        if not any(named.search(data) for data in files.values()):
            pinned = re.search(
                rf"/(?:mirrors-)?{tool}(?:-pre-commit)?\s+rev:\s*['\"]?v?(\d[\d.]*)", hooks, re.IGNORECASE
            )
            missing.append(f"{tool}=={pinned[1]}" if pinned else tool)
    return [_install(folder, *missing)] if missing else []


def _configures(sources: Sources, folder: str, tool: str) -> bool:
    if any(sources.has(joined(folder, name)) for name in (f"{tool}.toml", f".{tool}.toml", f"{tool}.ini", f".{tool}")):
        return True
    if table(sources.toml(joined(folder, "pyproject.toml")), "tool").get(tool) is not None:
        return True
    return any(tool in sources.ini(joined(folder, name)) for name in ("setup.cfg", "tox.ini"))


def files_of_tests(sources: Sources, folder: str) -> list[str]:
    return sources.under(folder, "test_*.py", "*_test.py")


def uses_pytest(sources: Sources, folder: str) -> bool:
    """By its configuration, a manifest, or how tests are written."""
    if any(sources.has(joined(folder, name)) for name in ("pytest.ini", ".pytest.ini", "conftest.py")):
        return True
    if table(sources.toml(joined(folder, "pyproject.toml")), "tool", "pytest"):
        return True
    sections = {**sources.ini(joined(folder, "tox.ini")), **sources.ini(joined(folder, "setup.cfg"))}
    if "pytest" in sections or "tool:pytest" in sections:
        return True
    named = sources.under(folder, *REQUIREMENTS[:8], *MANIFESTS[:3], "tox.ini", "noxfile.py")
    if any("pytest" in sources.text(path) for path in named):
        return True
    tests = (sources.text(path) for path in files_of_tests(sources, folder)[:MOST_LOOKED_AT])
    return any(re.search(r"^(?:import pytest|from pytest|(?:async )?def test_)", text, re.MULTILINE) for text in tests)


def _extras(project: Mapping[str, Any]) -> list[str]:
    found = {*table(project, "project", "optional-dependencies"), *table(project, "tool", "poetry", "extras")}
    return sorted(name for name in found if name.lower() in FOR_TESTS)


def _groups(project: Mapping[str, Any]) -> list[str]:
    return sorted(name for name in table(project, "dependency-groups") if name.lower() in FOR_TESTS)


def _files(sources: Sources, paths: list[str]) -> dict[str, bytes]:
    return {path: sources.data(path) for path in paths if sources.has(path)}


def _requirements(sources: Sources, folder: str) -> tuple[dict[str, bytes], list[str]]:
    """Requirement files with those that they include, without the project itself, which is not built."""
    files: dict[str, bytes] = {}
    lists = [joined(folder, name) for name in REQUIREMENTS if sources.has(joined(folder, name))]
    waiting = list(lists)
    while waiting:
        path = waiting.pop()
        if path in files or not sources.has(path):
            continue
        text = sources.text(path)
        files[path] = "".join(line for line in text.splitlines(keepends=True) if not _SELF.match(line)).encode()
        waiting += [_beside(path, name) for name in _INCLUDED.findall(text)]
        waiting += [_beside(path, name) for name in re.findall(r"^\s*(\./\S+\.whl)", text, re.MULTILINE)]
    for wheel in [path for path in files if path.endswith(".whl")]:
        files[wheel] = sources.data(wheel)
    return files, lists


def _beside(path: str, name: str) -> str:
    """A path that a file names relative to itself; one that leads out of the repository is not in it."""
    parts = folder_of(path).split("/") if folder_of(path) else []
    for part in name.removeprefix("file:").split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def _configured(sections: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Dependencies of a setup.cfg."""
    lists = [sections.get("options", {}).get("install_requires", "")]
    lists += [said for name, said in sections.get("options.extras_require", {}).items() if name.lower() in FOR_TESTS]
    return [line.strip() for text in lists for line in text.splitlines() if line.strip()]


def _pinned(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Requirement files in which every line names one version."""
    lists = {path: data.decode("utf-8", "replace") for path, data in files.items() if path.endswith(".txt")}
    return tuple(sorted(path for path, text in lists.items() if _is_pinned(text)))


def _is_pinned(text: str) -> bool:
    lines = [line for line in text.splitlines() if line.strip() and not line.strip().startswith(("#", "-"))]
    return bool(lines) and all("==" in line for line in lines)


def _option_lines(data: bytes) -> str:
    """Where a requirement file or a manifest may name another index or an address to install from."""
    lines = data.decode("utf-8", "replace").splitlines()
    return "\n".join(line for line in lines if re.match(r"^\s*(-|url\s*=|.* @ )", line))


def _notes(sources: Sources, folder: str, files: Mapping[str, bytes]) -> Iterator[str]:
    for name, manager in UNREAD.items():
        if sources.has(joined(folder, name)):
            yield f"{joined(folder, name)} is {manager}'s, which Handrail does not run: its versions are not used."
    project = sources.toml(joined(folder, "pyproject.toml"))
    is_dynamic = "dependencies" in strings(project, "project", "dynamic")
    script = joined(folder, "setup.py")
    if (sources.has(script) and not files) or is_dynamic:
        named = joined(folder, "pyproject.toml") if is_dynamic else script
        yield (
            f"{named} names dependencies only when it is built. If the tests need some, say how to install them in "
            ".handrail/change.toml."
        )
    elif files and not _pinned(files):
        yield _NO_LOCK
