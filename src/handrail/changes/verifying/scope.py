"""What the approved plan allows, and the files that the change touches beyond it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from handrail.changes.verifying.change import Change
from handrail.changes.verifying.model import Check, Finding, judged
from handrail.core.wording import counted

NAME = "scope"


def _never(_: str) -> bool:
    return False


@dataclass(frozen=True)
class Scope:
    allows: Callable[[str], bool]
    """True for the paths that the plan names."""
    weakens: Callable[[str], bool] = _never
    """True for test files in which the plan says that tests go, are skipped or expect something else."""


def check(change: Change, scope: Scope) -> Check:
    touched = [path for file in change.files for path in (file.path, file.old_path) if path]
    findings = [
        Finding("outside_the_plan", path, 0, f"{path} is not in the approved plan.", "Nobody approved changing it.")
        for path in touched
        if not scope.allows(path)
    ]
    words = f"The change touches {counted(len(findings), 'path')} outside the plan."
    return judged(NAME, findings, clean="Every file is in the plan.", words=words)
