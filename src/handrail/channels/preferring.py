"""How a person wants to be notified: by which channels first, and when not."""

from __future__ import annotations

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from handrail.channels import own
from handrail.channels.events import NotificationsChosen
from handrail.core import errors
from handrail.core.callers import Caller
from handrail.holds.choosing import PERSONAL
from handrail.holds.context import Context
from handrail.store import choices, clock, events
from handrail.store.choices import Choice


async def chosen(context: Context, caller: Caller) -> Choice:
    own.check(caller, "read how you are notified")
    async with context.database.connection() as conn:
        return (await choices.of_people(conn, [caller.principal.id])).get(caller.principal.id, Choice())


async def choose(context: Context, caller: Caller, choice: Choice) -> None:
    """Critical holds are not affected by it."""
    own.check(caller, "change how you are notified")
    channels = choice.channels or ()
    if unknown := [channel for channel in channels if channel not in PERSONAL]:
        allowed = ", ".join(sorted(PERSONAL))
        raise errors.InvalidField(f"{unknown[0]!r} is not yours to choose; these are: {allowed}.", field="channels")
    if len({*channels}) < len(channels):
        raise errors.InvalidField("A channel is named twice.", field="channels")
    if choice.quiet_from is not None and choice.quiet_from == choice.quiet_to:
        raise errors.InvalidField("Quiet hours end at another time than they begin.", field="quiet")
    try:
        ZoneInfo(choice.timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise errors.InvalidField(
            f"{choice.timezone!r} is not a time zone; write one such as Europe/Berlin.", field="quiet"
        ) from None
    async with context.database.transaction() as conn:
        await choices.save(conn, caller.principal.id, choice)
        said = NotificationsChosen(
            actor=caller.principal.id, channels=choice.channels, quiet=choice.quiet_from is not None
        )
        await events.append(conn, [said], await clock.now(conn))
    context.poke()
