"""Empties the outbox: claims what is due, sends it, retries, falls back to the next channel, gives up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypedDict
from uuid import UUID

import structlog

from handrail.channels import email, webhook
from handrail.channels.channel import NotSent, Send
from handrail.channels.events import DeliveryDelivered, DeliveryFailed, DeliveryOvertaken
from handrail.core import errors
from handrail.core.events import Event
from handrail.holds.context import Context
from handrail.holds.notifying import INBOXES, TELLING
from handrail.settings import Settings
from handrail.store import clock, deliveries, events, holds
from handrail.store.database import Connection, Database
from handrail.store.deliveries import Delivery

BATCH = 20
LOOK_SECONDS = 0.4
# longer than any attempt takes: when a process dies, others take over its attempt after this time
LEASE_SECONDS = 60.0
ATTEMPTS = 8
FIRST_PAUSE_SECONDS = 2.0
# with eight attempts about ten minutes on each channel
LONGEST_PAUSE_SECONDS = 300.0

log = structlog.get_logger()


def set_up(settings: Settings) -> frozenset[str]:
    """The channels that these settings make usable."""
    webhooks = {"webhook"} if settings.webhook_url else set[str]()
    mail = {"email"} if settings.smtp_url else set[str]()
    return INBOXES | webhooks | mail


@asynccontextmanager
async def opened(database: Database, settings: Settings) -> AsyncGenerator[Mapping[str, Send]]:
    """Every channel that is set up, ready to send."""
    async with AsyncExitStack() as stack:
        senders: dict[str, Send] = dict.fromkeys(INBOXES, _in_the_inbox)
        if settings.webhook_url and settings.webhook_secret:
            senders["webhook"] = await stack.enter_async_context(
                webhook.opened(settings.webhook_url.get_secret_value(), settings.webhook_secret.get_secret_value())
            )
        if settings.smtp_url:
            senders["email"] = email.sender(database, settings)
        yield senders


async def keep_delivering(context: Context, settings: Settings) -> None:
    """Runs forever, in any number of processes; waits for a database that is away."""
    async with opened(context.database, settings) as senders:
        while True:
            try:
                taken = await deliver(context, senders)
            except errors.Unavailable as error:
                await asyncio.sleep(error.retry_after)
                continue
            if taken < BATCH:
                await asyncio.sleep(LOOK_SECONDS)


async def deliver(context: Context, senders: Mapping[str, Send]) -> int:
    """One attempt for each notice that is due; how many there were.

    What was sent is recorded afterwards: a crash between the two sends it again, with the same id.
    """
    async with context.database.connection() as conn:
        due = await deliveries.claim(conn, BATCH, LEASE_SECONDS)
    await asyncio.gather(*(_attempt(context, senders, delivery) for delivery in due))
    if due:
        context.poke()
    return len(due)


async def _attempt(context: Context, senders: Mapping[str, Send], delivery: Delivery) -> None:
    if delivery.event in TELLING and not delivery.gathers and await _overtaken(context, delivery):
        return
    send = senders.get(delivery.channel)
    try:
        if send is None:
            raise NotSent("the channel is not configured", final=True)
        await send(delivery)
    except errors.Unavailable:
        raise
    except NotSent as failure:
        await _failed(context, delivery, str(failure), failure.final or delivery.attempts >= ATTEMPTS)
    except Exception as error:
        # one notification that a channel cannot handle must not stop the others
        log.exception("channel failed", delivery=str(delivery.id), channel=delivery.channel)
        await _failed(context, delivery, f"the channel failed ({type(error).__name__})", delivery.attempts >= ATTEMPTS)
    else:
        await _delivered(context, delivery)


async def _overtaken(context: Context, delivery: Delivery) -> bool:
    """Whether its hold has been decided meanwhile; if so, it leaves the queue: nobody is asked in vain."""
    async with context.database.transaction() as conn:
        hold = await holds.get(conn, delivery.hold_id)
        assert hold is not None, "holds are never deleted"
        if hold.pending:
            return False
        if await deliveries.drop(conn, delivery):
            await _say(context, conn, delivery, DeliveryOvertaken(**_named(delivery)))
    return True


async def _delivered(context: Context, delivery: Delivery) -> None:
    async with context.database.transaction() as conn:
        now = await clock.now(conn)
        if await deliveries.delivered(conn, delivery, now):
            await _say(context, conn, delivery, DeliveryDelivered(**_named(delivery)))


async def _failed(context: Context, delivery: Delivery, error: str, final: bool) -> None:
    log.warning("not delivered", delivery=str(delivery.id), channel=delivery.channel, error=error, final=final)
    async with context.database.transaction() as conn:
        if not final:
            await deliveries.put_off(conn, delivery, error, pause(delivery.attempts))
            return
        if await deliveries.give_up(conn, delivery, error):
            following = delivery.channels[delivery.place + 1 :][:1]
            next_channel = following[0] if following else None
            said = DeliveryFailed(**_named(delivery), error=error, next_channel=next_channel)
            await _say(context, conn, delivery, said)


def pause(attempts: int) -> float:
    """Doubles with each attempt; the jitter keeps many from coming back at the same moment."""
    longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (attempts - 1))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - not a secret


async def _say(context: Context, conn: Connection, delivery: Delivery, event: Event) -> None:
    hold = await holds.get(conn, delivery.hold_id)
    assert hold is not None, "holds are never deleted"
    audience_id = await context.audiences.id_of(conn, hold.assessment.requirements.roles)
    await events.append(conn, [event], await clock.now(conn), events.about(hold, audience_id))


class _Named(TypedDict):
    delivery_id: UUID
    channel: str
    event: str
    route: str
    people: tuple[UUID, ...]


def _named(delivery: Delivery) -> _Named:
    return {
        "delivery_id": delivery.id,
        "channel": delivery.channel,
        "event": delivery.event,
        "route": delivery.route,
        "people": tuple(delivery.people),
    }


async def _in_the_inbox(_: Delivery) -> None:
    """The web inbox shows the hold itself."""
