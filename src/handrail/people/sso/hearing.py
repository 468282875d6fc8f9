"""Whom a provider's tokens are about."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from handrail.core import errors
from handrail.people.sso import joining
from handrail.people.sso.joining import Newcomer
from handrail.people.sso.protocol import Client, Tokens
from handrail.people.sso.proving import subject_of


class Vouched(NamedTuple):
    newcomer: Newcomer
    provider_session: str | None


async def vouched(
    client: Client, tokens: Tokens, nonce: str | None, now: datetime, subject: str | None = None
) -> Vouched:
    """Whom the provider's tokens are about: by the ID token, and by what it says when it is asked."""
    claims = dict(await client.identity(tokens.id_token, nonce, now)) if tokens.id_token else {}
    if not claims and nonce is not None:
        raise errors.SsoRefused(f"{client.provider.title} sent no ID token.")
    asked = await client.knows(tokens.access_token)
    expected = subject_of(claims) if claims else subject
    if asked and subject_of(asked) != expected:
        raise errors.SsoRefused(f"{client.provider.title} speaks of two different people.")
    session = claims.get("sid")
    newcomer = joining.newcomer(client.provider, subject_of(claims or asked), {**asked, **claims})
    return Vouched(newcomer, session if isinstance(session, str) else None)
