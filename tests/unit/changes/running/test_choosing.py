"""Which tools apply to a tree, how each is called, and how it is narrowed down to some tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import repository

from handrail.changes.environments.instructions import Instructions
from handrail.changes.results.parsers import CHECKS, SUITES
from handrail.changes.running.choosing import Choice, choose, measured, narrowed, whole
from handrail.changes.running.model import Call, Selection
from handrail.changes.running.tools import CHECKERS, RUNNERS

PYTEST = {"pyproject.toml": "[tool.pytest.ini_options]\n", "tests/test_a.py": "def test_a(): pass\n"}
JEST = '{"scripts": {"test": "cross-env CI=1 jest --watch"}, "devDependencies": {"jest": "1"}}'
MOCHA = '{"scripts": {"test": "npm run build && nyc mocha --exit -r ./setup.js"}}'


def chosen(root: Path, files: dict[str, str]) -> Choice:
    return choose(repository(root, files), Instructions())


def said(call: Call) -> str:
    return " ".join(whole(call).command.arguments)


def test_every_tool_whose_results_are_read_can_be_run() -> None:
    assert RUNNERS.keys() == SUITES.keys()
    assert CHECKERS.keys() == CHECKS.keys()


@pytest.mark.parametrize(
    ("files", "tool", "called"),
    [
        (PYTEST, "pytest", "python3 -m pytest -p handrail_pytest --junitxml=/out/pytest.xml"),
        ({"test_a.py": "def test_a(): pass"}, "pytest", "python3 -m pytest"),
        ({"test_a.py": "import unittest"}, "unittest", "python3 -m unittest discover -v"),
        (
            {"setup.py": "", "tests/__init__.py": "", "tests/test_a.py": "import unittest"},
            "unittest",
            "python3 -m unittest discover -s tests -t . -v",
        ),
        ({"package.json": JEST}, "jest", "jest --ci --json --outputFile=/out/jest.json"),
        ({"package.json": '{"scripts": {"test": "vitest"}}'}, "vitest", "vitest run --reporter=json"),
        ({"package.json": MOCHA}, "mocha", "mocha --exit -r ./setup.js --reporter /opt/handrail/mocha.cjs"),
        (
            {"package.json": '{"scripts": {"test": "mocha --ui tdd --reporter spec tests/*.js && standard"}}'},
            "mocha",
            "mocha --ui tdd tests/*.js --reporter /opt/handrail/mocha.cjs",
        ),
        ({"package.json": '{"scripts": {"test": "mocha $(ls)"}}'}, "npm test", "npm test --silent"),
        (
            {"package.json": '{"scripts": {"test": "vitest --ui --reporter dot"}}'},
            "vitest",
            "vitest run --reporter=json",
        ),
        ({"package.json": '{"scripts": {"test": "node --test"}}'}, "npm test", "npm test --silent"),
        ({"pom.xml": "", "src/test/java/ATest.java": ""}, "surefire", "mvn --offline"),
        ({"build.gradle": "", "app/src/test/kotlin/ATest.kt": ""}, "gradle", "gradle --offline"),
        ({"A.Tests.csproj": "Microsoft.NET.Test.Sdk"}, "dotnet test", "dotnet test --logger trx"),
        ({"go.mod": "module a", "a_test.go": ""}, "go test", "go test -json ./..."),
        ({"Cargo.toml": "", "src/lib.rs": "#[test]"}, "cargo test", "cargo test --offline --no-fail-fast"),
    ],
)
def test_each_runner_is_known_by_what_the_repository_says(
    tmp_path: Path, files: dict[str, str], tool: str, called: str
) -> None:
    (call,) = chosen(tmp_path, files).tests
    assert call.tool == tool
    assert called in said(call)


@pytest.mark.parametrize(
    ("files", "tool", "called"),
    [
        ({"pyproject.toml": "[tool.ruff]\n"}, "ruff", "ruff check --no-cache --output-format json"),
        ({"tox.ini": "[flake8]\n"}, "flake8", "flake8 --format=default"),
        ({"mypy.ini": "[mypy]\n"}, "mypy", "mypy . --no-pretty"),
        ({"mypy.ini": "[mypy]\n", "src/a.py": ""}, "mypy", "mypy src --no-pretty"),
        ({"pyproject.toml": "[tool.mypy]\nfiles = ['src']"}, "mypy", "mypy --no-pretty"),
        ({"pyrightconfig.json": "{}"}, "pyright", "pyright --outputjson"),
        ({"package.json": "{}", "eslint.config.js": ""}, "eslint", "eslint . --format json"),
        (
            {"package.json": '{"scripts": {"lint": "eslint src --fix"}}', ".eslintrc.json": ""},
            "eslint",
            "eslint src --format json",
        ),
        ({"tsconfig.json": "{}"}, "tsc", "tsc --project . --noEmit"),
    ],
)
def test_each_checker_is_known_by_its_configuration(
    tmp_path: Path, files: dict[str, str], tool: str, called: str
) -> None:
    (call,) = chosen(tmp_path, files).checks
    assert call.tool == tool
    assert called in said(call)


def test_languages_that_bring_their_checkers_are_checked(tmp_path: Path) -> None:
    found = chosen(tmp_path, {"go.mod": "module a", "rust/Cargo.toml": ""}).checks
    assert [(call.tool, call.folder) for call in found] == [("go vet", ""), ("clippy", "rust")]


def test_a_repository_without_tests_is_told_so(tmp_path: Path) -> None:
    found = chosen(tmp_path, {"main.py": "print(1)"})
    assert found.tests == ()
    assert "No tests were found" in found.notes[0]


def test_npms_placeholder_is_no_test(tmp_path: Path) -> None:
    placeholder = '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'
    assert chosen(tmp_path, {"package.json": placeholder}).tests == ()


def test_a_script_that_needs_a_shell_is_run_as_the_script_it_is(tmp_path: Path) -> None:
    (call,) = chosen(tmp_path, {"package.json": '{"scripts": {"test": "tape test/*.js | tap-spec"}}'}).tests
    assert call.tool == "npm test"


SELECTED = [
    (PYTEST, Selection(ids=("tests.test_a::test_a",)), "pytest tests/test_a.py::test_a -p"),
    (PYTEST, Selection(ids=("tests.test_a.TestB::test_a[x::y]",)), "pytest tests/test_a.py::TestB::test_a[x::y] -p"),
    (PYTEST, Selection(files=("tests/test_a.py", "docs/x.md")), "pytest tests/test_a.py -p"),
    (
        {"web/package.json": JEST, "web/a.test.js": ""},
        Selection(files=("web/a.test.js",), ids=("a.test.js::a > b",)),
        "jest a.test.js --ci",
    ),
    ({"go.mod": "module ex.com/a", "b/b_test.go": ""}, Selection(files=("b/b_test.go",)), "go test -json ./b"),
    (
        {"go.mod": "module ex.com/a", "b/b_test.go": ""},
        Selection(ids=("ex.com/a/b.TestX/with.dot", "ex.com/a/b.TestY")),
        "go test -json -run ^(TestX|TestY)$ ex.com/a/b",
    ),
    (
        {"Cargo.toml": "", "src/lib.rs": "#[test]"},
        Selection(ids=("src/lib.rs::tests::adds",)),
        "--no-fail-fast -- --exact tests::adds",
    ),
    (
        {"pom.xml": "", "src/test/java/a/BTest.java": ""},
        Selection(files=("src/test/java/a/BTest.java",), ids=("a.CTest::x",)),
        "-Dtest=a.BTest,a.CTest",
    ),
    ({"build.gradle": "", "src/test/java/a/BTest.java": ""}, Selection(ids=("a.BTest::x()",)), "--tests a.BTest"),
    (
        {"A.csproj": "Microsoft.NET.Test.Sdk", "CartTests.cs": ""},
        Selection(files=("CartTests.cs",), ids=("A.B.Adds(x: 1)",)),
        "--filter FullyQualifiedName=A.B.Adds|FullyQualifiedName~.CartTests.",
    ),
    (
        {"tests/test_a.py": "import unittest", "setup.py": ""},
        Selection(ids=("test_a.T.test_x",)),
        "python3 -m unittest -v test_a.T.test_x",
    ),
]


@pytest.mark.parametrize(("files", "selection", "called"), SELECTED)
def test_a_call_is_narrowed_down_to_tests(
    tmp_path: Path, files: dict[str, str], selection: Selection, called: str
) -> None:
    sources = repository(tmp_path, files)
    (call,) = choose(sources, Instructions()).tests
    narrow = narrowed(call, selection, sources)
    assert narrow
    assert called in " ".join(narrow.command.arguments)


@pytest.mark.parametrize("files", [files for files, _, _ in SELECTED])
def test_tests_that_are_not_there_narrow_nothing_down(tmp_path: Path, files: dict[str, str]) -> None:
    sources = repository(tmp_path, files)
    (call,) = choose(sources, Instructions()).tests
    assert narrowed(call, Selection(files=("nowhere/else.txt",)), sources) is None


def test_very_many_tests_are_named_by_their_functions_and_files(tmp_path: Path) -> None:
    sources = repository(tmp_path, PYTEST)
    (call,) = choose(sources, Instructions()).tests
    cases = narrowed(call, Selection(ids=tuple(f"tests.test_a::test_a[{n}]" for n in range(500))), sources)
    assert cases
    assert cases.command.arguments[3] == "tests/test_a.py::test_a"
    functions = narrowed(call, Selection(ids=tuple(f"tests.test_a::test_{n}" for n in range(500))), sources)
    assert functions
    assert functions.command.arguments[3] == "tests/test_a.py"


@pytest.mark.parametrize(
    ("files", "called"),
    [
        (
            {"test_a.py": "def test_a(): ...\n", "pytest.ini": "[pytest]\n"},
            "python3 -m handrail_coverage pytest -p handrail_pytest",
        ),
        ({"test_a.py": "import unittest\n"}, "python3 -m handrail_coverage unittest discover"),
        ({"package.json": '{"scripts": {"test": "jest"}}'}, "jest --coverage --coverageReporters=json"),
        (
            {"package.json": '{"scripts": {"test": "vitest"}, "devDependencies": {"@vitest/coverage-v8": "1"}}'},
            "vitest run --coverage.enabled --coverage.reporter=json",
        ),
        ({"package.json": '{"scripts": {"test": "vitest"}}'}, None),
        ({"package.json": '{"scripts": {"test": "mocha"}}'}, None),
    ],
    ids=["pytest", "unittest", "jest", "vitest with its package", "vitest without", "mocha"],
)
def test_coverage_is_measured_with_what_the_repository_has(
    tmp_path: Path, files: dict[str, str], called: str | None
) -> None:
    sources = repository(tmp_path, files)
    [call] = choose(sources, Instructions()).tests
    found = measured(call, sources)
    if called is None:
        assert found is None
    else:
        assert found is not None and " ".join(found.command.arguments).startswith(called)
        assert found.coverage.startswith("/out/")
