"""The clock's part: escalate and expire what is due."""

from __future__ import annotations

import asyncio

from handrail.core import errors, transitions
from handrail.holds.braking import deny_pending
from handrail.holds.context import Context, commit
from handrail.store import holds

BATCH = 200
# the contract allows one second of delay
INTERVAL_SECONDS = 0.4


async def sweep(context: Context) -> int:
    """Escalate or expire each hold that is due, once; how many there were. Any number may sweep at the same time."""
    async with context.database.connection() as conn:
        # mostly nothing is: one statement, where a transaction takes three
        if not await holds.any_due(conn):
            return 0
    async with context.database.transaction() as conn:
        due = await holds.lock_due(conn, BATCH)
        for hold, now in due:
            act = transitions.escalate if hold.due(now) == "escalate" else transitions.expire
            await commit(context, conn, hold, act(hold, now), now)
    if due:
        context.poke()
        context.wake()
    return len(due)


async def keep_sweeping(context: Context) -> None:
    """Sweep for ever; a database that is away is waited for."""
    while True:
        try:
            swept = await sweep(context) + await deny_pending(context)
        except errors.Unavailable as error:
            await asyncio.sleep(error.retry_after)
            continue
        if swept < BATCH:
            await asyncio.sleep(INTERVAL_SECONDS)
