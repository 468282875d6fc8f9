"""With what somebody proves who they are, and from whom they have it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from .ids import PrincipalId


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a token, link, password or sign-in comes from.

    `made_by` is who made it; nobody where the operator did, by the settings or on the machine itself. It is the
    person's own since they set a password through it (`own_since`), which somebody had lent them (`lent_by`).
    """

    made_by: PrincipalId | None = None
    own_since: datetime | None = None
    lent_by: PrincipalId | None = None

    @property
    def own(self) -> bool:
        return self.own_since is not None

    def taken_over(self, now: datetime) -> Provenance:
        """After the person has set a password through it. When that was first stays, however often they set another."""
        return self if self.own else replace(self, own_since=now, lent_by=self.made_by)

    def passed_on(self, who: PrincipalId) -> Provenance:
        """Of what this person makes for themself with it. A token made with a lent one is lent too."""
        return replace(self, made_by=who) if self.own else self

    def lends(self, who: PrincipalId) -> Provenance:
        """Of what this person makes for somebody else with it; whoever lent them theirs answers for it."""
        return Provenance(who if self.own else self.made_by or who)


BY_OPERATOR = Provenance()


@dataclass(frozen=True, slots=True)
class CredentialRecord:
    """What an event says of a credential; nothing of it is secret."""

    kind: Literal["token", "session", "link"]
    id: UUID
    scopes: tuple[str, ...]
    made_by: PrincipalId | None
    own_since: str | None
    lent_by: PrincipalId | None


@dataclass(frozen=True, slots=True)
class Credential:
    """The token, sign-in or linked account that a request came with."""

    kind: Literal["token", "session", "link"]
    id: UUID
    scopes: frozenset[str]
    origin: Provenance

    @property
    def record(self) -> CredentialRecord:
        origin = self.origin
        return CredentialRecord(
            self.kind,
            self.id,
            tuple(sorted(self.scopes)),
            origin.made_by,
            origin.own_since.isoformat() if origin.own_since else None,
            origin.lent_by,
        )
