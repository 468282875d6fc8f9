"""Which account of a channel is which person: linked by a code that the person got while signed in, and by nothing
else. A name or an address that a service reports proves nothing."""

from __future__ import annotations

import secrets
from datetime import timedelta
from uuid import UUID

from handrail.channels.events import AccountLinked, AccountUnlinked
from handrail.core import errors, ids
from handrail.core.callers import Caller, Scope, scopes_of
from handrail.core.credentials import Credential
from handrail.core.people import ADMINISTRATOR, AUDITOR
from handrail.holds.context import Context
from handrail.people import absences, credentials, signing_in
from handrail.people.signing_in import Link
from handrail.people.sso import providers, vouching
from handrail.people.sso.desk import SsoDesk
from handrail.settings import Settings
from handrail.store import clock, events, linked_accounts, people
from handrail.store.database import Database
from handrail.store.linked_accounts import LinkedAccount, NewCode

# channels in which people can answer
CHANNELS = frozenset({"slack", "linear"})
CODE_LIFE = timedelta(minutes=10)
# without signs that are easily mistaken; 60 bits for ten minutes
SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 12


async def make_code(database: Database, caller: Caller, channel: str, account: str | None = None) -> Link:
    """A code to be sent from the account within ten minutes. It replaces one that was made before. With `account` it is
    of no use to any other: for places where others can read it."""
    caller.require(Scope.decide)
    if channel not in CHANNELS:
        raise errors.InvalidField(f"there is nothing to link on {channel!r}", field="channel")
    code = "".join(secrets.choice(SIGNS) for _ in range(CODE_LENGTH))
    who = caller.principal.id
    async with database.transaction() as conn:
        now = await clock.now(conn)
        origin = signing_in.origin_for(who, caller)
        new = NewCode(channel, who, credentials.hash_of(code), origin, now + CODE_LIFE, account)
        await linked_accounts.insert_code(conn, new, now)
    return Link(code, now + CODE_LIFE)


async def link(database: Database, channel: str, account: str, code: str) -> LinkedAccount:
    """Uses up the code; from now on the account is this person's."""
    async with database.transaction() as conn:
        now = await clock.now(conn)
        hash_ = credentials.hash_of(code.strip().upper())
        taken = await linked_accounts.take_code(conn, channel, account, hash_, now)
        found = await people.steady(conn, taken[0]) if taken else None
        if taken is None or found is None or not found.principal.active:
            raise errors.NotFound(f"This code is wrong or no longer works. Get a new one: `handrail link {channel}`.")
        new = LinkedAccount(ids.fresh(), channel, account, found.principal, now, taken[1])
        if not await linked_accounts.insert(conn, new):
            raise errors.Conflict(
                "This account, or the person who made the code, is already linked. Remove that link first."
            )
        said = AccountLinked(actor=found.principal.id, link_id=new.id, channel=channel)
        await events.append(conn, [said], now)
    return new


def desk_of(context: Context, settings: Settings) -> SsoDesk:
    """The company's providers, as this process asks them."""
    return SsoDesk(
        context.database,
        providers.read(settings.sso_file),
        settings.public_url or "",
        lambda: frozenset({*context.policy().roles, ADMINISTRATOR, AUDITOR}),
        context.sealer,
    )


async def caller_of(desk: SsoDesk, channel: str, account: str) -> Caller | None:
    """Who acts by this account, as of now; nobody where it is not linked, or the person no longer active.

    `SsoEnded` and `SsoUnreachable` as everywhere: whoever has left the company decides nothing by an account elsewhere.
    """
    caller = await _linked(desk.database, channel, account)
    if caller is not None and await vouching.check(desk, caller.principal.id):
        # their roles may have changed
        caller = await _linked(desk.database, channel, account)
    return await absences.identified(desk.database, caller) if caller else None


async def _linked(database: Database, channel: str, account: str) -> Caller | None:
    async with database.connection() as conn:
        linked = await linked_accounts.of_account(conn, channel, account)
    if linked is None or not linked.principal.active or not linked.principal.is_person:
        return None
    who = linked.principal
    scopes = scopes_of(who.kind, who.roles) & {Scope.read, Scope.decide}
    return Caller(who, scopes, Credential("link", linked.id, frozenset(scopes), linked.origin))


async def links_of(database: Database, caller: Caller) -> list[LinkedAccount]:
    caller.require(Scope.decide)
    async with database.connection() as conn:
        return await linked_accounts.of_person(conn, caller.principal.id)


async def unlink(database: Database, caller: Caller, link_id: UUID) -> None:
    """One of your own."""
    caller.require(Scope.decide)
    async with database.transaction() as conn:
        channel = await linked_accounts.remove(conn, link_id, caller.principal.id)
        if channel is None:
            raise errors.NotFound(f"You have no link {link_id}.")
        said = AccountUnlinked(actor=caller.principal.id, link_id=link_id, channel=channel)
        await events.append(conn, [said], await clock.now(conn))
