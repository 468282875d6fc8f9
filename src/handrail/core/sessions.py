"""A session: a run of a skill, in the words of those who start and follow one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from .runs import RunStatus

# the workflow that runs skills
WORKFLOW = "skill"
DEFAULT_STEPS = 10


class Mode(StrEnum):
    hitl = "HITL"
    autonomous = "AUTONOMOUS"

    @property
    def of_run(self) -> str:
        """The same, as the workflow is told it."""
        return "interactive" if self is Mode.hitl else "autonomous"

    @classmethod
    def read(cls, of_run: str | None) -> Mode:
        return cls.autonomous if of_run == cls.autonomous.of_run else cls.hitl


class SessionStatus(StrEnum):
    created = "CREATED"
    running = "RUNNING"
    paused = "PAUSED"
    completed = "COMPLETED"
    failed = "FAILED"
    cancelled = "CANCELLED"
    expired = "EXPIRED"

    @classmethod
    def of(cls, status: RunStatus) -> SessionStatus:
        return cls.created if status is RunStatus.queued else cls[status.name]

    @property
    def of_run(self) -> RunStatus:
        return RunStatus.queued if self is SessionStatus.created else RunStatus[self.name]


class Role(StrEnum):
    human = "HUMAN"
    ai = "AI"
    system = "SYSTEM"
    tool = "TOOL"


@dataclass(frozen=True, slots=True)
class Message:
    """`id` stays the same as the history grows; `seq` is the log's number of the event that it comes from."""

    id: str
    role: Role
    content: str
    at: datetime
    seq: int | None = None
    metadata: Mapping[str, Any] | None = None
