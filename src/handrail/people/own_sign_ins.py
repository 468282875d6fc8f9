"""A person's own sign-ins: see where they come from, and end the ones that should not be there."""

from __future__ import annotations

from uuid import UUID

from handrail.core import errors
from handrail.core.callers import Caller, scopes_of
from handrail.people.events import PersonSignedOut
from handrail.store import clock, events, sign_ins
from handrail.store.database import Connection, Database
from handrail.store.sign_ins import SignIn


async def last(database: Database, caller: Caller) -> list[SignIn]:
    """The caller's latest sign-ins and all that are still open, newest first."""
    _check(caller)
    async with database.connection() as conn:
        return await sign_ins.last(conn, caller.principal.id)


async def end(database: Database, caller: Caller, sign_in_id: UUID) -> None:
    """Signs one of the caller's browsers out, with its next request."""
    _check(caller)
    async with database.transaction() as conn:
        if not await sign_ins.end_one_of(conn, caller.principal.id, sign_in_id):
            raise errors.NotFound(f"You have no sign-in {sign_in_id}, or it has ended.")
        await _say_ended(conn, caller, 1)


async def end_others(database: Database, caller: Caller) -> None:
    """Signs out all the caller's browsers but the one that this comes from; tokens stay."""
    await _end_all(database, caller, but=caller.credential.id if caller.credential else None)


async def end_all(database: Database, caller: Caller) -> None:
    """Signs out all the caller's browsers; tokens stay."""
    await _end_all(database, caller, but=None)


async def _end_all(database: Database, caller: Caller, but: UUID | None) -> None:
    _check(caller)
    async with database.transaction() as conn:
        ended = await sign_ins.end_all_of(conn, caller.principal.id, but=but)
        if ended:
            await _say_ended(conn, caller, ended)


async def _say_ended(conn: Connection, caller: Caller, sessions: int) -> None:
    event = PersonSignedOut(actor=caller.principal.id, sessions=sessions)
    await events.append(conn, [event], await clock.now(conn))


def _check(caller: Caller) -> None:
    """A sign-in can do everything the person may, so a token that can do less must not touch it."""
    if not caller.principal.is_person:
        raise errors.Forbidden("Only people sign in; services and agents use tokens.")
    if caller.scopes != scopes_of(caller.principal.kind, caller.principal.roles):
        raise errors.ScopeMissing("A token with limited scopes cannot manage your sign-ins.")
