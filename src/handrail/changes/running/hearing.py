"""What a command says while it runs: each test as it ends, lines for people, and no secrets in either."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from handrail.changes.results.model import Case, Report
from handrail.changes.running.model import MARK, Call, Stream
from handrail.logs import HIDDEN, SECRET_TEXT
from handrail.sandbox import Line

# of what is printed: the beginning says how it was called, the end why it failed
FIRST_LINES, LAST_LINES, LONGEST = 100, 400, 500
# for people who watch; a suite that prints without end is told no further
MOST_TOLD = 2_000
_KEY_BEGINS, _KEY_ENDS = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"), re.compile(r"-----END [A-Z ]*PRIVATE KEY")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Progress:
    """`began` with the command, a `test` that ended, a `line` that was printed, `ended` with what was counted."""

    kind: Literal["began", "test", "line", "ended"]
    tool: str
    folder: str
    side: str
    """Which tree: `base` or `head`."""
    data: dict[str, Any]

    def as_data(self) -> dict[str, Any]:
        return {"kind": self.kind, "tool": self.tool, "folder": self.folder, "side": self.side, **self.data}


Tell = Callable[[Progress], Awaitable[None]]


async def nobody(progress: Progress) -> None:
    """For callers whom nobody watches."""


def hidden(text: str) -> str:
    return SECRET_TEXT.sub(HIDDEN, text)


def without_secrets(report: Report) -> Report:
    tests = tuple(replace(test, message=hidden(test.message)) for test in report.tests)
    findings = tuple(replace(each, message=hidden(each.message)) for each in report.findings)
    return replace(report, tests=tests, findings=findings, fault=hidden(report.fault))


class Hearing:
    """Hears one command."""

    def __init__(self, call: Call, stream: Stream, side: str, tell: Tell) -> None:
        self._call, self._stream, self._side, self._tell = call, stream, side, tell
        self.tests: list[Case] = []
        self._first: list[str] = []
        self._last: deque[str] = deque(maxlen=LAST_LINES)
        self._count = 0
        self._is_key = False

    async def hear(self, line: Line) -> None:
        # what a test printed last may have no end of line
        printed, mark, said = line.text.partition(MARK)
        test = self._stream.hear(mark + said if mark else printed)
        if test:
            test = replace(test, message=hidden(test.message))
            self.tests.append(test)
            await self.tell("test", id=test.id, outcome=test.outcome.value, seconds=test.seconds, message=test.message)
        if mark and not printed:
            return
        text = self._shown(printed)
        self._count += 1
        (self._first if self._count <= FIRST_LINES else self._last).append(text)
        if self._count <= MOST_TOLD and not test:
            await self.tell("line", stream=line.stream, text=text)

    @property
    def output(self) -> str:
        left_out = self._count - len(self._first) - len(self._last)
        between = [f"[{left_out} lines left out]"] if left_out > 0 else []
        return "\n".join((*self._first, *between, *self._last))

    async def tell(self, kind: Literal["began", "test", "line", "ended"], **data: Any) -> None:
        await self._tell(Progress(kind, self._call.tool, self._call.folder, self._side, data))

    def _shown(self, text: str) -> str:
        """A private key goes over several lines; all of them are hidden."""
        if self._is_key:
            self._is_key = not _KEY_ENDS.search(text)
            return HIDDEN
        self._is_key = bool(_KEY_BEGINS.search(text)) and not _KEY_ENDS.search(text)
        return hidden(_CONTROL.sub("", text))[:LONGEST]
