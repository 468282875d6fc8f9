"""The host of a change's repository, by the operator's settings: which it is, and what Handrail shows it."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from fnmatch import fnmatchcase
from pathlib import Path

from pydantic import SecretStr

from handrail.changes.publishing.addresses import place_of
from handrail.changes.publishing.errors import HostUnknown, TokenMissing
from handrail.changes.publishing.github import App
from handrail.changes.publishing.hosts import Kind, kind_of, reached, token_for
from handrail.changes.publishing.pulls import Host
from handrail.changes.publishing.secrets import Token
from handrail.sandbox import repositories
from handrail.sandbox.repositories import RepositoryAccess
from handrail.settings import Settings

# a token of an App lasts an hour
KEPT_SECONDS = 50 * 60.0
_made: dict[tuple[str, App], tuple[float, Token]] = {}


def folder_of(address: str, allowed: RepositoryAccess) -> Path | None:
    """The folder that the address names; none for a repository elsewhere."""
    place = repositories.parse(address, allowed)
    return place if isinstance(place, Path) else None


def credential_of(address: str, settings: Settings) -> Token | App | None:
    """None where the operator gave none for such a host, or does not say what the host is. On GitHub, an App counts
    more than a token."""
    given: dict[Kind, SecretStr | None] = {
        "github": settings.github_token,
        "gitlab": settings.gitlab_token,
        "gitea": settings.gitea_token,
    }
    try:
        key = settings.github_app_key() if kind_of(address, settings.code_hosts) == "github" else None
        if key is not None and settings.github_app_id and settings.github_app_installation:
            return App(settings.github_app_id, settings.github_app_installation, key.get_secret_value())
        return token_for(
            address, settings.code_hosts, {kind: token.get_secret_value() for kind, token in given.items() if token}
        )
    except (HostUnknown, TokenMissing):
        return None


async def reading(address: str, allowed: RepositoryAccess, settings: Settings) -> dict[str, str]:
    """Options of git for reading the repository: with a token only where the operator allows it to be read so."""
    place = repositories.parse(address, allowed)
    if isinstance(place, Path) or place.is_ssh:
        return {}
    name = "/".join(place_of(address))
    if not any(fnmatchcase(name, pattern) for pattern in settings.change_repositories):
        return {}
    credential = credential_of(address, settings)
    if credential is None:
        return {}
    token = credential if isinstance(credential, Token) else await _made_by(credential, address, allowed, settings)
    return token.for_git(place.url)


async def _made_by(app: App, address: str, allowed: RepositoryAccess, settings: Settings) -> Token:
    """A token of the App, made once for as long as it lasts: a change opens its tree at every step."""
    key = (place_of(address)[0], app)
    until, token = _made.get(key, (0.0, Token("")))
    if time.monotonic() >= until:
        async with reached(address, settings.code_hosts, app, allowed.limits) as host:
            token = host.token
        _made[key] = (time.monotonic() + KEPT_SECONDS, token)
    return token


@asynccontextmanager
async def host_of(address: str, allowed: RepositoryAccess, settings: Settings) -> AsyncGenerator[Host | None]:
    """The repository on its host; none for a folder, or where nothing was given to sign in with."""
    credential = None if folder_of(address, allowed) else credential_of(address, settings)
    if credential is None:
        yield None
    else:
        async with reached(address, settings.code_hosts, credential, allowed.limits) as host:
            yield host
