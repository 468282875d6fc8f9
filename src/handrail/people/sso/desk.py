"""The providers at work in this process, and what every use case on them needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from handrail.core import errors
from handrail.core.sealing import SALT_BYTES, Sealer, WrongKey
from handrail.people.sso.protocol import Client
from handrail.people.sso.providers import Provider, Providers
from handrail.store.database import Database


@dataclass(frozen=True, slots=True)
class SsoDesk:
    """`public_url` is where people reach Handrail. `roles` are those of the policy in force, `sealer` keeps refresh
    tokens: without one there are none, and people sign in again when the provider's word has run out."""

    database: Database
    providers: Providers
    public_url: str
    roles: Callable[[], frozenset[str]]
    sealer: Sealer | None = None
    clients: dict[str, Client] = field(default_factory=dict[str, Client])

    def client(self, name: str) -> Client:
        """`NotFound` where the operator's file has no such provider."""
        provider = self.providers.each.get(name)
        if provider is None:
            raise errors.NotFound(f"There is no sign-in provider {name!r}.")
        return self.clients.setdefault(name, Client(provider))

    def redirect_uri(self, provider: Provider) -> str:
        """Each provider sends people back to an address of its own, so that none can be taken for another."""
        return f"{self.public_url}/api/sso/{provider.name}/callback"

    def sealed(self, principal_id: UUID, token: str | None) -> bytes | None:
        if token is None or self.sealer is None:
            return None
        return self.sealer.seal(principal_id, token, bytes(SALT_BYTES))

    def unsealed(self, principal_id: UUID, box: bytes | None) -> str | None:
        if box is None or self.sealer is None:
            return None
        try:
            return str(self.sealer.open(principal_id, box, None).answer)
        except WrongKey:
            # the key was replaced: the person signs in again
            return None
