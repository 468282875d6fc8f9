"""The first administrator, and the token that the settings give them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from handrail.core import errors, ids
from handrail.core.callers import scopes_of
from handrail.core.credentials import BY_OPERATOR
from handrail.core.ids import PrincipalId, TokenId
from handrail.core.people import DEFAULT_ROLES, Account, Principal, PrincipalKind
from handrail.people import credentials
from handrail.people.accounts import added
from handrail.people.events import LinkMade, TokenChanged, TokenMade, TokenRevoked
from handrail.people.signing_in import Link, new_code
from handrail.people.tokens import told
from handrail.store import clock, events, people, sign_ins, tokens
from handrail.store.database import Connection, Database
from handrail.store.tokens import Token

NAME = "admin"
TOKEN_LABEL = "HANDRAIL_ADMIN_TOKEN"  # noqa: S105 - a name


async def bootstrap_administrator(
    database: Database, *, admin_token: str | None = None, link_length: timedelta = timedelta(minutes=15)
) -> str | None:
    """Creates the administrator if there is no person yet, and makes their token match the settings.

    Gives a one-time sign-in code as long as the administrator has no other way in: no password, sign-in or token.
    Safe for replicas that start at once.
    """
    async with database.transaction() as conn:
        await people.lock_all(conn)
        now = await clock.now(conn)
        if not await people.any_person(conn):
            await _add(conn, now)
        account = await people.by_name(conn, NAME)
        if account is None or not account.principal.is_person:
            if admin_token:
                raise errors.Misconfigured(f"{TOKEN_LABEL} is set, but there is no person named {NAME}: unset it")
            return None
        await _bring_in_line(conn, account.principal, admin_token, now)
        if not account.principal.active or await _has_a_way_in(conn, account, now):
            return None
        return (await new_code(conn, account.principal.id, BY_OPERATOR, link_length)).code


async def recover(database: Database, name: str | None, link_length: timedelta) -> Link:
    """A new sign-in link for an administrator (the first one where none is named), for whoever can reach the database.

    Nobody is asked who they are: access to the database is the proof.
    """
    async with database.transaction() as conn:
        known = await people.administrators(conn)
        found = [who for who in known if name is None or who.name.lower() == name.lower()]
        if not found:
            names = ", ".join(who.name for who in known) or "none yet"
            raise errors.NotFound(f"{name or 'Nobody'} is not an active administrator. Active administrators: {names}.")
        link = await new_code(conn, found[0].id, BY_OPERATOR, link_length)
        made = LinkMade(principal=found[0].id, expires_at=link.expires_at.isoformat())
        await events.append(conn, [made], await clock.now(conn))
        return link


async def _add(conn: Connection, now: datetime) -> None:
    who = Principal(PrincipalId(ids.fresh()), NAME, PrincipalKind.person, frozenset(DEFAULT_ROLES))
    account = Account(who, now)
    await people.insert(conn, account)
    await events.append(conn, [added(account, None)], now)


async def _bring_in_line(conn: Connection, who: Principal, secret: str | None, now: datetime) -> None:
    """Makes the token of the settings the only live one; without one in the settings, none is."""
    wanted = await tokens.present(conn, credentials.hash_of(secret)) if secret else None
    if wanted and wanted.token.principal.id != who.id:
        raise errors.Misconfigured(f"{TOKEN_LABEL} is a token of another principal: choose a new one")
    for old in await tokens.live_with_label(conn, who.id, TOKEN_LABEL):
        if wanted is None or old.id != wanted.token.id:
            await tokens.revoke(conn, old.id, now)
            await events.append(conn, [TokenRevoked(**told(old))], now)
    if secret and wanted is None:
        token = Token(TokenId(ids.fresh()), who, TOKEN_LABEL, scopes_of(who.kind, who.roles), now)
        await tokens.insert(conn, token, credentials.hash_of(secret))
        await events.append(conn, [TokenMade(**told(token))], now)
    elif wanted and (wanted.token.revoked_at or wanted.token.expires_at):
        restored = replace(wanted.token, revoked_at=None, expires_at=None)
        await tokens.save(conn, restored)
        await events.append(conn, [TokenChanged(**told(restored))], now)


async def _has_a_way_in(conn: Connection, account: Account, now: datetime) -> bool:
    return (
        account.password_hash is not None
        or await tokens.any_live_of(conn, account.principal.id, now)
        or await sign_ins.any_open_of(conn, account.principal.id, now)
    )
