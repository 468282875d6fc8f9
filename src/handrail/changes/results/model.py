"""One form for all results. A result that cannot be trusted to be whole has a fault, and is never taken for a pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum


class Outcome(StrEnum):
    passed = "passed"
    failed = "failed"
    errored = "errored"
    """It could not be run: its set-up, its file or its package is broken, or it never ended."""
    skipped = "skipped"


BROKEN = frozenset({Outcome.failed, Outcome.errored})


@dataclass(frozen=True)
class Case:
    id: str
    outcome: Outcome
    group: str
    """The function or table that it is a case of; for a test by itself, its id. Ids may hold a clock or an address;
    groups do not."""
    message: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Finding:
    rule: str
    path: str
    """Relative to the repository, with `/`; empty where it is about no file."""
    line: int
    message: str
    severity: str = "error"


@dataclass(frozen=True)
class Report:
    """What one tool said."""

    tool: str
    tests: tuple[Case, ...] = ()
    findings: tuple[Finding, ...] = ()
    fault: str = ""
    """Why this is no result; empty where it is one."""

    @property
    def broken(self) -> tuple[Case, ...]:
        return tuple(test for test in self.tests if test.outcome in BROKEN)


@dataclass(frozen=True)
class Output:
    """What a tool left when it ended."""

    exit_code: int
    """Negative: ended by that signal."""
    stdout: bytes = b""
    stderr: bytes = b""
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """Report files by name, where it writes some."""
    root: str = ""
    """The folder that it ran in, as it saw it."""

    @property
    def text(self) -> str:
        return self.stdout.decode("utf-8", "replace")

    @property
    def all_text(self) -> str:
        return f"{self.text}\n{self.stderr.decode('utf-8', 'replace')}"

    def relative(self, path: str) -> str:
        path = path.replace("\\", "/")
        root = self.root.replace("\\", "/").rstrip("/")
        if root and path.startswith(f"{root}/"):
            path = path[len(root) + 1 :]
        return path.removeprefix("./")


def suite(tool: str, tests: Iterable[Case], output: Output, fault: str = "") -> Report:
    """A report of tests. No tests, an end by signal, and a failure that no test explains are faults."""
    found = _numbered(tests)
    report = Report(tool, found, fault=fault)
    if fault:
        return report
    if output.exit_code < 0:
        return replace(report, fault=f"It was ended by signal {-output.exit_code}.")
    if not found or all(test.outcome is Outcome.skipped for test in found):
        return replace(report, fault=f"No test ran. {_tail(output)}".strip())
    if output.exit_code and not report.broken:
        return replace(
            report, fault=f"It ended with {output.exit_code}, though no test failed. {_tail(output)}".strip()
        )
    return report


def check(tool: str, findings: Iterable[Finding], output: Output, expected: Iterable[int] = (0, 1)) -> Report:
    """A report of findings. An exit code that is not `expected`, or a bad one without a finding, is a fault."""
    found = tuple(findings)
    if output.exit_code not in expected or (output.exit_code and not found):
        return Report(tool, findings=found, fault=f"It ended with {output.exit_code}. {_tail(output)}".strip())
    return Report(tool, findings=found)


def faulty(tool: str, reason: str, output: Output) -> Report:
    return Report(tool, fault=f"{reason} It ended with {output.exit_code}. {_tail(output)}".strip())


def _numbered(tests: Iterable[Case]) -> tuple[Case, ...]:
    """Tests of the same id are told apart by their order."""
    seen: Counter[str] = Counter()
    found: list[Case] = []
    for test in tests:
        seen[test.id] += 1
        count = seen[test.id]
        found.append(test if count == 1 else replace(test, id=f"{test.id} #{count}"))
    return tuple(found)


def _tail(output: Output) -> str:
    lines = [line.strip() for line in output.all_text.splitlines() if line.strip()]
    return f"Its last words: {' / '.join(lines[-3:])[-400:]}" if lines else ""
