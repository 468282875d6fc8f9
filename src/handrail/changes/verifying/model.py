"""One form for all checks of a change, and the verdict that follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

_MOST_FINDINGS = 200
"""In data for events; the count says how many there are."""


class Verdict(StrEnum):
    passed = "passed"
    failed = "failed"
    unsure = "unsure"
    """Nothing is wrong for certain: a person has to look."""
    not_applicable = "not_applicable"
    """There was nothing to check, or nothing to check it with; the words say which."""


@dataclass(frozen=True)
class Finding:
    rule: str
    path: str
    """Relative to the repository; empty where it is about no file."""
    line: int
    """In the new file; in the old one where the rule is about something removed; 0 where it is about no line."""
    what: str
    why: str
    verdict: Verdict = Verdict.failed
    """What it makes of its check: failed or unsure."""

    def as_data(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "path": self.path,
            "line": self.line,
            "what": self.what,
            "why": self.why,
            "verdict": str(self.verdict),
        }


@dataclass(frozen=True)
class Check:
    name: str
    verdict: Verdict
    words: str
    """One sentence for people."""
    findings: tuple[Finding, ...] = ()

    def as_data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "verdict": str(self.verdict),
            "words": self.words,
            "count": len(self.findings),
            "findings": [finding.as_data() for finding in self.findings[:_MOST_FINDINGS]],
        }


def judged(name: str, findings: Iterable[Finding], *, clean: str, words: str) -> Check:
    """A check by its findings: as bad as the worst of them, and passed with the words `clean` without any."""
    found = tuple(sorted(findings, key=lambda each: (each.verdict is not Verdict.failed, each.path, each.line)))
    if not found:
        return Check(name, Verdict.passed, clean)
    is_failed = any(finding.verdict is Verdict.failed for finding in found)
    return Check(name, Verdict.failed if is_failed else Verdict.unsure, words, found)


def skipped(name: str, words: str) -> Check:
    return Check(name, Verdict.not_applicable, words)
