"""Mail cannot be changed, so a reply in the same thread says that the hold is decided, to those who did not do it. Of
several that one mail listed, one reply tells, once none of them is waiting."""

from __future__ import annotations

from email.message import EmailMessage

from handrail.channels.channel import NotSent
from handrail.channels.email import letters
from handrail.channels.email.envelopes import envelope
from handrail.channels.memory import Memory
from handrail.channels.standing import Standing
from handrail.core import canonical
from handrail.core.people import Account
from handrail.settings import Settings
from handrail.store import messages, received
from handrail.store.messages import Message

CHANNEL = "email"
# names a reply about a list, so that of several that were decided at once one sends it
_KEY = "X-Handrail-List"
# after that another attempt may send what this one did not
BUSY_SECONDS = 30.0


async def closing(
    memory: Memory, settings: Settings, message: Message, standing: Standing, to: Account
) -> EmailMessage | None:
    """Nothing where people are still asked: of that a notice tells. The same decision has the same Message-ID."""
    if standing.hold.decision is None:
        return None
    async with memory.context.database.connection() as conn:
        listed = await messages.of_mail(conn, message)
    if len(listed) > 1:
        return await _of_the_list(memory, settings, message, listed, to)
    if standing.hold.decision.by == to.principal.id:
        return None
    letter = letters.closing(standing, _page(settings, standing))
    return envelope(settings, to.email, letter, f"{message.id}.{standing.face[:16]}", message.place)


async def closed(memory: Memory, mail: EmailMessage) -> None:
    """It was sent."""
    if mail[_KEY]:
        async with memory.context.database.transaction() as conn:
            await received.done(conn, CHANNEL, mail[_KEY])


async def _of_the_list(
    memory: Memory, settings: Settings, message: Message, listed: list[Message], to: Account
) -> EmailMessage | None:
    all_ = [await memory.standing(one.hold_id) for one in listed]
    made = [one for one in all_ if one.hold.decision and one.hold.decision.by != to.principal.id]
    if any(one.hold.pending for one in all_) or not made:
        return None
    mark = canonical.sha256([message.place, message.destination, *(one.face for one in all_)])
    key = f"closing:{mark}"
    async with memory.context.database.transaction() as conn:
        if not await received.take(conn, CHANNEL, key):
            if await received.is_done(conn, CHANNEL, key):
                return None
            raise NotSent("another attempt is sending it", wait=BUSY_SECONDS)
    letter = letters.all_closed(made, lambda one: _page(settings, one))
    mail = envelope(settings, to.email, letter, mark[:32], message.place)
    mail[_KEY] = key
    return mail


def _page(settings: Settings, standing: Standing) -> str:
    return f"{settings.public_url}/holds/{standing.hold.id}"
