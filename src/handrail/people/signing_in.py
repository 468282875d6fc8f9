"""Sign in by password or one-time link, and sign out."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from handrail.core import errors
from handrail.core.callers import Caller, Scope, scopes_of
from handrail.core.events import Event
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal
from handrail.people import credentials, passwords
from handrail.store import events, holds, people, sign_ins
from handrail.store.database import Connection, Database


class SignedIn(NamedTuple):
    caller: Caller
    secret: str


class Link(NamedTuple):
    code: str
    expires_at: datetime


async def by_password(database: Database, name: str, password: str, length: timedelta) -> SignedIn:
    async with database.connection() as conn:
        account = await people.by_name(conn, name)
    if not await passwords.fits(password, account.password_hash if account else None) or account is None:
        raise errors.SignInFailed
    async with database.transaction() as conn:
        steady = await people.steady(conn, account.principal.id)
        # the password may have been changed while it was being compared
        if steady is None or steady.password_hash != account.password_hash:
            raise errors.SignInFailed
        return await _begin(conn, steady.principal, "password", length)


async def by_code(database: Database, code: str, length: timedelta) -> SignedIn:
    """Uses the code up. A code signs in one browser, however many try at once."""
    async with database.transaction() as conn:
        whose = await sign_ins.take_code(conn, credentials.hash_of(code), await holds.now(conn))
        account = await people.steady(conn, whose) if whose else None
        if account is None:
            raise errors.SignInFailed
        return await _begin(conn, account.principal, "link", length)


async def make_link(database: Database, caller: Caller, principal_id: UUID, length: timedelta) -> Link:
    """A one-time code by which the person signs in."""
    caller.require(Scope.administer)
    async with database.transaction() as conn:
        account = await people.steady(conn, principal_id)
        if account is None:
            raise errors.NotFound(f"There is no principal {principal_id}.")
        if not account.principal.is_person or not account.principal.active:
            raise errors.Conflict(f"{account.principal.name} is not an active person; only those sign in.")
        link = await new_code(conn, account.principal.id, length)
        data = {"principal": str(principal_id), "expires_at": link.expires_at.isoformat()}
        await events.append(conn, [Event("link.made", caller.principal.id, {**data})], await holds.now(conn))
    return link


async def new_code(conn: Connection, principal_id: PrincipalId, length: timedelta) -> Link:
    now = await holds.now(conn)
    link = Link(credentials.fresh(), now + length)
    await sign_ins.insert_code(conn, credentials.hash_of(link.code), principal_id, now, link.expires_at)
    return link


async def sign_out(database: Database, caller: Caller, session_secret: str) -> None:
    async with database.transaction() as conn:
        if await sign_ins.end_session(conn, credentials.hash_of(session_secret)):
            event = Event("session.signed_out", caller.principal.id, {"sessions": 1})
            await events.append(conn, [event], await holds.now(conn))


async def sign_out_everywhere(database: Database, caller: Caller) -> None:
    """Ends all the caller's browser sessions; tokens stay."""
    async with database.transaction() as conn:
        ended = await sign_ins.end_all_of(conn, caller.principal.id)
        if ended:
            event = Event("session.signed_out", caller.principal.id, {"sessions": ended})
            await events.append(conn, [event], await holds.now(conn))


async def _begin(conn: Connection, who: Principal, how: str, length: timedelta) -> SignedIn:
    if not who.active or not who.is_person:
        raise errors.SignInFailed
    now = await holds.now(conn)
    secret, csrf_token = credentials.fresh(), credentials.fresh()
    await sign_ins.insert_session(conn, credentials.hash_of(secret), who.id, csrf_token, now, now + length)
    await events.append(conn, [Event("session.signed_in", who.id, {"how": how})], now)
    return SignedIn(Caller(who, scopes_of(who.kind, who.roles), csrf_token=csrf_token), secret)
