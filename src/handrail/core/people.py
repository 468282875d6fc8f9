"""Who acts: a person, a service or an agent, with the roles held now."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from .absences import StandIn
from .credentials import BY_OPERATOR, Provenance
from .ids import PrincipalId


class PrincipalKind(StrEnum):
    person = "person"
    service = "service"
    agent = "agent"


ADMINISTRATOR = "administrator"
AUDITOR = "auditor"
DEFAULT_ROLES = ("developer", "team_lead", "tech_lead", "cto", "security_team", AUDITOR, ADMINISTRATOR)


@dataclass(frozen=True, slots=True)
class Principal:
    id: PrincipalId
    name: str
    kind: PrincipalKind
    roles: frozenset[str] = field(default_factory=frozenset[str])
    active: bool = True
    stands_in: tuple[StandIn, ...] = ()
    """For whom this person decides now, as it was when they were identified; a decision reads it again."""

    @property
    def is_person(self) -> bool:
        return self.kind is PrincipalKind.person

    @property
    def reads_all(self) -> bool:
        return self.is_person and not self.roles.isdisjoint({ADMINISTRATOR, AUDITOR})

    @property
    def administers(self) -> bool:
        return self.is_person and ADMINISTRATOR in self.roles


@dataclass(frozen=True, slots=True)
class NameCard:
    """A principal, as far as people read of one."""

    id: UUID
    name: str
    kind: PrincipalKind


@dataclass(frozen=True, slots=True)
class Account:
    """A principal with what only identity needs to know."""

    principal: Principal
    created_at: datetime
    password_hash: str | None = field(default=None, repr=False)
    email: str | None = None
    password_origin: Provenance = BY_OPERATOR
    trusted_claims: bool = False
    """What this service or person claims of an action counts as a fact."""
