"""A letter as a mail."""

from __future__ import annotations

from email.message import EmailMessage
from email.utils import formatdate

from handrail.channels.email.letters import Letter
from handrail.settings import Settings


def envelope(settings: Settings, to: str | None, letter: Letter, id_: str, reply_to: str | None = None) -> EmailMessage:
    """`id_` is the same for every attempt; `reply_to` is the mail whose thread it belongs to."""
    assert settings.email_from is not None
    mail = EmailMessage()
    mail["From"] = settings.email_from
    mail["To"] = to
    mail["Subject"] = letter.subject
    mail["Date"] = formatdate()
    mail["Message-ID"] = f"<{id_}@{settings.email_from.rpartition('@')[2]}>"
    if reply_to is not None:
        mail["In-Reply-To"] = reply_to
        mail["References"] = reply_to
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(letter.plain)
    mail.add_alternative(letter.html, subtype="html")
    return mail
