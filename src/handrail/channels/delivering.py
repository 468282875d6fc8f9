"""Empties the outbox: claims what is due, sends it, retries, falls back to the next channel, gives up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import TypedDict
from uuid import UUID

import structlog

from handrail.channels.channel import Channel, Later, NotSent
from handrail.channels.events import DeliveryDelivered, DeliveryFailed, DeliveryOvertaken
from handrail.channels.inboxes import Inbox
from handrail.channels.memory import Memory
from handrail.channels.pauses import pause
from handrail.channels.reminding import keep_reminding
from handrail.channels.updating import keep_updating
from handrail.core import errors
from handrail.core.events import Event
from handrail.holds.choosing import SHARED_SLACK
from handrail.holds.context import Context
from handrail.holds.notifying import INBOXES, TELLING
from handrail.holds.rounds import Rounds
from handrail.settings import Settings
from handrail.store import clock, deliveries, events, holds
from handrail.store.database import Connection
from handrail.store.deliveries import EVERY, Delivery, Lane
from handrail.store.due import Due

BATCH = 20
# longer than any attempt takes: when a process dies, others take over its attempt after this time
LEASE_SECONDS = 60.0
ATTEMPTS = 8
# a channel that asks to be left alone gets this long; then the next one is used
LONGEST_WAIT = timedelta(minutes=15)

log = structlog.get_logger()


def set_up(settings: Settings) -> frozenset[str]:
    """The channels that these settings make usable."""
    webhooks = {"webhook"} if settings.webhook_url else set[str]()
    mail = {"email"} if settings.smtp_url else set[str]()
    slack = {"slack"} if settings.slack_bot_token else set[str]()
    linear = {"linear"} if settings.linear_api_key else set[str]()
    shared = {SHARED_SLACK} if settings.slack_channel else set[str]()
    # services want to know who sends, and devices need an address to open
    push = {"push"} if settings.public_url else set[str]()
    return INBOXES | webhooks | mail | slack | shared | linear | push


@asynccontextmanager
async def opened(context: Context, settings: Settings) -> AsyncGenerator[Mapping[str, Channel]]:
    """Every channel that is set up, ready to send."""
    # each brings a protocol, which takes long to import
    from handrail.channels.email.send import Mail
    from handrail.channels.linear import api as linear
    from handrail.channels.linear.send import Linear
    from handrail.channels.push.send import Push
    from handrail.channels.slack import api as slack
    from handrail.channels.slack.send import Slack
    from handrail.channels.webhook.send import Posts

    async with AsyncExitStack() as stack:
        channels: dict[str, Channel] = dict.fromkeys(INBOXES, Inbox())
        if settings.webhook_url and settings.webhook_secret:
            posts = Posts(
                Memory(context, "webhook"),
                settings.webhook_url.get_secret_value(),
                settings.webhook_secret.get_secret_value(),
            )
            channels["webhook"] = await stack.enter_async_context(posts)
        if settings.smtp_url:
            channels["email"] = Mail(Memory(context, "email"), settings)
        if settings.slack_bot_token:
            speaking = await stack.enter_async_context(slack.opened(settings))
            channels["slack"] = Slack(Memory(context, "slack"), settings, speaking)
        if settings.linear_api_key:
            calling = await stack.enter_async_context(linear.opened(settings))
            channels["linear"] = Linear(Memory(context, "linear"), settings, calling)
        if settings.public_url:
            channels["push"] = await stack.enter_async_context(Push(Memory(context, "push"), settings))
        yield channels


async def keep_delivering(rounds: Rounds, context: Context, settings: Settings) -> None:
    """Runs forever, in any number of processes. Each channel has its own loops: a slow one holds up no other."""
    async with opened(context, settings) as channels, asyncio.TaskGroup() as loops:
        outside = {name: channel for name, channel in channels.items() if name not in INBOXES}
        for name, channel in outside.items():
            loops.create_task(_keep_delivering(rounds, context, channels, Lane([name])), name=f"notices by {name}")
            loops.create_task(keep_updating(rounds, context, name, channel), name=f"updates by {name}")
        loops.create_task(_keep_delivering(rounds, context, channels, Lane(outside, others=True)), name="other notices")
        loops.create_task(keep_reminding(context), name="reminders")
        if settings.slack_bot_token and settings.slack_app_token:
            from handrail.channels.slack.socket import keep_listening

            loops.create_task(keep_listening(context, settings), name="slack's socket")


async def _keep_delivering(rounds: Rounds, context: Context, channels: Mapping[str, Channel], lane: Lane) -> None:
    async def work() -> bool:
        return await deliver(context, channels, lane) == BATCH

    await rounds.keep(Due.deliveries, work)


async def deliver(context: Context, channels: Mapping[str, Channel], lane: Lane = EVERY) -> int:
    """One attempt for each notice that is due; how many there were.

    What was sent is recorded afterwards: a crash between the two sends it again, with the same id.
    """
    async with context.database.connection() as conn:
        due = await deliveries.claim(conn, lane, BATCH, LEASE_SECONDS)
    await asyncio.gather(*(_attempt(context, channels, delivery) for delivery in due))
    if due:
        context.poke()
    return len(due)


async def _attempt(context: Context, channels: Mapping[str, Channel], delivery: Delivery) -> None:
    channel = channels.get(delivery.channel)
    try:
        if delivery.event in TELLING and not delivery.gathers and await _is_decided(context, delivery):
            if channel is not None and delivery.attempts > 1:
                await channel.recall(delivery)
            await _overtaken(context, delivery)
            return
        if channel is None:
            raise NotSent("the channel is not configured", final=True)
        await channel.send(delivery)
    except errors.Unavailable:
        raise
    except Later as wait:
        async with context.database.transaction() as conn:
            await deliveries.put_off(conn, delivery, str(wait), wait.seconds, counts=False)
    except NotSent as failure:
        await _failed(context, delivery, failure)
    except Exception as error:
        # one notification that a channel cannot handle must not stop the others
        log.exception("channel failed", delivery=str(delivery.id), channel=delivery.channel)
        await _failed(context, delivery, NotSent(f"the channel failed ({type(error).__name__})"))
    else:
        await _delivered(context, delivery)


async def _is_decided(context: Context, delivery: Delivery) -> bool:
    async with context.database.connection() as conn:
        hold = await holds.get(conn, delivery.hold_id)
    assert hold is not None, "holds are never deleted"
    return not hold.pending


async def _overtaken(context: Context, delivery: Delivery) -> None:
    """Its hold has been decided meanwhile, so it leaves the queue: nobody is asked in vain."""
    async with context.database.transaction() as conn:
        if await deliveries.drop(conn, delivery):
            await _say(context, conn, delivery, DeliveryOvertaken(**_named(delivery)))


async def _delivered(context: Context, delivery: Delivery) -> None:
    async with context.database.transaction() as conn:
        now = await clock.now(conn)
        if await deliveries.delivered(conn, delivery, now):
            await _say(context, conn, delivery, DeliveryDelivered(**_named(delivery)))


async def _failed(context: Context, delivery: Delivery, failure: NotSent) -> None:
    error = str(failure)
    async with context.database.transaction() as conn:
        waits = failure.wait is not None and await clock.now(conn) - delivery.queued_at < LONGEST_WAIT
        final = failure.final or (delivery.attempts >= ATTEMPTS and not waits)
        log.warning("not delivered", delivery=str(delivery.id), channel=delivery.channel, error=error, final=final)
        if not final:
            seconds = max(pause(delivery.attempts), failure.wait or 0)
            await deliveries.put_off(conn, delivery, error, seconds, counts=not waits)
            return
        if await deliveries.give_up(conn, delivery, error):
            following = delivery.channels[delivery.place + 1 :][:1]
            next_channel = following[0] if following else None
            said = DeliveryFailed(**_named(delivery), error=error, next_channel=next_channel)
            await _say(context, conn, delivery, said)


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
