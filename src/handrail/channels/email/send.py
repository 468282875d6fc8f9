"""Sends a notice to each person, with a link that opens the hold and decides nothing."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from email.message import EmailMessage
from uuid import UUID

import aiosmtplib

from handrail.channels import telling
from handrail.channels.channel import Channel, Later, NotSent
from handrail.channels.email import digests, letters, server, update
from handrail.channels.email.envelopes import envelope
from handrail.channels.email.letters import Letter
from handrail.channels.memory import Memory
from handrail.channels.standing import Standing
from handrail.core import ids
from handrail.core.credentials import BY_OPERATOR
from handrail.core.people import Account, Principal
from handrail.holds.notifying import TELLING
from handrail.people import signing_in
from handrail.settings import Settings
from handrail.store import clock, deliveries, holds, mail_windows, people
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
        self._window = settings.email_digest_seconds

    async def send(self, delivery: Delivery) -> None:
        async with self._database.connection() as conn:
            to = await people.addressed(conn, delivery.people)
        if not to:
            raise NotSent("none of these people has an email address", final=True)
        left = [account for account in to if account.principal.id not in delivery.reached]
        refusals, waits = list[int](), list[float]()
        try:
            async with asyncio.timeout(server.LONGEST_SECONDS):
                for account in left:
                    wait = await digests.wait(self._memory, delivery, account.principal.id, self._window)
                    if wait is not None:
                        waits.append(wait)
                        continue
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
        if waits:
            raise Later(min(waits))

    async def _send(self, delivery: Delivery, to: Account) -> None:
        person, standing = to.principal.id, await self._memory.standing(delivery.hold_id)
        others = await digests.others(self._memory, delivery, person, self._window)
        message = await self._message(delivery, standing, others, to)
        try:
            await aiosmtplib.send(message, **self._server)
        except server.OF_ONE_MESSAGE:
            # what waits for this one need not wait longer
            async with self._database.transaction() as conn:
                await mail_windows.close(conn, person, delivery.id)
            raise
        if delivery.event in TELLING:
            await self._memory.remember(delivery, str(person), message["Message-ID"], standing.face, person)
            for other, its in others:
                await self._memory.remember(other, str(person), message["Message-ID"], its.face, person)
            async with self._database.transaction() as conn:
                await mail_windows.told(conn, [other.id for other, _ in others])
        else:
            async with self._database.transaction() as conn:
                await deliveries.reached(conn, delivery.id, person)

    async def update(self, message: Message, standing: Standing) -> None:
        async with self._database.connection() as conn:
            to = await people.addressed(conn, [UUID(message.destination)])
        closing = await update.closing(self._memory, self._settings, message, standing, to[0]) if to else None
        if closing is None:
            return
        await self._post(closing)
        await update.closed(self._memory, closing)

    async def test(self, who: Principal) -> None:
        async with self._database.connection() as conn:
            to = await people.addressed(conn, [who.id])
        if not to:
            raise NotSent("you have no email address; an administrator can add it", final=True)
        letter = letters.test(telling.test_text(who))
        await self._post(envelope(self._settings, to[0].email, letter, str(ids.fresh())))

    async def _post(self, mail: EmailMessage) -> None:
        try:
            async with asyncio.timeout(server.LONGEST_SECONDS):
                await aiosmtplib.send(mail, **self._server)
        except server.OF_ONE_MESSAGE as error:
            reply = server.code(error)
            raise NotSent(f"the mail server refused the message ({reply})", final=server.for_good(reply)) from None
        except (TimeoutError, aiosmtplib.SMTPException, OSError) as error:
            raise server.not_accepted(error) from None

    async def _message(
        self, delivery: Delivery, standing: Standing, others: list[tuple[Delivery, Standing]], to: Account
    ) -> EmailMessage:
        """About one hold, or a list of several."""
        if not others:
            link = await _link(self._database, self._settings, delivery, to)
            return _mail(self._settings, delivery, to, letters.letter(json.loads(delivery.body), link))
        link = await _link(self._database, self._settings, delivery, to, "/inbox")
        listed = [standing, *(its for _, its in others)]
        letter = letters.digest(listed, link, lambda one: f"{self._settings.public_url}/holds/{one.hold.id}")
        return _mail(self._settings, delivery, to, letter)


def _mail(settings: Settings, delivery: Delivery, to: Account, letter: Letter) -> EmailMessage:
    """The Message-ID is the same for every attempt."""
    return envelope(settings, to.email, letter, f"{delivery.id}.{to.principal.id}")


async def _link(
    database: Database, settings: Settings, delivery: Delivery, to: Account, page: str | None = None
) -> str:
    """Signs this person in, once and while the hold can be decided, and leads to it, or to another page. The code is in
    the fragment, which no log has, and the page waits for a click: scanners of mail open every link."""
    async with database.transaction() as conn:
        longest = timedelta(seconds=settings.mail_link_seconds)
        hold, now = await holds.get(conn, delivery.hold_id), await clock.now(conn)
        deadline = hold.expires_at if hold and hold.pending else None
        length = max(SHORTEST_LINK, min(longest, deadline - now)) if deadline else longest
        made = await signing_in.new_code(conn, to.principal.id, BY_OPERATOR, length)
    return f"{settings.public_url}/sign-in#code={made.code}&by=mail&next={page or f'/holds/{delivery.hold_id}'}"
