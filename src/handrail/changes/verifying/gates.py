"""The checks in the order in which people see them, which of them are gates, and the verdict over all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from handrail.changes.verifying.model import Check, Verdict

GATES: dict[str, bool] = {
    "test_integrity": True,
    "tests": True,
    "base_tests": True,
    "fail_to_pass": True,
    "secrets": True,
    "scope": True,
    "hidden_characters": True,
    "file_types": True,
    "security": True,
    "lint": True,
    "coverage": True,
    "dependencies": False,
    "size": False,
    "criteria": True,
}
"""A gate that fails stops the change. Any other check only asks people to look."""

_BLOCKING = "The change cannot be offered: {}."
_LOOK = "Nothing failed, but a person should look at: {}."


@dataclass(frozen=True)
class Verification:
    checks: tuple[Check, ...]

    @property
    def verdict(self) -> Verdict:
        """Failed where a gate failed; unsure where a gate is, or where another check failed. Without any check that
        had something to look at, nothing is known, which is no pass."""
        if self.blocking:
            return Verdict.failed
        if self.doubtful or all(check.verdict is Verdict.not_applicable for check in self.checks):
            return Verdict.unsure
        return Verdict.passed

    @property
    def blocking(self) -> tuple[Check, ...]:
        return tuple(each for each in self.checks if each.verdict is Verdict.failed and GATES[each.name])

    @property
    def doubtful(self) -> tuple[Check, ...]:
        weak = (Verdict.unsure, Verdict.failed)
        return tuple(each for each in self.checks if each.verdict in weak and each not in self.blocking)

    @property
    def words(self) -> str:
        named = ", ".join(check.name.replace("_", " ") for check in self.blocking or self.doubtful)
        if self.verdict is Verdict.passed:
            return "Every check passed."
        if not named:
            return "Nothing could be checked."
        return (_BLOCKING if self.blocking else _LOOK).format(named)

    def check(self, name: str) -> Check | None:
        return next((check for check in self.checks if check.name == name), None)

    def as_data(self) -> dict[str, Any]:
        checks = [{**check.as_data(), "is_gate": GATES[check.name]} for check in self.checks]
        return {"verdict": str(self.verdict), "words": self.words, "checks": checks}


def verification(checks: Iterable[Check]) -> Verification:
    """In the order of `GATES`: what is said about tests stands first."""
    order = {name: place for place, name in enumerate(GATES)}
    return Verification(tuple(sorted(checks, key=lambda check: order[check.name])))
