"""One reminder before the deadline, to those who can decide and have not."""

from __future__ import annotations

import asyncio
from uuid import UUID

from handrail.core import errors
from handrail.holds.context import Context
from handrail.holds.events import HoldReminded
from handrail.holds.notifying import REMINDED, notify
from handrail.store import events, holds, reminders

BATCH = 100
LOOK_SECONDS = 5.0
# what lives shorter than that is decided or gone before a reminder is read
LEAST_SECONDS = 300.0


async def keep_reminding(context: Context) -> None:
    """Runs forever, in any number of processes."""
    while True:
        try:
            reminded = await remind(context)
        except errors.Unavailable as error:
            await asyncio.sleep(error.retry_after)
            continue
        if reminded < BATCH:
            await asyncio.sleep(LOOK_SECONDS)


async def remind(context: Context) -> int:
    """How many holds there were."""
    before = {level: terms.remind_before for level, terms in context.policy().levels.items()}
    seconds = {str(level): length.total_seconds() for level, length in before.items() if length}
    if not seconds:
        return 0
    async with context.database.connection() as conn:
        due = await reminders.due(conn, seconds, LEAST_SECONDS, BATCH)
    for hold_id in due:
        await _remind(context, hold_id)
    if due:
        context.poke()
    return len(due)


async def _remind(context: Context, hold_id: UUID) -> None:
    """Whoever decides or moves the deadline locks the hold first, and nobody is reminded of what is over."""
    async with context.database.transaction() as conn:
        locked = await holds.lock(conn, hold_id)
        if locked is None or not locked.hold.pending or locked.hold.expires_at is None:
            return
        hold, now = locked
        if not await reminders.take(conn, hold.id, locked.hold.expires_at):
            return
        audience_id = await context.audiences.id_of(conn, hold.assessment.requirements.roles)
        said = HoldReminded(expires_at=locked.hold.expires_at.isoformat())
        await events.append(conn, [said], now, events.about(hold, audience_id))
        await notify(conn, context.policy(), context.set_up, hold, REMINDED, now)
