"""Who calls, and how far the token or sign-in carries them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from . import errors
from .credentials import BY_OPERATOR, Credential, Provenance
from .people import ADMINISTRATOR, Principal, PrincipalKind


class Scope(StrEnum):
    read = "read"
    open = "open"
    decide = "decide"
    administer = "administer"


def scopes_of(kind: PrincipalKind, roles: Iterable[str]) -> frozenset[Scope]:
    """The most that a principal's tokens can carry. Services and agents never decide and never administer."""
    scopes = {Scope.read, Scope.open}
    if kind is PrincipalKind.person:
        scopes.add(Scope.decide)
        if ADMINISTRATOR in roles:
            scopes.add(Scope.administer)
    return frozenset(scopes)


@dataclass(frozen=True, slots=True)
class Caller:
    """A principal with what their token (it ends when it `expires_at`) or sign-in (`csrf_token`) allows now."""

    principal: Principal
    scopes: frozenset[Scope]
    credential: Credential | None = None
    expires_at: datetime | None = None
    csrf_token: str | None = field(default=None, repr=False)

    @property
    def origin(self) -> Provenance:
        return self.credential.origin if self.credential else BY_OPERATOR

    @property
    def administers(self) -> bool:
        return self.principal.administers and Scope.administer in self.scopes

    def require(self, scope: Scope) -> None:
        """Refuses where the principal could never do this (`forbidden`) or where only the token cannot."""
        if scope in self.scopes:
            return
        if scope not in scopes_of(self.principal.kind, self.principal.roles):
            if scope is Scope.decide:
                raise errors.NotAPerson
            raise errors.Forbidden(f"This needs the role {ADMINISTRATOR}.")
        raise errors.ScopeMissing(f"Your token lacks the scope `{scope}`.", scope=scope.value)
