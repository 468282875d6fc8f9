"""Sign in by password or one-time link, and sign out."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID, uuid4

from handrail.core import errors
from handrail.core.callers import Caller, Scope, scopes_of
from handrail.core.credentials import Credential, Provenance
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal
from handrail.people import credentials, guessing, passwords
from handrail.people.events import BrokeGlass, How, LinkMade, PersonSignedIn, PersonSignedOut
from handrail.people.guessing import Allowance, Client
from handrail.people.sso.providers import Local
from handrail.store import clock, events, people, sign_ins, sso
from handrail.store.database import Connection, Database
from handrail.store.sign_ins import Code, OpenSignIn, SignIn


class SignedIn(NamedTuple):
    """`secret` is the sign-in's, `device` the browser's, by which it is known at the next sign-in."""

    caller: Caller
    secret: str
    device: str


class Link(NamedTuple):
    code: str
    expires_at: datetime


async def by_password(
    database: Database,
    name: str,
    password: str,
    length: timedelta,
    client: Client,
    allowance: Allowance,
    local: Local | None = None,
) -> SignedIn:
    """`local` says who may still do so where there is a company sign-in. Who is bound to it signs in there."""
    attempt = await guessing.attempt(database, name, client, allowance)
    async with database.connection() as conn:
        account = await people.by_name(conn, name)
    if not await passwords.fits(password, account.password_hash if account else None) or account is None:
        raise errors.SignInFailed
    async with database.transaction() as conn:
        steady = await people.steady(conn, account.principal.id)
        # the password may have been changed while it was being compared
        if steady is None or steady.password_hash != account.password_hash:
            raise errors.SignInFailed
        await guessing.was_right(conn, attempt)
        closed = local == "break_glass" and not steady.principal.administers
        if closed or await sso.of_principal(conn, steady.principal.id) is not None:
            raise errors.SsoRequired
        return await begin(conn, steady.principal, "password", steady.password_origin, length, client, local)


async def by_code(
    database: Database,
    code: str,
    length: timedelta,
    client: Client,
    instead_of: Caller | None = None,
    local: Local | None = None,
) -> SignedIn:
    """Uses up the code. It signs in one browser, however many try at once.

    Where somebody else is signed in there and is not to be replaced, `SignedInAsAnother`; the code stays unused.
    """
    async with database.transaction() as conn:
        taken = await sign_ins.take_code(conn, credentials.hash_of(code), await clock.now(conn))
        account = await people.steady(conn, taken.principal_id) if taken else None
        if taken is None or account is None:
            raise errors.SignInFailed
        if instead_of is not None and instead_of.principal.id != account.principal.id:
            here, link = instead_of.principal.name, account.principal.name
            raise errors.SignedInAsAnother(
                f"You are signed in as {here}, and this link is for {link}. Sign in as {link} instead?",
                signed_in=here,
                link=link,
            )
        bound = await sso.of_principal(conn, account.principal.id) is not None
        return await begin(conn, account.principal, "link", taken.origin, length, client, None if bound else local)


async def make_link(database: Database, caller: Caller, principal_id: UUID, length: timedelta) -> Link:
    """A one-time code that signs the person in."""
    caller.require(Scope.administer)
    async with database.transaction() as conn:
        account = await people.steady(conn, principal_id)
        if account is None:
            raise errors.NotFound(f"There is no principal {principal_id}.")
        if not account.principal.is_person or not account.principal.active:
            raise errors.Conflict(f"{account.principal.name!r} cannot sign in: only active people can.")
        link = await new_code(conn, account.principal.id, origin_for(account.principal.id, caller), length)
        made = LinkMade(actor=caller.principal.id, principal=principal_id, expires_at=link.expires_at.isoformat())
        await events.append(conn, [made], await clock.now(conn))
    return link


def origin_for(principal_id: PrincipalId, maker: Caller) -> Provenance:
    """Of a token, link or password that the maker makes for this principal."""
    if principal_id == maker.principal.id:
        return maker.origin.passed_on(principal_id)
    return maker.origin.lends(maker.principal.id)


async def new_code(conn: Connection, principal_id: PrincipalId, origin: Provenance, length: timedelta) -> Link:
    now = await clock.now(conn)
    link = Link(credentials.fresh(), now + length)
    code = Code(principal_id, origin)
    await sign_ins.insert_code(conn, code, credentials.hash_of(link.code), now, link.expires_at)
    return link


async def sign_out(database: Database, caller: Caller, secret: str) -> None:
    async with database.transaction() as conn:
        if await sign_ins.end_open(conn, credentials.hash_of(secret)):
            event = PersonSignedOut(actor=caller.principal.id, sessions=1)
            await events.append(conn, [event], await clock.now(conn))


async def begin(
    conn: Connection,
    who: Principal,
    how: How,
    origin: Provenance,
    length: timedelta,
    client: Client,
    local: Local | None = None,
) -> SignedIn:
    """A new session of this person; the way in was checked before."""
    if not who.active or not who.is_person:
        raise errors.SignInFailed
    now = await clock.now(conn)
    secret, open_ = credentials.fresh(), OpenSignIn(uuid4(), who, credentials.fresh(), how == "link", origin)
    await sign_ins.insert_open(conn, open_, credentials.hash_of(secret), now, now + length)
    caller = caller_of(open_)
    assert caller.credential is not None
    signed_in = PersonSignedIn(actor=who.id, how=how, credential=caller.credential.record)
    await events.append(conn, [signed_in], now)
    if local is not None and who.administers:
        await events.append(conn, [BrokeGlass(actor=who.id, how=how, credential=caller.credential.record)], now)
    device = await guessing.remember(conn, who.id, client.device)
    made = SignIn(open_.id, how, client.address, client.browser, now)
    await sign_ins.remember(conn, who.id, made, credentials.hash_of(device))
    return SignedIn(caller, secret, device)


def caller_of(open_: OpenSignIn) -> Caller:
    who = open_.principal
    scopes = scopes_of(who.kind, who.roles)
    credential = Credential("session", open_.id, frozenset(scopes), open_.origin)
    return Caller(who, scopes, credential, csrf_token=open_.csrf_token)
