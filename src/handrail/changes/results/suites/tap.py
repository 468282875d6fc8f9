"""The Test Anything Protocol, as Node.js's own runner, tape, tap and AVA print it."""

from __future__ import annotations

import re

from handrail.changes.results.model import BROKEN, Case, Outcome, Output, Report, faulty, suite

_POINT = re.compile(r"^(\s*)(not )?ok\b\s*\d*\s*(?:- )?(.*?)(?:\s+# (SKIP|TODO|time=\S+).*)?$", re.IGNORECASE)
_SUBTEST = re.compile(r"^(\s*)# Subtest: (.*)$")
_PLAN = re.compile(r"^1\.\.(\d{1,9})\b", re.MULTILINE)
_TOP = re.compile(r"^(?:not )?ok\b", re.MULTILINE)
_INDENT = 4


def parse(tool: str, output: Output) -> Report:
    """Fewer points than it planned, or no plan, is a fault."""
    text = output.text
    planned = _PLAN.findall(text)
    if not planned:
        return faulty(tool, "It printed no results in the Test Anything Protocol (TAP).", output)
    reader = Reader()
    tests = [test for line in text.splitlines() if (test := reader.hear(line))]
    missing = sum(int(each) for each in planned) - len(_TOP.findall(text))
    said = f"It planned {missing} more tests than it ended." if missing > 0 else ""
    return suite(tool, tests, output, fault=said)


class Reader:
    """Tests within tests are indented, and their own point comes after them: one with tests in it is no test, unless
    it failed and none of them did."""

    def __init__(self) -> None:
        self._titles: dict[int, str] = {}
        self._inside: dict[int, list[Outcome]] = {}
        """Outcomes that a point one level above sums up."""

    def hear(self, line: str) -> Case | None:
        """The test that this line ends."""
        if opened := _SUBTEST.match(line):
            depth = len(opened[1]) // _INDENT
            self._titles[depth] = opened[2]
            self._inside[depth + 1] = []
            return None
        point = _POINT.match(line)
        if not point:
            return None
        depth, outcome = len(point[1]) // _INDENT, _outcome(bool(point[2]), (point[4] or "").upper())
        inside = self._inside.pop(depth + 1, [])
        self._inside.setdefault(depth, []).append(outcome)
        if inside and (outcome not in BROKEN or BROKEN.intersection(inside)):
            return None
        around = [self._titles.get(level, "") for level in range(depth)]
        name = " > ".join(part for part in (*around, point[3]) if part)
        return Case(name, outcome, name) if name else None


def _outcome(failed: bool, directive: str) -> Outcome:
    """What is still to be done is expected to fail."""
    if directive in {"SKIP", "TODO"}:
        return Outcome.skipped
    return Outcome.failed if failed else Outcome.passed
