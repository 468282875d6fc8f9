"""Runs in which nothing happens any more: they end, and what they ask with them."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from uuid import UUID

from handrail.core import errors, transitions
from handrail.core.run_events import RunExpired
from handrail.core.runs import RunStatus
from handrail.engine.cancelling import end_holds
from handrail.engine.context import Engine
from handrail.holds.context import Context
from handrail.store import activity, chunks, clock, events, runs

INTERVAL_SECONDS = 1.0


async def expire_idle(engine: Engine) -> int:
    """End each run in which nothing happened for as long as its workflow allows; how many there were. Any number may do
    so at once."""
    return sum([await _expire_kind(engine.context, kind.name, kind.idle) for kind in engine.kinds if kind.idle])


async def keep_expiring(engine: Engine) -> None:
    """For ever; a database that is away is waited for."""
    while True:
        try:
            await expire_idle(engine)
        except errors.Unavailable as error:
            await asyncio.sleep(error.retry_after)
            continue
        await asyncio.sleep(INTERVAL_SECONDS)


async def _expire_kind(context: Context, workflow: str, idle: timedelta) -> int:
    async with context.database.connection() as conn:
        found = await activity.idle(conn, workflow, idle)
    return sum([await _expire(context, workflow, run_id, idle) for run_id in found])


async def _expire(context: Context, workflow: str, run_id: UUID, idle: timedelta) -> bool:
    """The run first, then its holds, each in a transaction of its own: whoever decides one locks the hold first."""
    async with context.database.transaction() as conn:
        run = await runs.lock(conn, run_id)
        # something may have happened since it was found
        if run is None or run_id not in await activity.idle(conn, workflow, idle):
            return False
        await runs.end(conn, run_id, RunStatus.expired)
        await chunks.give_up(conn, run_id, run.epoch + 1)
        reason = f"nothing happened for {idle.total_seconds() / 60:g} minutes"
        expired = RunExpired(reason=reason, hold_id=None)
        await events.append(conn, [expired], await clock.now(conn), events.of_run(run))
    context.poke()
    context.wake()
    await end_holds(context, run_id, transitions.expire)
    return True
