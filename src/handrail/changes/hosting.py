"""The host of a change's repository, by the operator's settings: which it is, and which token it gets."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from fnmatch import fnmatchcase
from pathlib import Path

from pydantic import SecretStr

from handrail.changes.publishing.addresses import place_of
from handrail.changes.publishing.errors import HostUnknown, TokenMissing
from handrail.changes.publishing.hosts import Kind, reached, token_for
from handrail.changes.publishing.pulls import Host
from handrail.changes.publishing.secrets import Token
from handrail.sandbox import repositories
from handrail.sandbox.repositories import Allowed
from handrail.settings import Settings


def folder_of(address: str, allowed: Allowed) -> Path | None:
    """The folder that the address names; none for a repository elsewhere."""
    place = repositories.parse(address, allowed)
    return place if isinstance(place, Path) else None


def token_of(address: str, settings: Settings) -> Token | None:
    """None where the operator gave none for such a host, or does not say what the host is."""
    given: dict[Kind, SecretStr | None] = {
        "github": settings.github_token,
        "gitlab": settings.gitlab_token,
        "gitea": settings.gitea_token,
    }
    try:
        return token_for(
            address, settings.code_hosts, {kind: token.get_secret_value() for kind, token in given.items() if token}
        )
    except (HostUnknown, TokenMissing):
        return None


def reading(address: str, allowed: Allowed, settings: Settings) -> dict[str, str]:
    """Options of git for reading the repository: with the token only where the operator allows it to be read so."""
    place = repositories.parse(address, allowed)
    if isinstance(place, Path):
        return {}
    name = "/".join(place_of(address))
    if not any(fnmatchcase(name, pattern) for pattern in settings.change_repositories):
        return {}
    token = token_of(address, settings)
    return token.for_git(place.url) if token and not place.is_ssh else {}


@asynccontextmanager
async def host_of(address: str, allowed: Allowed, settings: Settings) -> AsyncGenerator[Host | None]:
    """The repository on its host; none for a folder, or where there is no token for it."""
    token = None if folder_of(address, allowed) else token_of(address, settings)
    if token is None:
        yield None
    else:
        async with reached(address, settings.code_hosts, token, allowed.limits) as host:
            yield host
