"""Mail cannot be changed, so a reply in the same thread says that the hold is decided, to those who did not do it."""

from __future__ import annotations

from email.message import EmailMessage
from email.utils import formatdate

from handrail.channels.email import letters
from handrail.channels.standing import Standing
from handrail.core.people import Account
from handrail.settings import Settings
from handrail.store.messages import Message


def closing(settings: Settings, message: Message, standing: Standing, to: Account) -> EmailMessage | None:
    """Nothing where people are still asked: of that a notice tells. The same decision has the same Message-ID."""
    made = standing.hold.decision
    if made is None or made.by == to.principal.id:
        return None
    assert settings.email_from is not None
    letter = letters.closing(standing, f"{settings.public_url}/holds/{standing.hold.id}")
    domain = settings.email_from.rpartition("@")[2]
    mail = EmailMessage()
    mail["From"] = settings.email_from
    mail["To"] = to.email
    mail["Subject"] = letter.subject
    mail["Date"] = formatdate()
    mail["Message-ID"] = f"<{message.id}.{standing.face[:16]}@{domain}>"
    mail["In-Reply-To"] = message.place
    mail["References"] = message.place
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(letter.plain)
    mail.add_alternative(letter.html, subtype="html")
    return mail
