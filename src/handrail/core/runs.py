"""A run: one execution of a workflow, and the words that other systems have for its states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from . import ids
from .canonical import Json, JsonObject
from .holds import Hold
from .ids import PrincipalId, RunId
from .people import Principal
from .risk import Level
from .sealing import OpenedAnswer


class RunStatus(StrEnum):
    queued = "queued"
    running = "running"
    paused = "paused"
    completed = "completed"
    failed = "failed"
    cancelled = "cancelled"
    expired = "expired"

    @property
    def ended(self) -> bool:
        return self in ENDED

    @property
    def active(self) -> bool:
        return not self.ended


ENDED = frozenset({RunStatus.completed, RunStatus.failed, RunStatus.cancelled, RunStatus.expired})


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a run may use; `cost` is in the currency of the configured prices."""

    steps: int
    seconds: float
    cost: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    steps: int = 0
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Waking:
    """The decision that woke a run, and the names of those who decided."""

    hold: Hold
    names: Mapping[UUID, str]


@dataclass(frozen=True, slots=True)
class Run:
    """`epoch` counts the claims: what a worker writes counts only under the epoch that it claimed.

    `risk` is the level at which a task was assessed when its run started. `answers` are secret ones by their holds, in
    clear: they come with a claim, from who has the key. `woken_by` comes with a claim that the decision made itself.
    """

    id: RunId
    workflow: str
    status: RunStatus
    input: Json
    starter: PrincipalId
    agent: PrincipalId
    budget: Budget
    created_at: datetime
    active_at: datetime
    version: str | None = None
    mode: str | None = None
    risk: Level | None = None
    epoch: int = 0
    attempts: int = 0
    worker: str | None = None
    usage: Usage = Usage()
    result: Json = None
    error: JsonObject | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    number: int = field(default=0, compare=False)
    answers: Mapping[UUID, OpenedAnswer] = field(default_factory=dict[UUID, OpenedAnswer], repr=False, compare=False)
    woken_by: Waking | None = field(default=None, repr=False, compare=False)

    @property
    def short_id(self) -> str:
        """For people; the database gives the number when the run is written."""
        return ids.short("R", self.number)


def may_see(who: Principal, run: Run) -> bool:
    """Persons see the runs they started; auditors and administrators all; a service or agent its own."""
    return who.active and (who.reads_all or who.id in {run.starter, run.agent})


def may_control(who: Principal, run: Run) -> bool:
    """Who may cancel and retry: who started it, and an administrator."""
    return who.active and (who.administers or who.id == run.starter)
