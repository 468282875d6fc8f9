"""What a run that Handrail drives gives to the code of its graph.

The worker sets `current` before it runs a graph. Outside Handrail there is none, and everything still works:
questions are plain LangGraph interrupts, and effects are plain calls.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from handrail_sdk.holds import Action, ResultOutcome


@dataclass(frozen=True, slots=True)
class ReservedEffect:
    """Nobody did this before: do it now. `key` stays the same however often it is tried."""

    key: str


@dataclass(frozen=True, slots=True)
class Done:
    """It was done by an earlier execution of the node; `result` is what was recorded."""

    result: Any


@dataclass(frozen=True, slots=True)
class MayHaveHappened:
    """An earlier execution began something at this place, and left no result.

    Also where an earlier execution did it with other arguments: that must not be taken for this one, nor done twice.
    """

    key: str
    name: str
    since: datetime


Reservation: TypeAlias = ReservedEffect | Done | MayHaveHappened


class RunPort(Protocol):
    """All writes count only while the worker still owns the run. `loop` is the loop that the methods belong to."""

    @property
    def run_id(self) -> str: ...

    @property
    def loop(self) -> asyncio.AbstractEventLoop: ...

    async def reserve(self, name: str, digest: str, *, task: str, call: int) -> Reservation:
        """Claims the place (task, call) of this run, before an external call."""
        ...

    async def complete(self, task: str, call: int, result: Any) -> None:
        """Records the result (JSON) of what was reserved."""
        ...

    async def release(self, task: str, call: int) -> None:
        """Gives a reservation back: the call stopped to ask a person, and runs again from its start."""
        ...

    async def record_result(self, hold_id: str, outcome: ResultOutcome, detail: Any) -> None:
        """Records on a redeemed hold what happened. If there is a result already, it stays."""
        ...

    async def assess(self, action: Action, task: dict[str, Any] | None) -> dict[str, Any]:
        """What the policy in force says: `risk`, `rules` (each `rule`, `level`, `reason`), `auto_approve`.

        `task` is what the graph claims about the action, which may raise its level.
        """
        ...


current: ContextVar[RunPort | None] = ContextVar("handrail_run", default=None)
