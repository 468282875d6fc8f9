"""The mail server: how it is reached, and what its refusals mean."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

import aiosmtplib

from handrail.channels.channel import NotSent
from handrail.settings import LOCAL_HOSTS, WITHOUT_STARTTLS, Settings

# for all messages of a notice: well within the lease of an attempt
LONGEST_SECONDS = 40.0
PERMANENT = 500
# problems with one person's message, not with the server
OF_ONE_MESSAGE = (
    aiosmtplib.SMTPRecipientsRefused,
    aiosmtplib.SMTPRecipientRefused,
    aiosmtplib.SMTPSenderRefused,
    aiosmtplib.SMTPDataError,
)


def options(settings: Settings) -> dict[str, Any]:
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
        "start_tls": not implicit and url.hostname not in LOCAL_HOSTS and url.query != WITHOUT_STARTTLS,
        # ours is around it; its own would lose a cancellation that comes together with an answer
        "timeout": None,
    }


def code(error: aiosmtplib.SMTPResponseException | aiosmtplib.SMTPRecipientsRefused) -> int:
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return max(one.code for one in error.recipients)
    return error.code


def for_good(reply: int) -> bool:
    """A reply of 500 or above is permanent; a lower one may succeed later."""
    return reply >= PERMANENT


def not_accepted(error: Exception) -> NotSent:
    """Of the exchange as a whole."""
    if isinstance(error, TimeoutError):
        return NotSent(f"the mail server did not answer within {LONGEST_SECONDS:.0f} seconds")
    final = isinstance(error, aiosmtplib.SMTPResponseException) and for_good(error.code)
    return NotSent(f"the mail server did not accept it ({type(error).__name__})", final=final)
