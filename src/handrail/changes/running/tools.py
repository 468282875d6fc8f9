"""All tools that are known, by name."""

from __future__ import annotations

from handrail.changes.environments.sources import Sources
from handrail.changes.running.checks import compiled
from handrail.changes.running.checks import javascript as scripts
from handrail.changes.running.checks import python as checks
from handrail.changes.running.model import Call, Checker, Runner, Selection, Silent
from handrail.changes.running.suites import cargo, dotnet, golang, javascript, jvm, python


def _none(sources: Sources) -> list[Call]:
    return []


def _whole(call: Call, chosen: Selection, sources: Sources) -> Call | None:
    return None


# for commands of a repository that write JUnit's XML: nothing but its own instructions can name them
_ANY = tuple(Runner(name, _none, _whole, Silent) for name in ("junit", "vitest-junit"))
RUNNERS: dict[str, Runner] = {
    each.name: each
    for each in (
        *(python.PYTEST, python.UNITTEST, javascript.VITEST, javascript.JEST, javascript.MOCHA, javascript.NPM),
        *(jvm.MAVEN, jvm.GRADLE, dotnet.DOTNET, golang.GO, cargo.CARGO, *_ANY),
    )
}
CHECKERS: dict[str, Checker] = {
    each.name: each
    for each in (
        *(checks.RUFF, checks.FLAKE8, checks.MYPY, checks.PYRIGHT),
        *(scripts.ESLINT, scripts.TSC, compiled.GO_VET, compiled.CLIPPY),
    )
}
