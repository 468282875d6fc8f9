"""What happens to people and to their ways in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from handrail.core.credentials import CredentialRecord
from handrail.core.events import Event, event
from handrail.core.ids import PrincipalId, TokenId
from handrail.core.people import PrincipalKind


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

    how: Literal["password", "link"]
    credential: CredentialRecord | None = None


@event("session.signed_out")
class PersonSignedOut(Event):
    """of one browser, or of several"""

    sessions: int
