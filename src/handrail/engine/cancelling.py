"""Cancel a run: its work stops, and what it asked is no longer asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from handrail.core import canonical, errors, transitions
from handrail.core.holds import Hold
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal
from handrail.core.run_events import RunCancelled
from handrail.core.runs import Run, RunStatus, may_control
from handrail.engine.seeing import may_see_run
from handrail.holds.context import Context, commit
from handrail.store import chunks, clock, events, holds, runs
from handrail.store.database import Connection

INTERVAL_SECONDS = 1.0
# how long after its end a run's worker may still open a hold, or a cancellation be on its way
LATE = timedelta(minutes=1)


async def cancel(context: Context, who: Principal, run_id: UUID, reason: str | None) -> Run:
    """The run, cancelled. Its worker stops within a second or two, and nothing that it still writes counts.

    Holds follow, each in its own transaction: whoever decides one locks the hold first and then the run.
    """
    canonical.check(reason, "reason")
    async with context.database.transaction() as conn:
        run = await controlled(conn, who, run_id)
        if run.status.ended:
            raise errors.RunEnded(f"the run is already {run.status}", status=run.status.value)
        await runs.end(conn, run_id, RunStatus.cancelled)
        await chunks.give_up(conn, run_id, run.epoch + 1)
        said = RunCancelled(actor=who.id, by=who.id, reason=reason)
        await events.append(conn, [said], await clock.now(conn), events.of_run(run))
        cancelled = await runs.get(conn, run_id)
        assert cancelled is not None
    context.poke()
    context.wake()
    await end_holds(context, run_id, lambda hold, now: _cancelled(hold, who.id, now, reason))
    return cancelled


async def controlled(conn: Connection, who: Principal, run_id: UUID) -> Run:
    """The run, locked; refused where it is not this principal's to control."""
    run = await runs.lock(conn, run_id)
    if run is None or not await may_see_run(conn, who, run):
        raise errors.NotFound(f"there is no run {run_id}, or you may not see it")
    if not may_control(who, run):
        raise errors.Forbidden("only whoever started the run, or an administrator, can do this")
    return run


async def end_holds(context: Context, run_id: UUID, end: Callable[[Hold, datetime], transitions.Step]) -> None:
    """What a run that has ended still asks, each hold in its own transaction."""
    async with context.database.connection() as conn:
        left = await runs.pending_holds(conn, run_id)
    for hold_id in left:
        await _end_hold(context, hold_id, end)


async def sweep(context: Context, since: datetime | None = None) -> tuple[datetime, int]:
    """End pending holds of runs that have ended, all or since a moment; when that was, and how many there were."""
    async with context.database.connection() as conn:
        now, left = await runs.left_holds(conn, since)
    for hold_id, status in left:
        await _end_hold(context, hold_id, transitions.expire if status is RunStatus.expired else _left)
    return now, len(left)


async def keep_sweeping(context: Context) -> None:
    """Sweep for ever, at first over all runs; a database that is away is waited for."""
    since = None
    while True:
        try:
            swept_at, _ = await sweep(context, since)
            since = swept_at - LATE
        except errors.Unavailable as error:
            await asyncio.sleep(error.retry_after)
            continue
        await asyncio.sleep(INTERVAL_SECONDS)


async def _end_hold(context: Context, hold_id: UUID, end: Callable[[Hold, datetime], transitions.Step]) -> None:
    async with context.database.transaction() as conn:
        locked = await holds.lock(conn, hold_id)
        if locked is None or not locked.hold.pending:
            return
        hold, now = locked
        await commit(context, conn, hold, end(hold, now), now)
    context.poke()


def _left(hold: Hold, now: datetime) -> transitions.Step:
    return _cancelled(hold, hold.opener, now, "its run has ended")


def _cancelled(hold: Hold, who: PrincipalId, now: datetime, reason: str | None) -> transitions.Step:
    if hold.due(now) == "expire":
        return transitions.expire(hold, now)
    return transitions.cancel(hold, who, now, reason)
