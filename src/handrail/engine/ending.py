"""The end of a run: its row, and the event that says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from handrail.core import sealing
from handrail.core.canonical import Json, JsonObject
from handrail.core.events import Event
from handrail.core.ids import PrincipalId
from handrail.core.run_events import RunCancelled, RunCompleted, RunExpired, RunFailed
from handrail.core.runs import Run, RunStatus
from handrail.engine.plain import plain, shown
from handrail.holds.context import Context
from handrail.store import chunks, claims, events
from handrail.store.claims import Claim
from handrail.store.database import Connection

J = TypeVar("J", bound=Json)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a run did not complete. Where a hold's no ended it, it is cancelled, or expired; else failed."""

    code: str
    message: str
    node: str | None = None
    traceback: str | None = None
    hold_id: str | None = None
    status: RunStatus = RunStatus.failed

    def data(self) -> JsonObject:
        fields: JsonObject = {"code": self.code, "message": self.message}
        more = {"node": self.node, "traceback": self.traceback, "hold_id": self.hold_id}
        return fields | {name: value for name, value in more.items() if value}

    def event(self, agent: PrincipalId) -> Event:
        match self.status:
            case RunStatus.cancelled:
                return RunCancelled(actor=agent, by=None, reason=self.message, hold_id=self.hold_id)
            case RunStatus.expired:
                return RunExpired(actor=agent, reason=self.message, hold_id=self.hold_id)
            case _:
                return RunFailed(
                    actor=agent,
                    code=self.code,
                    message=self.message,
                    node=self.node or None,
                    traceback=self.traceback or None,
                    hold_id=self.hold_id or None,
                )


def _blotted(run: Run, value: J) -> J:
    """Without the secrets that people answered the run."""
    return cast("J", sealing.blotted(value, run.answers.values()))


def _completed(run: Run, result: Json) -> RunCompleted:
    part, truncated = shown(result)
    return RunCompleted(actor=run.agent, result=part, truncated=truncated)


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
    """Completed, or as the failure says where there is one; `Lost` where the run is another's.

    `write` adds events that come before this one.
    """
    kept = _blotted(run, plain(result))
    ended = (failure.event(run.agent) if failure else _completed(run, kept)).blotted(lambda said: _blotted(run, said))
    error = _blotted(run, failure.data()) if failure else None
    status = failure.status if failure else RunStatus.completed
    async with claims.settling(context.database, Claim.of(run)) as conn:
        now = await claims.settle(conn, run.id, status, worked=worked, result=kept, error=error)
        await write(conn)
        await chunks.give_up(conn, run.id, run.epoch + 1)
        await events.append(conn, [ended], now, events.of_run(run))
    context.poke()
