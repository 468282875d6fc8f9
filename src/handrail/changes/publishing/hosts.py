"""Which host a repository is on, and a connection to it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Literal

from handrail.changes.publishing import errors, gitea, github, gitlab
from handrail.changes.publishing.addresses import place_of
from handrail.changes.publishing.api import Api
from handrail.changes.publishing.connecting import connected
from handrail.changes.publishing.github import App
from handrail.changes.publishing.pulls import Host, Pause
from handrail.changes.publishing.secrets import Token
from handrail.sandbox.cloning import CloneLimits

Kind = Literal["github", "gitlab", "gitea"]
KNOWN: Mapping[str, Kind] = {
    "github.com": "github",
    "gitlab.com": "gitlab",
    "codeberg.org": "gitea",
    "gitea.com": "gitea",
}
VERSIONS: Mapping[Kind, str] = {"github": "api/v3", "gitlab": "api/v4", "gitea": "api/v1"}


def kind_of(address: str, hosts: Mapping[str, Kind]) -> Kind:
    """By the host's name, with its port where it has one of its own; `hosts` are the operator's words on it."""
    host, _ = place_of(address)
    name = re.sub(r":[0-9]+$", "", host)
    kind = hosts.get(host) or hosts.get(name) or KNOWN.get(host)
    if kind is None:
        raise errors.HostUnknown(
            f"HANDRAIL_CODE_HOSTS does not say what {host or address!r} is: github, gitlab or gitea"
        )
    return kind


def token_for(address: str, hosts: Mapping[str, Kind], tokens: Mapping[Kind, str | None]) -> Token:
    """The operator's token for the kind of host that the address leads to."""
    kind = kind_of(address, hosts)
    secret = tokens.get(kind)
    if not secret:
        raise errors.TokenMissing(f"pushing to {place_of(address)[0]} needs a token: set {kind.upper()}_TOKEN")
    return Token(secret)


def api_of(address: str, kind: Kind) -> str:
    host, _ = place_of(address)
    if kind == "github" and host == "github.com":
        return "https://api.github.com/"
    scheme = "http" if address.startswith("http:") else "https"
    return f"{scheme}://{host}/{VERSIONS[kind]}/"


@asynccontextmanager
async def reached(
    address: str,
    hosts: Mapping[str, Kind],
    credential: Token | App,
    limits: CloneLimits,
    pause: Pause = asyncio.sleep,
) -> AsyncGenerator[Host]:
    """The repository on its host. An App's token is made for the connection, and made again when it has expired."""
    kind = kind_of(address, hosts)
    host, path = place_of(address)
    base = api_of(address, kind)
    if kind != "github" and isinstance(credential, App):
        raise errors.TokenInvalid(f"only GitHub has Apps, and {host} is {kind}")
    async with connected(base, limits) as client:
        match credential:
            case App() as app:

                async def renew() -> Token:
                    return await github.installation_token(
                        Api(client, host, app.proof(), github.authorised, pause), app
                    )

                api = Api(client, host, await renew(), github.authorised, pause, renew)
                yield github.GitHub(api, path, is_app=True)
            case Token() as token:
                match kind:
                    case "github":
                        yield github.GitHub(Api(client, host, token, github.authorised, pause), path)
                    case "gitlab":
                        yield gitlab.GitLab(Api(client, host, token, gitlab.authorised, pause), path)
                    case "gitea":
                        yield gitea.Gitea(Api(client, host, token, gitea.authorised, pause), path)
