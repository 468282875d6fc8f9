"""The tools whose output is understood, by name."""

from __future__ import annotations

from collections.abc import Callable

from handrail.changes.results.checks import clippy, eslint, flake8, govet, mypy, pyright, ruff, tsc
from handrail.changes.results.model import Output, Report
from handrail.changes.results.suites import cargo, gotest, jest, junit, mocha, tap, trx, unittest

SUITES: dict[str, Callable[[str, Output], Report]] = {
    "pytest": junit.parse,
    "unittest": unittest.parse,
    "mocha": mocha.parse,
    "vitest": jest.parse,
    "vitest-junit": junit.parse,
    "jest": jest.parse,
    "npm test": tap.parse,
    "go test": gotest.parse,
    "cargo test": cargo.parse,
    "surefire": junit.parse,
    "gradle": junit.parse,
    "dotnet test": trx.parse,
    "junit": junit.parse,
}
CHECKS: dict[str, Callable[[str, Output], Report]] = {
    "ruff": ruff.parse,
    "flake8": flake8.parse,
    "mypy": mypy.parse,
    "pyright": pyright.parse,
    "eslint": eslint.parse,
    "tsc": tsc.parse,
    "go vet": govet.parse,
    "clippy": clippy.parse,
}


def parse(tool: str, output: Output) -> Report:
    """What the tool said. Never raises for what is in the output: what cannot be read is a report with a fault."""
    return (SUITES.get(tool) or CHECKS[tool])(tool, output)
