"""A person sets their own password; the credential that they do it with is their own from then on."""

from __future__ import annotations

from dataclasses import replace

from handrail.core import errors
from handrail.core.callers import Caller, scopes_of
from handrail.core.credentials import Credential
from handrail.core.people import Account
from handrail.people import guessing, passwords
from handrail.people.events import PersonPasswordSet
from handrail.people.guessing import Allowance
from handrail.store import clock, events, people, sign_ins, tokens
from handrail.store.database import Connection, Database


async def set_password(
    database: Database, caller: Caller, password: str, current: str | None, allowance: Allowance
) -> Caller:
    """The caller, with their credential as it is now.

    Needs the current password where there is one, so that a stolen token or sign-in cannot take the account over; a
    sign-in link stands in for a forgotten one. All other sign-ins and links end.
    """
    if not caller.principal.is_person or caller.credential is None:
        raise errors.Forbidden("Only people have passwords; services and agents use tokens.")
    # a password gives everything the person may do
    if caller.scopes != scopes_of(caller.principal.kind, caller.principal.roles):
        raise errors.ScopeMissing("A token with limited scopes cannot set your password.")
    async with database.connection() as conn:
        known = await people.get(conn, caller.principal.id)
        assert known is not None, "principals are never deleted"
        by_link = await _came_by_link(conn, caller.credential)
    if known.password_hash is not None and not by_link:
        await _confirm(database, known, current or "", allowance)
    hash_ = await passwords.chosen(password, known.principal.name, known.email)
    async with database.transaction() as conn:
        return await _save(conn, caller, caller.credential, known, hash_)


async def _confirm(database: Database, known: Account, current: str, allowance: Allowance) -> None:
    attempt = await guessing.confirm(database, known.principal.id, allowance)
    if not await passwords.fits(current, known.password_hash):
        raise errors.WrongPassword
    async with database.transaction() as conn:
        await guessing.was_right(conn, attempt)


async def _save(conn: Connection, caller: Caller, credential: Credential, known: Account, hash_: str) -> Caller:
    now = await clock.now(conn)
    account = await people.lock(conn, caller.principal.id)
    # an administrator may have changed it, or made the person inactive, while it was being compared
    if account is None or account.password_hash != known.password_hash or not account.principal.active:
        raise errors.Conflict("Your account has just changed: try again.")
    who = account.principal
    origin = credential.origin.taken_over(now)
    if credential.kind == "token" and not await tokens.take_over(conn, credential.id, origin):
        raise errors.TokenRevoked
    if credential.kind == "session" and not await sign_ins.take_over(conn, credential.id, origin):
        raise errors.SignInEnded
    await sign_ins.end_all_of(conn, who.id, but=credential.id)
    await sign_ins.drop_codes_of(conn, who.id)
    await people.save(conn, replace(account, password_hash=hash_, password_origin=origin.passed_on(who.id)))
    changed = PersonPasswordSet(actor=who.id, id=who.id, name=who.name, credential=credential.record)
    await events.append(conn, [changed], now)
    return replace(caller, credential=replace(credential, origin=origin))


async def _came_by_link(conn: Connection, credential: Credential) -> bool:
    return credential.kind == "session" and await sign_ins.came_by_link(conn, credential.id)
