"""Sends a notice to each person, with a link that opens the hold and decides nothing."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from email.message import EmailMessage
from email.utils import formatdate
from uuid import UUID

import aiosmtplib

from handrail.channels.channel import Channel, NotSent
from handrail.channels.email import letters, server, update
from handrail.channels.memory import Memory
from handrail.channels.standing import Standing
from handrail.core.credentials import BY_OPERATOR
from handrail.core.people import Account
from handrail.holds.notifying import TELLING
from handrail.people import signing_in
from handrail.settings import Settings
from handrail.store import clock, deliveries, holds, people
from handrail.store.database import Database
from handrail.store.deliveries import Delivery
from handrail.store.messages import Message

# mail takes its time, and a hold that is about to expire can still be read
SHORTEST_LINK = timedelta(minutes=15)


class Mail(Channel):
    """By one mail server. A retry skips people who have already received the message."""

    def __init__(self, memory: Memory, settings: Settings) -> None:
        self._memory = memory
        self._database = memory.context.database
        self._settings = settings
        self._server = server.options(settings)

    async def send(self, delivery: Delivery) -> None:
        async with self._database.connection() as conn:
            to = await people.addressed(conn, delivery.people)
        if not to:
            raise NotSent("none of these people has an email address", final=True)
        left = [account for account in to if account.principal.id not in delivery.reached]
        refusals: list[int] = []
        try:
            async with asyncio.timeout(server.LONGEST_SECONDS):
                for account in left:
                    try:
                        await self._send(delivery, account)
                    except server.OF_ONE_MESSAGE as error:
                        # the others get theirs
                        refusals.append(server.code(error))
        except (TimeoutError, aiosmtplib.SMTPException, OSError) as error:
            raise server.not_accepted(error) from None
        if refusals:
            worst = max(refusals)
            said = f"the mail server refused {len(refusals)} of {len(left)} messages ({worst})"
            raise NotSent(said, final=server.for_good(worst))

    async def _send(self, delivery: Delivery, to: Account) -> None:
        shown = (await self._memory.standing(delivery.hold_id)).face
        message = await _message(self._database, self._settings, delivery, to)
        await aiosmtplib.send(message, **self._server)
        person = to.principal.id
        if delivery.event in TELLING:
            await self._memory.remember(delivery, str(person), message["Message-ID"], shown, person)
        else:
            async with self._database.transaction() as conn:
                await deliveries.reached(conn, delivery.id, person)

    async def update(self, message: Message, standing: Standing) -> None:
        async with self._database.connection() as conn:
            to = await people.addressed(conn, [UUID(message.destination)])
        closing = update.closing(self._settings, message, standing, to[0]) if to else None
        if closing is None:
            return
        try:
            async with asyncio.timeout(server.LONGEST_SECONDS):
                await aiosmtplib.send(closing, **self._server)
        except server.OF_ONE_MESSAGE as error:
            reply = server.code(error)
            raise NotSent(f"the mail server refused the message ({reply})", final=server.for_good(reply)) from None
        except (TimeoutError, aiosmtplib.SMTPException, OSError) as error:
            raise server.not_accepted(error) from None


async def _message(database: Database, settings: Settings, delivery: Delivery, to: Account) -> EmailMessage:
    """The Message-ID is the same for every attempt."""
    assert settings.email_from is not None
    link = await _link(database, settings, delivery, to)
    letter = letters.letter(json.loads(delivery.body), link)
    message = EmailMessage()
    message["From"] = settings.email_from
    message["To"] = to.email
    message["Subject"] = letter.subject
    message["Date"] = formatdate()
    message["Message-ID"] = f"<{delivery.id}.{to.principal.id}@{settings.email_from.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.plain)
    message.add_alternative(letter.html, subtype="html")
    return message


async def _link(database: Database, settings: Settings, delivery: Delivery, to: Account) -> str:
    """Signs this person in, once and while the hold can be decided, and leads to it. The code is in the fragment, which
    no log has."""
    async with database.transaction() as conn:
        longest = timedelta(seconds=settings.mail_link_seconds)
        hold, now = await holds.get(conn, delivery.hold_id), await clock.now(conn)
        deadline = hold.expires_at if hold and hold.pending else None
        length = max(SHORTEST_LINK, min(longest, deadline - now)) if deadline else longest
        made = await signing_in.new_code(conn, to.principal.id, BY_OPERATOR, length)
    return f"{settings.public_url}/sign-in#code={made.code}&next=/holds/{delivery.hold_id}"
