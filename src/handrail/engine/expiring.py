"""Sessions in which nothing happens any more: they end, and what they ask with them."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from uuid import UUID

from handrail.core import errors, transitions
from handrail.core.run_events import RunExpired
from handrail.core.runs import RunStatus
from handrail.engine.cancelling import end_holds
from handrail.holds.context import Context
from handrail.store import chunks, events, holds, runs, sessions

INTERVAL_SECONDS = 1.0


async def expire_idle(context: Context, idle: timedelta) -> int:
    """End each session in which nothing happened for so long; how many there were. Any number may do so at once."""
    async with context.database.connection() as conn:
        found = await sessions.idle(conn, idle)
    return sum([await _expire(context, run_id, idle) for run_id in found])


async def keep_expiring(context: Context, idle: timedelta) -> None:
    """For ever; a database that is away is waited for."""
    while True:
        try:
            await expire_idle(context, idle)
        except errors.Unavailable as error:
            await asyncio.sleep(error.retry_after)
            continue
        await asyncio.sleep(INTERVAL_SECONDS)


async def _expire(context: Context, run_id: UUID, idle: timedelta) -> bool:
    """The run first, then its holds, each in a transaction of its own: whoever decides one locks the hold first."""
    async with context.database.transaction() as conn:
        run = await runs.lock(conn, run_id)
        # something may have happened since it was found
        if run is None or run_id not in await sessions.idle(conn, idle):
            return False
        await runs.end(conn, run_id, RunStatus.expired)
        await chunks.give_up(conn, run_id, run.epoch + 1)
        reason = f"nothing happened for {idle.total_seconds() / 60:g} minutes"
        expired = RunExpired(reason=reason, hold_id=None)
        await events.append(conn, [expired], await holds.now(conn), events.of_run(run))
    context.poke()
    context.wake()
    await end_holds(context, run_id, transitions.expire)
    return True
