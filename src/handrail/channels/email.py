"""Notices as mail: one message for each person, with a link that opens the hold and decides nothing."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from email.message import EmailMessage
from email.utils import formatdate
from typing import Any
from urllib.parse import unquote, urlsplit

import aiosmtplib

from handrail.channels import letters
from handrail.channels.channel import NotSent, Send
from handrail.core.credentials import BY_OPERATOR
from handrail.core.people import Account
from handrail.people import signing_in
from handrail.settings import LOCAL_HOSTS, Settings
from handrail.store import clock, deliveries, holds, people
from handrail.store.database import Database
from handrail.store.deliveries import Delivery

# for all messages of a notice: well within the lease of an attempt
LONGEST_SECONDS = 40.0
# mail takes its time, and a hold that is about to expire can still be read
SHORTEST_LINK = timedelta(minutes=15)
PERMANENT = 500
# problems with one person's message, not with the server
OF_ONE_MESSAGE = (
    aiosmtplib.SMTPRecipientsRefused,
    aiosmtplib.SMTPRecipientRefused,
    aiosmtplib.SMTPSenderRefused,
    aiosmtplib.SMTPDataError,
)


def sender(database: Database, settings: Settings) -> Send:
    """Sends by one mail server. A retry skips people who have already received the message."""
    server = _server(settings)

    async def send(delivery: Delivery) -> None:
        async with database.connection() as conn:
            to = await people.addressed(conn, delivery.people)
        if not to:
            raise NotSent("none of these people has an email address", final=True)
        left = [account for account in to if account.principal.id not in delivery.reached]
        refusals: list[int] = []
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                for account in left:
                    try:
                        await aiosmtplib.send(await _message(database, settings, delivery, account), **server)
                    except OF_ONE_MESSAGE as error:
                        # the others get theirs
                        refusals.append(_code(error))
                        continue
                    async with database.transaction() as conn:
                        await deliveries.reached(conn, delivery.id, account.principal.id)
        except TimeoutError:
            raise NotSent(f"the mail server did not answer within {LONGEST_SECONDS:.0f} seconds") from None
        except (aiosmtplib.SMTPException, OSError) as error:
            final = isinstance(error, aiosmtplib.SMTPResponseException) and _for_good(error.code)
            raise NotSent(f"the mail server did not accept it ({type(error).__name__})", final=final) from None
        if refusals:
            worst = max(refusals)
            said = f"the mail server refused {len(refusals)} of {len(left)} messages ({worst})"
            raise NotSent(said, final=_for_good(worst))

    return send


def _code(error: aiosmtplib.SMTPResponseException | aiosmtplib.SMTPRecipientsRefused) -> int:
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return max(one.code for one in error.recipients)
    return error.code


def _for_good(code: int) -> bool:
    """A reply of 500 or above is permanent; a lower one may succeed later."""
    return code >= PERMANENT


def _server(settings: Settings) -> dict[str, Any]:
    assert settings.smtp_url is not None
    url = urlsplit(settings.smtp_url.get_secret_value())
    implicit = url.scheme == "smtps"
    return {
        "hostname": url.hostname,
        "port": url.port or (465 if implicit else 587),
        "username": unquote(url.username) if url.username else None,
        "password": unquote(url.password) if url.password else None,
        "use_tls": implicit,
        # required, not optional: otherwise anyone in between could switch it off
        "start_tls": not implicit and url.hostname not in LOCAL_HOSTS,
        # ours is around it; its own would lose a cancellation that comes together with an answer
        "timeout": None,
    }


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
