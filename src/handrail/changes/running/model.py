"""What is run: a tool, called so that its results can be read, in one folder of a repository."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, cast

from handrail.changes.environments.model import Command
from handrail.changes.environments.sources import Sources
from handrail.changes.results.model import Case, Outcome
from handrail.changes.results.reading import brief, number_of, text_of

Kind = Literal["tests", "lint", "types", "format"]
# where the sandbox has the folder for reports, and the files by which tools are made to say each test as it ends
OUT = "/out"
INSIDE = "/opt/handrail"
# before each line that such a file writes
MARK = "\x1e"
# beyond it, a command that names each test is longer than systems allow
MOST_NAMED = 50


@dataclass(frozen=True, slots=True)
class Call:
    tool: str
    """As `results` knows it."""
    kind: Kind
    folder: str
    """Relative to the repository; empty for its root."""
    command: Command
    why: str
    """What in the repository says that it applies."""
    reports: tuple[str, ...] = ()
    """Patterns of report files: below /out where they begin with it, else relative to the repository. Without any, the
    report is what the tool prints."""
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    timeout: float | None = None
    coverage: str = ""
    """The file, below /out, in which it writes which lines were run; empty where it does not."""

    def adding(self, *arguments: str) -> Call:
        return replace(self, command=replace(self.command, arguments=(*self.command.arguments, *arguments)))

    def as_data(self) -> dict[str, Any]:
        said = {"tool": self.tool, "kind": self.kind, "folder": self.folder, "why": self.why}
        return {**said, "command": self.command.as_data(), "timeout": self.timeout}


@dataclass(frozen=True, slots=True)
class Selection:
    """Tests by what a plan and the code graph know (`files`) and by what a report says (`ids`)."""

    files: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


class Stream(Protocol):
    """Reads what a runner prints while it runs."""

    def hear(self, line: str) -> Case | None:
        """The test that this line ends."""
        ...


@dataclass(frozen=True, slots=True)
class Runner:
    """A test runner. `flags` make its results readable; `select` narrows a call down, or gives None where it cannot;
    one that is not narrowed down needs `whole`."""

    name: str
    find: Callable[[Sources], Sequence[Call]]
    select: Callable[[Call, Selection, Sources], Call | None]
    stream: Callable[[], Stream]
    flags: tuple[str, ...] = ()
    reports: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    measure: Callable[[Call, Sources], Call | None] = lambda _call, _sources: None
    """The call with coverage; None where the repository has nothing that could measure it."""


@dataclass(frozen=True, slots=True)
class Checker:
    """A linter or a type checker."""

    name: str
    kind: Kind
    find: Callable[[Sources], Sequence[Call]]
    flags: tuple[str, ...] = ()
    reports: tuple[str, ...] = ()


class Silent:
    """A runner that says nothing before its report."""

    def hear(self, line: str) -> Case | None:
        return None


class MarkedLines:
    """The lines of our own reporters. Whatever a test prints to look like one is shown, and counts for nothing: the
    report at the end does."""

    def hear(self, line: str) -> Case | None:
        if not line.startswith(MARK):
            return None
        try:
            said = json.loads(line[len(MARK) :])
        except (ValueError, RecursionError):
            return None
        if not isinstance(said, dict):
            return None
        test = cast("dict[str, Any]", said)
        name, outcome = text_of(test.get("id"))[:1_000], text_of(test.get("outcome"))
        if not name or outcome not in set(Outcome):
            return None
        return Case(name, Outcome(outcome), name, brief(text_of(test.get("message"))), number_of(test.get("seconds")))
