"""A person's passkeys: add one, remove one, sign in with one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from handrail.core import errors, ids, passkeys
from handrail.core.callers import Caller, scopes_of
from handrail.core.credentials import Provenance
from handrail.core.passkeys import Assertion, Party, Refused
from handrail.people.events import PersonPasskeyAdded, PersonPasskeyRemoved
from handrail.people.guessing import Client
from handrail.people.signing_in import SignedIn, begin
from handrail.people.sso.providers import Local
from handrail.store import clock, events, people, sign_ins, sso, tokens
from handrail.store import passkeys as rows
from handrail.store.database import Connection, Database
from handrail.store.passkeys import Passkey

# how long any passkey but a person's first one waits before it signs decisions: whoever took over a browser, or made a
# sign-in link, must not sign with a key of theirs before the person notices
COOLING = timedelta(hours=24)
MOST = 20


async def own(database: Database, caller: Caller) -> Sequence[Passkey]:
    _check(caller)
    async with database.connection() as conn:
        return await rows.of(conn, caller.principal.id)


async def ask_to_register(database: Database, caller: Caller) -> tuple[str, Sequence[Passkey]]:
    """A challenge, and the passkeys that the person has already."""
    _check(caller)
    async with database.transaction() as conn:
        nonce = await rows.challenge(conn, "register", await clock.now(conn), caller.principal.id)
        return nonce, await rows.of(conn, caller.principal.id)


async def register(
    database: Database,
    caller: Caller,
    party: Party,
    label: str,
    nonce: str,
    made: Assertion,
    public_key: bytes,
) -> Passkey:
    """The new passkey; `made` has no signature. Makes a lent credential the person's own, as a password does."""
    _check(caller)
    try:
        passkeys.registered(
            made.credential_id, made.client_data, made.authenticator_data, public_key, passkeys.decode(nonce), party
        )
    except Refused as refusal:
        raise errors.PasskeyRefused(f"The passkey cannot be registered: {refusal}.") from refusal
    who = caller.principal
    async with database.transaction() as conn:
        now = await clock.now(conn)
        # of two at once, one is the first
        await people.lock(conn, who.id)
        if not await rows.take_challenge(conn, "register", nonce, now, who.id):
            raise errors.PasskeyRefused("This registration was already used, or took too long. Try again.")
        if len(await rows.of(conn, who.id)) >= MOST:
            raise errors.Conflict(f"You have {MOST} passkeys. Remove one first.")
        signs_from = now + COOLING if await rows.had_any(conn, who.id) else now
        new = Passkey(ids.fresh(), who.id, made.credential_id, public_key, party.id, label, 0, now, signs_from)
        await rows.insert(conn, new, caller.credential.id if caller.credential else None)
        await _take_over(conn, caller)
        added = PersonPasskeyAdded(
            actor=who.id,
            id=who.id,
            passkey=new.id,
            public_key=passkeys.encode(public_key),
            party=party.id,
            label=label,
            signs_from=signs_from.isoformat(),
            credential=caller.credential.record if caller.credential else None,
        )
        await events.append(conn, [added], now)
    return new


async def remove(database: Database, caller: Caller, passkey_id: UUID) -> None:
    """It signs nothing from now on, and the next one waits."""
    _check(caller)
    async with database.transaction() as conn:
        now = await clock.now(conn)
        gone = await rows.remove(conn, caller.principal.id, passkey_id, now)
        if gone is None:
            raise errors.NotFound(f"You have no passkey {passkey_id}.")
        removed = PersonPasskeyRemoved(
            actor=caller.principal.id,
            id=caller.principal.id,
            passkey=gone.id,
            label=gone.label,
            credential=caller.credential.record if caller.credential else None,
        )
        await events.append(conn, [removed], now)


async def ask_to_sign_in(database: Database) -> str:
    async with database.transaction() as conn:
        return await rows.challenge(conn, "sign_in", await clock.now(conn))


async def sign_in(
    database: Database,
    party: Party,
    nonce: str,
    assertion: Assertion,
    length: timedelta,
    client: Client,
    local: Local | None,
) -> SignedIn:
    """Whoever the passkey belongs to. `SignInFailed`, whatever is wrong with it."""
    async with database.transaction() as conn:
        now = await clock.now(conn)
        found = await rows.by_credential(conn, assertion.credential_id)
        fresh = await rows.take_challenge(conn, "sign_in", nonce, now)
        account = await people.steady(conn, found.principal_id) if found else None
        if found is None or account is None or not fresh or found.party != party.id:
            raise errors.SignInFailed("This passkey is not known here. Sign in another way.")
        try:
            count = passkeys.signed(assertion, found.public_key, passkeys.decode(nonce), party)
        except Refused as refusal:
            raise errors.SignInFailed(f"The passkey did not sign you in: {refusal}.") from refusal
        if count <= found.signatures and (count or found.signatures):
            raise errors.SignInFailed("The passkey counts backwards, so it may be a copy.")
        bound = await sso.of_principal(conn, account.principal.id) is not None
        if local == "break_glass" and not bound and not account.principal.administers:
            raise errors.SsoRequired
        await rows.used(conn, found.id, count, now)
        origin = Provenance(account.principal.id, found.created_at)
        return await begin(conn, account.principal, "passkey", origin, length, client, None if bound else local)


async def _take_over(conn: Connection, caller: Caller) -> None:
    credential = caller.credential
    assert credential is not None
    origin = credential.origin.taken_over(await clock.now(conn))
    taken = tokens.take_over if credential.kind == "token" else sign_ins.take_over
    if not await taken(conn, credential.id, origin):
        raise errors.SignInEnded


def _check(caller: Caller) -> None:
    """A passkey opens the whole account, so a token that can do less must not touch it."""
    if not caller.principal.is_person or caller.credential is None:
        raise errors.Forbidden("Only people have passkeys; services and agents use tokens.")
    if caller.scopes != scopes_of(caller.principal.kind, caller.principal.roles):
        raise errors.ScopeMissing("A token with limited scopes cannot manage your passkeys.")
