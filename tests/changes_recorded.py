"""Outputs of real tools, recorded once (unit/changes/recordings/README.md), as their parsers get them."""

from pathlib import Path

from handrail.changes.results.model import Output

FOLDER = Path(__file__).parent / "unit" / "changes" / "recordings"


def data(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


def file(name: str, exit_code: int = 1) -> Output:
    return Output(exit_code, files={name: data(name)}, root="/repo")


def said(name: str, exit_code: int = 1, errors: str = "") -> Output:
    return Output(exit_code, stdout=data(name), stderr=data(errors) if errors else b"", root="/repo")


SUITES = {
    "pytest": file("pytest.xml"),
    "unittest": Output(1, stderr=data("unittest.txt")),
    "mocha": said("mocha.json", 2),
    "jest": said("jest.json"),
    "vitest": file("vitest.json"),
    "vitest-junit": file("vitest.xml"),
    "go test": said("go.json"),
    "cargo test": said("cargo.txt", 101, "cargo.err"),
    "surefire": file("surefire.xml"),
    "gradle": file("gradle.xml"),
    "dotnet test": file("dotnet.trx"),
}
CHECKS = {
    "ruff": said("ruff.json"),
    "flake8": said("flake8.txt"),
    "mypy": said("mypy.txt"),
    "pyright": said("pyright.json"),
    "eslint": said("eslint.json"),
    "tsc": said("tsc.txt", 2),
    "go vet": said("govet.txt"),
    "clippy": said("clippy.json", 0),
}
