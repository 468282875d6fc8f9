"""What happens to people and to their ways in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from handrail.core.absences import End
from handrail.core.credentials import CredentialRecord
from handrail.core.events import Event, event
from handrail.core.ids import PrincipalId, TokenId
from handrail.core.people import PrincipalKind
from handrail.core.risk import Level

How = Literal["password", "link", "sso", "passkey"]


@event("person.added")
class PersonAdded(Event):
    """a person, service or agent"""

    id: PrincipalId
    name: str
    kind: PrincipalKind
    roles: tuple[str, ...]


@event("person.changed")
class PersonChanged(Event):
    """by an administrator"""

    id: PrincipalId
    name: str
    roles: tuple[str, ...]
    active: bool
    roles_before: tuple[str, ...]
    active_before: bool
    trusted_claims: bool = False
    trusted_claims_before: bool = False
    email_changed: bool = False
    password_changed: bool = False


@event("person.password_set")
class PersonPasswordSet(Event):
    """a person set their own password; `credential` is the one they used, as it was before"""

    id: PrincipalId
    name: str
    credential: CredentialRecord


@event("person.passkey_added")
class PersonPasskeyAdded(Event):
    """a person added a passkey; it signs decisions from the time given"""

    id: PrincipalId
    passkey: UUID
    public_key: str
    party: str
    label: str | None
    signs_from: str
    credential: CredentialRecord | None


@event("person.passkey_removed")
class PersonPasskeyRemoved(Event):
    """a person removed a passkey"""

    id: PrincipalId
    passkey: UUID
    label: str | None
    credential: CredentialRecord | None


@event("person.sso_linked")
class PersonSsoLinked(Event):
    """a person is bound to a subject of a provider"""

    id: PrincipalId
    provider: str
    issuer: str
    subject: str | None


@event("person.sso_roles_changed")
class PersonSsoRolesChanged(Event):
    """the person's groups at the provider give other roles"""

    id: PrincipalId
    provider: str
    roles: tuple[str, ...]
    roles_before: tuple[str, ...]


@event("sso.refused")
class SsoTurnedAway(Event):
    """someone whom the provider knows was not let in"""

    provider: str
    subject: str | None
    code: str


@event("person.sso_ended")
class PersonSsoEnded(Event):
    """the provider no longer vouches for a person, or ended their sessions"""

    id: PrincipalId
    provider: str
    cause: str
    sessions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OfToken(Event):
    """Which token, as it is now; never the token itself."""

    id: TokenId
    principal: PrincipalId
    label: str | None
    scopes: tuple[str, ...]
    expires_at: str | None


@event("token.made")
class TokenMade(OfToken):
    """never with the token itself"""


@event("token.changed")
class TokenChanged(OfToken):
    """a new label, scope or expiry"""


@event("token.revoked")
class TokenRevoked(OfToken):
    """it no longer works"""


@event("link.made")
class LinkMade(Event):
    """a one-time sign-in link was made"""

    principal: UUID
    expires_at: str


@event("session.signed_in")
class PersonSignedIn(Event):
    """in a browser"""

    how: How
    credential: CredentialRecord | None = None


@event("session.signed_out")
class PersonSignedOut(Event):
    """of one browser, or of several"""

    sessions: int


@event("session.break_glass")
class BrokeGlass(Event):
    """a local administrator signed in past the company's sign-in"""

    how: How
    credential: CredentialRecord | None


@event("absence.set")
class AbsenceSet(Event):
    """someone is away, and someone decides for them: of these levels, actions and cases, or of all"""

    id: UUID
    person: PrincipalId
    stand_in: PrincipalId
    starts_at: str
    ends_at: str
    levels: tuple[Level, ...]
    actions: tuple[str, ...]
    cases: tuple[str, ...]
    reason: str | None


@event("absence.ended")
class AbsenceEnded(Event):
    """before its time: the person returned, the stand-in declined, an administrator ended it, or one of the two was
    deactivated"""

    id: UUID
    person: PrincipalId
    stand_in: PrincipalId
    cause: End
    reason: str | None
