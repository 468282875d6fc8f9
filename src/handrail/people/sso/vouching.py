"""How long a provider's word counts: it is asked again every few minutes while its people are at work."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from handrail.core import errors
from handrail.core.ids import PrincipalId
from handrail.people.events import PersonSsoEnded
from handrail.people.sso import hearing, joining, roles
from handrail.people.sso.desk import SsoDesk
from handrail.people.sso.protocol import Refused, Tokens
from handrail.people.sso.providers import Provider
from handrail.store import clock, events, people, sign_ins, sso
from handrail.store.database import Connection
from handrail.store.sso import Identity

# how long people can work while the provider cannot be reached
GRACE = timedelta(minutes=15)
# how long a word counts where the provider gave no refresh token, so that it cannot be asked again
UNREFRESHED = timedelta(hours=8)
# one server asks; after this long it is taken for dead
ASKING = timedelta(seconds=20)


async def note(
    conn: Connection,
    desk: SsoDesk,
    provider: Provider,
    subject: str,
    principal_id: PrincipalId,
    refresh_token: str | None,
    now: datetime,
) -> None:
    """The provider has just vouched for this person."""
    box = desk.sealed(principal_id, refresh_token)
    known = await sso.of_principal(conn, principal_id)
    refreshes = box is not None or (known is not None and known.refresh_token is not None)
    ask_at = now + (timedelta(seconds=provider.refresh_seconds) if refreshes else UNREFRESHED)
    await sso.vouch(conn, provider.issuer, subject, ask_at, ask_at + (GRACE if refreshes else timedelta()), box)


async def check(desk: SsoDesk, principal_id: PrincipalId) -> bool:
    """Whether the person may have changed just now, because the provider was asked.

    `SsoEnded` where it no longer vouches for them, `SsoUnreachable` where it has not been reached for too long. People
    who are not bound to a provider always pass.
    """
    async with desk.database.connection() as conn:
        bound = await sso.of_principal(conn, principal_id)
        now = await clock.now(conn) if bound else None
        if bound is None or now is None or now < bound.ask_at:
            return False
    provider = desk.providers.each.get(bound.provider)
    if provider is None or provider.issuer != bound.issuer:
        raise errors.SsoEnded("Your account belongs to a sign-in provider that is no longer set up here.")
    if bound.refresh_token is None:
        raise errors.SsoEnded(f"Sign in with {provider.title} again.")
    if not await _is_ours_to_ask(desk, principal_id, now):
        _check_in_time(provider, bound, now)
        return False
    try:
        await _ask(desk, provider, bound, now)
    except errors.SsoUnreachable:
        _check_in_time(provider, bound, now)
        return False
    return True


def _check_in_time(provider: Provider, bound: Identity, now: datetime) -> None:
    if now >= bound.vouched_until:
        raise errors.SsoUnreachable(f"{provider.title} has not been reached for too long, so it cannot vouch for you.")


async def _is_ours_to_ask(desk: SsoDesk, principal_id: PrincipalId, now: datetime) -> bool:
    async with desk.database.transaction() as conn:
        return await sso.begin_asking(conn, principal_id, now, ASKING)


async def _ask(desk: SsoDesk, provider: Provider, bound: Identity, now: datetime) -> None:
    client = desk.client(provider.name)
    token = desk.unsealed(bound.principal_id, bound.refresh_token)
    if token is None:
        await _end(desk, provider, bound.principal_id, "no_refresh_token")
        raise errors.SsoEnded(f"Sign in with {provider.title} again.")
    try:
        tokens = await client.refresh(token)
        await _keep(desk, provider, bound, tokens)
        who = await hearing.vouched(client, tokens, None, now, bound.subject)
        if who.newcomer.subject != bound.subject:
            raise Refused("another_subject")
    except (Refused, errors.SsoRefused) as refusal:
        await _end(desk, provider, bound.principal_id, "refused")
        raise errors.SsoEnded(f"{provider.title} no longer vouches for you. Sign in there again.") from refusal
    given = roles.given(provider, who.newcomer.groups, desk.roles()).roles
    async with desk.database.transaction() as conn:
        moment = await clock.now(conn)
        account = await people.lock(conn, bound.principal_id)
        assert account is not None, "principals are never deleted"
        await joining.brought_in_line(conn, provider, account, given, moment)
        await note(conn, desk, provider, bound.subject, bound.principal_id, None, moment)
    if not given:
        await _end(desk, provider, bound.principal_id, "no_role")
        raise errors.SsoEnded(f"None of your groups at {provider.title} gives you a role here any more.")


async def _keep(desk: SsoDesk, provider: Provider, bound: Identity, tokens: Tokens) -> None:
    """A new refresh token at once: the old one is dead, whatever happens next."""
    box = desk.sealed(bound.principal_id, tokens.refresh_token)
    if box is not None:
        async with desk.database.transaction() as conn:
            await sso.renew(conn, bound.principal_id, box)


async def _end(desk: SsoDesk, provider: Provider, principal_id: PrincipalId, cause: str) -> None:
    async with desk.database.transaction() as conn:
        await end(conn, provider, principal_id, cause)


async def end(conn: Connection, provider: Provider, principal_id: UUID, cause: str) -> None:
    """The person's sign-ins end, and their tokens rest until they have signed in at the provider again."""
    now = await clock.now(conn)
    await sso.end(conn, principal_id, now)
    sessions = await sign_ins.end_all_of(conn, principal_id)
    await sign_ins.drop_codes_of(conn, principal_id)
    ended = PersonSsoEnded(id=PrincipalId(principal_id), provider=provider.name, cause=cause, sessions=sessions)
    await events.append(conn, [ended], now)
