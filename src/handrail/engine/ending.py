"""The end of a run: its row, and the event that says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from handrail.core.canonical import JsonObject
from handrail.core.events import Event
from handrail.core.runs import Run, RunStatus
from handrail.engine.plain import plain, shown_as
from handrail.engine.starting import about
from handrail.holds.context import Context
from handrail.store import chunks, claims, events
from handrail.store.claims import Claim
from handrail.store.database import Connection


@dataclass(frozen=True, slots=True)
class Failure:
    code: str
    message: str
    node: str | None = None
    traceback: str | None = None

    def data(self) -> JsonObject:
        fields: JsonObject = {"code": self.code, "message": self.message}
        fields |= {"node": self.node} if self.node else {}
        return fields | ({"traceback": self.traceback} if self.traceback else {})


async def _nothing_more(_conn: Connection) -> None:
    return


async def end(
    context: Context,
    run: Run,
    worked: float,
    *,
    result: Any = None,
    failure: Failure | None = None,
    write: Callable[[Connection], Awaitable[None]] = _nothing_more,
) -> None:
    """Completed, or failed where there is a failure; `Lost` where the run is another's.

    `write` adds events that come before this one.
    """
    error = failure.data() if failure else None
    ended = Event("run.completed", run.agent, shown_as("result", result))
    if error is not None:
        ended = Event("run.failed", run.agent, error)
    status = RunStatus.completed if failure is None else RunStatus.failed
    async with claims.settling(context.database, Claim.of(run)) as conn:
        now = await claims.settle(conn, run.id, status, worked=worked, result=plain(result), error=error)
        await write(conn)
        await chunks.give_up(conn, run.id, run.epoch + 1)
        await events.append(conn, [ended], now, about(run))
    context.poke()
