"""The clock's part: escalate and expire what is due."""

from __future__ import annotations

from handrail.core import transitions
from handrail.holds.context import Context, commit
from handrail.holds.rounds import Rounds
from handrail.store import holds
from handrail.store.due import Due

BATCH = 200


async def sweep(context: Context) -> int:
    """Escalate or expire each hold that is due, once; how many there were. Any number may sweep at the same time."""
    async with context.database.transaction() as conn:
        due = await holds.lock_due(conn, BATCH)
        for hold, now in due:
            act = transitions.escalate if hold.due(now) == "escalate" else transitions.expire
            await commit(context, conn, hold, act(hold, now), now)
    if due:
        context.poke()
        context.wake()
    return len(due)


async def keep_sweeping(rounds: Rounds, context: Context) -> None:
    async def work() -> bool:
        return await sweep(context) == BATCH

    await rounds.keep(Due.holds, work)
