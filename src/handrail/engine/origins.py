"""Where a run's action comes from, said by the engine alone: no field that a graph or a caller fills can."""

from __future__ import annotations

from typing import Final

from handrail.core.holds import Origin
from handrail.core.skills import SANDBOX_TOOLS

TASK: Final = "task"
SKILL: Final = "skill"


def origin(workflow: str, action: str) -> Origin | None:
    if workflow == TASK:
        return "task"
    return "skill_sandbox" if workflow == SKILL and action in SANDBOX_TOOLS else None
