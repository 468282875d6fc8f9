"""Add and change principals: persons with roles and passwords, services and agents without."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from handrail.core import errors, ids
from handrail.core.callers import Caller, Scope
from handrail.core.credentials import BY_OPERATOR
from handrail.core.events import Event
from handrail.core.grant_events import ended_with_role
from handrail.core.ids import PrincipalId
from handrail.core.people import Account, Principal, PrincipalKind
from handrail.people import absences as leave
from handrail.people import passwords
from handrail.people.events import PersonAdded, PersonChanged
from handrail.people.signing_in import origin_for
from handrail.store import absences, clock, events, grants, people, sign_ins, sso, tokens
from handrail.store.database import Connection, Database

EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
ROLE = re.compile(r"[a-z][a-z0-9_]{0,99}")


async def add(
    database: Database,
    caller: Caller,
    name: str,
    kind: PrincipalKind,
    roles: Collection[str] = (),
    password: str | None = None,
    email: str | None = None,
    role_names: Collection[str] | None = None,
) -> Account:
    """`role_names` are those of the policy in force: any other role would never decide anything."""
    caller.require(Scope.administer)
    principal = Principal(PrincipalId(ids.fresh()), checked_name(name), kind, checked_roles(kind, roles, role_names))
    address = checked_email(kind, email)
    hash_ = await _hash(kind, password, name, email)
    async with database.transaction() as conn:
        origin = origin_for(principal.id, caller) if hash_ else BY_OPERATOR
        account = Account(principal, await clock.now(conn), hash_, address, origin)
        await people.insert(conn, account)
        await events.append(conn, [added(account, caller.principal.id)], account.created_at)
    return account


async def change(
    database: Database,
    caller: Caller,
    principal_id: UUID,
    roles: Collection[str] | None = None,
    active: bool | None = None,
    password: str | None = None,
    email: str | None = None,
    trusted_claims: bool | None = None,
    role_names: Collection[str] | None = None,
) -> Account:
    """Changes what is given; an empty address removes it. A role that is already held may stay, even
    if the policy no longer has it.

    A principal who becomes inactive loses every sign-in, token and link at once.
    """
    caller.require(Scope.administer)
    async with database.connection() as conn:
        known = await people.get(conn, principal_id)
    about = (known.principal.name, known.email, email) if known else ()
    hash_ = await _hash(PrincipalKind.person, password, *about)
    async with database.transaction() as conn:
        now = await clock.now(conn)
        before = await people.lock(conn, principal_id)
        if before is None:
            raise errors.NotFound(f"There is no principal {principal_id}.")
        if hash_ is not None and not before.principal.is_person:
            raise _no_password()
        held = before.principal.roles
        if roles is not None and frozenset(roles) != held and await sso.of_principal(conn, principal_id) is not None:
            raise errors.SsoManaged(f"{before.principal.name}'s roles come from their groups at the company's sign-in.")
        after = _changed(before, roles, active, None if role_names is None else {*role_names, *held})
        if hash_ is not None:
            after = replace(after, password_hash=hash_, password_origin=origin_for(after.principal.id, caller))
        if email is not None:
            after = replace(after, email=checked_email(after.principal.kind, email))
        if trusted_claims is not None:
            after = replace(after, trusted_claims=checked_trust(after.principal.kind, trusted_claims))
        if after == before:
            return after
        await _keep_an_administrator(conn, before.principal, after.principal)
        # who decides for them, or by them, does so no longer than until this commits
        await absences.clear_the_way(conn)
        await people.save(conn, after)
        ended = await _cut_off(conn, before, after, caller.principal.id, now)
        await events.append(conn, [_difference(before, after, caller.principal.id), *ended], now)
    return after


async def page(database: Database, caller: Caller, after: UUID | None = None, limit: int = 100) -> Sequence[Account]:
    caller.require(Scope.administer)
    async with database.connection() as conn:
        return await people.page(conn, after, limit)


def added(account: Account, actor: PrincipalId | None) -> Event:
    who = account.principal
    return PersonAdded(actor=actor, id=who.id, name=who.name, kind=who.kind, roles=tuple(sorted(who.roles)))


def checked_name(name: str) -> str:
    """Names that look the same are the same, and none can be taken for an id."""
    plain = unicodedata.normalize("NFC", name)
    if plain != plain.strip() or not plain.isprintable():
        raise errors.InvalidField("`name` has leading or trailing spaces, or invisible characters", field="name")
    try:
        UUID(plain)
    except ValueError:
        return plain
    raise errors.InvalidField("`name` looks like an id; choose another", field="name")


def checked_roles(kind: PrincipalKind, roles: Collection[str], known: Collection[str] | None = None) -> frozenset[str]:
    if roles and kind is not PrincipalKind.person:
        raise errors.InvalidField(f"`roles` are for people; a {kind} never decides", field="roles")
    for role in roles:
        if not ROLE.fullmatch(role):
            raise errors.InvalidField(f"`roles`: {role!r} is not a name like team_lead", field="roles")
        if known is not None and role not in known:
            listed = ", ".join(sorted(known))
            raise errors.InvalidField(f"`roles`: the policy has no role {role!r}. Its roles: {listed}.", field="roles")
    return frozenset(roles)


def checked_email(kind: PrincipalKind, email: str | None) -> str | None:
    """The address; nothing if it is empty. It cannot hold anything that could end a header or name a second address."""
    if not email:
        return None
    if kind is not PrincipalKind.person:
        raise errors.InvalidField("`email` is for people; programs follow the events", field="email")
    if len(email) > 254 or not EMAIL.fullmatch(email):
        raise errors.InvalidField("`email` must be an address like ann@example.org", field="email")
    return email


def checked_trust(kind: PrincipalKind, trusted: bool) -> bool:
    if trusted and kind is PrincipalKind.agent:
        raise errors.InvalidField(
            "`trusted_claims` is for services and people; an agent's own claims are never facts",
            field="trusted_claims",
        )
    return trusted


def _no_password() -> errors.Rejected:
    return errors.InvalidField("`password` is for people; give others a token", field="password")


async def _hash(kind: PrincipalKind, password: str | None, *about: str | None) -> str | None:
    if password is None:
        return None
    if kind is not PrincipalKind.person:
        raise _no_password()
    return await passwords.chosen(password, *about)


def _changed(
    before: Account, roles: Collection[str] | None, active: bool | None, known: Collection[str] | None
) -> Account:
    who = before.principal
    if roles is not None:
        who = replace(who, roles=checked_roles(who.kind, roles, known))
    if active is not None:
        who = replace(who, active=active)
    return replace(before, principal=who)


async def _keep_an_administrator(conn: Connection, before: Principal, after: Principal) -> None:
    loses = before.administers and before.active and not (after.administers and after.active)
    if loses and not await people.other_administrators(conn, before.id):
        raise errors.LastAdministrator


async def _cut_off(
    conn: Connection, before: Account, after: Account, by: PrincipalId, now: datetime
) -> Sequence[Event]:
    """What else ends with it."""
    inactive = before.principal.active and not after.principal.active
    ended: list[Event] = []
    if inactive:
        await tokens.revoke_all_of(conn, after.principal.id, now)
        gone = await absences.end_all_of(conn, after.principal.id, by, now)
        ended = [leave.ended(one, "deactivated", by) for one in gone]
    lost = await grants.end_without_role(conn, after.principal, by, now)
    ended += ended_with_role(lost, by)
    # a new password ends the sign-ins that the old one opened
    if inactive or after.password_hash != before.password_hash:
        await sign_ins.end_all_of(conn, after.principal.id)
        await sign_ins.drop_codes_of(conn, after.principal.id)
    return ended


def _difference(before: Account, after: Account, actor: PrincipalId) -> Event:
    who = after.principal
    return PersonChanged(
        actor=actor,
        id=who.id,
        name=who.name,
        roles=tuple(sorted(who.roles)),
        active=who.active,
        roles_before=tuple(sorted(before.principal.roles)),
        active_before=before.principal.active,
        trusted_claims=after.trusted_claims,
        trusted_claims_before=before.trusted_claims,
        email_changed=after.email != before.email,
        password_changed=after.password_hash != before.password_hash,
    )
