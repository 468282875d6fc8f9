"""The standard library's `python -m unittest -v`, which writes to stderr."""

from __future__ import annotations

import re
from collections.abc import Iterator

from handrail.changes.results.model import Case, Outcome, Output, Report, faulty, suite

_NAME = re.compile(r"^\s*(\w+) \(([\w.<>]+)\)(.*)$")
_END = re.compile(r"\.\.\. (?:.*\s)?(ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$")
_RAN = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
_OUTCOMES = {
    "ok": Outcome.passed, "FAIL": Outcome.failed, "ERROR": Outcome.errored, "expected failure": Outcome.passed,
    "unexpected success": Outcome.failed,
}  # fmt: skip


def parse(tool: str, output: Output) -> Report:
    """Fewer tests than it says it ran is a fault."""
    text = output.all_text
    ran = _RAN.findall(text)
    if not ran:
        return faulty(tool, "It never said how many tests it ran.", output)
    tests = list(_tests(text[: text.rindex(f"Ran {ran[-1]} test")]))
    whole = [test for test in tests if "setUp" not in test.id.rpartition(".")[2]]
    missing = int(ran[-1][:9]) - len(whole)
    return suite(tool, tests, output, fault=f"It ran {ran[-1]} tests and named {len(whole)}." if missing > 0 else "")


def _tests(text: str) -> Iterator[Case]:
    reader = Reader()
    for line in text.splitlines():
        if line.startswith("======"):
            return
        if test := reader.hear(line):
            yield test


class Reader:
    """A test's name, then its outcome: on the same line, or after its description or what it printed."""

    def __init__(self) -> None:
        self._waiting = ""

    def hear(self, line: str) -> Case | None:
        """The test that this line ends."""
        name = _NAME.match(line)
        if name:
            path, function = name[2], name[1]
            self._waiting = path if path.endswith(f".{function}") else f"{path}.{function}"
        end = _END.search(line)
        if not end or not self._waiting:
            return None
        outcome = Outcome.skipped if end[1].startswith("skipped") else _OUTCOMES[end[1]]
        test = Case(self._waiting, outcome, self._waiting, end[1] if outcome is Outcome.skipped else "")
        self._waiting = ""
        return test
