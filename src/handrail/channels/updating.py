"""Brings messages outside up to date: whatever happened to a hold, each of them says how it stands now.

What is written is always the present state, so changes that come close together need one request, and neither a
repeated nor a late one can make a message say less than it should.
"""

from __future__ import annotations

import asyncio

import structlog

from handrail.channels import standing
from handrail.channels.channel import Channel, NotSent
from handrail.channels.events import DeliveryOutdated
from handrail.channels.pauses import pause
from handrail.core import errors
from handrail.holds.context import Context
from handrail.holds.rounds import Rounds
from handrail.store import clock, events, holds, messages
from handrail.store.database import Connection
from handrail.store.due import Due
from handrail.store.messages import Message

BATCH = 20
# longer than any attempt takes
LEASE_SECONDS = 60.0
# with the pauses between them about three hours: long enough for a channel that is away for one
ATTEMPTS = 40

log = structlog.get_logger()


async def keep_updating(rounds: Rounds, context: Context, name: str, channel: Channel) -> None:
    """Runs forever, in any number of processes; one loop for each channel, so that a slow one holds up no other."""

    async def work() -> bool:
        return await update(context, name, channel) == BATCH

    await rounds.keep(Due.messages, work)


async def update(context: Context, name: str, channel: Channel) -> int:
    """One attempt for each message that is out of date; how many there were."""
    async with context.database.connection() as conn:
        due = await messages.claim(conn, name, BATCH, LEASE_SECONDS)
    await asyncio.gather(*(_attempt(context, channel, message) for message in due))
    return len(due)


async def _attempt(context: Context, channel: Channel, message: Message) -> None:
    async with context.database.connection() as conn:
        now = await standing.standing(conn, context.policy(), message.hold_id)
    try:
        if now.face != message.face:
            await channel.update(message, now)
    except errors.Unavailable:
        raise
    except NotSent as failure:
        await _failed(context, message, str(failure), failure.final or message.attempts >= ATTEMPTS, failure.wait)
    except Exception as error:
        # one message that a channel cannot handle must not stop the others
        log.exception("update failed", message=str(message.id), channel=message.channel)
        why = f"the channel failed ({type(error).__name__})"
        await _failed(context, message, why, message.attempts >= ATTEMPTS, None)
    else:
        async with context.database.transaction() as conn:
            await messages.updated(conn, message, now.face)


async def _failed(context: Context, message: Message, error: str, final: bool, wait: float | None) -> None:
    log.warning("not updated", message=str(message.id), channel=message.channel, error=error, final=final)
    async with context.database.transaction() as conn:
        if not final:
            await messages.put_off(conn, message, error, max(pause(message.attempts), wait or 0))
        else:
            await lose(context, conn, message, error)
    context.poke()


async def lose(context: Context, conn: Connection, message: Message, error: str) -> None:
    """It is not tried again, and the hold's history says so."""
    if await messages.lose(conn, message, error):
        hold = await holds.get(conn, message.hold_id)
        assert hold is not None, "holds are never deleted"
        audience_id = await context.audiences.id_of(conn, hold.assessment.requirements.roles)
        lost = DeliveryOutdated(message_id=message.id, channel=message.channel, error=error)
        await events.append(conn, [lost], await clock.now(conn), events.about(hold, audience_id))
