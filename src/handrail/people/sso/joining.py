"""The account of somebody whom a provider vouches for: found by issuer and subject, or made at the first sign-in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from handrail.core import errors, ids
from handrail.core.grant_events import ended_with_role
from handrail.core.ids import PrincipalId
from handrail.core.people import Account, Principal, PrincipalKind
from handrail.people.accounts import EMAIL, added, checked_name
from handrail.people.events import PersonSsoLinked, PersonSsoRolesChanged
from handrail.people.sso import roles
from handrail.people.sso.providers import Provider
from handrail.people.sso.proving import Claims
from handrail.store import absences, events, grants, people, sign_ins, sso
from handrail.store.database import Connection

LONGEST_NAME = 200
MOST_GROUPS = 2000


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What a provider says of somebody. `email` is nothing where it does not call it verified."""

    subject: str
    name: str | None
    email: str | None
    claimed_email: str | None
    groups: frozenset[str]


def newcomer(provider: Provider, subject: str, claims: Claims) -> Newcomer:
    """From its claims, which people can fill in there: what cannot be kept is left out."""
    claimed = _text(claims.get("email"), 254)
    claimed = claimed if claimed and EMAIL.fullmatch(claimed) else None
    verified = claimed if claims.get("email_verified") is True else None
    name = _text(claims.get(provider.name_claim), LONGEST_NAME) or claimed
    return Newcomer(subject, name, verified, claimed, _groups(claims.get(provider.groups_claim)))


def _groups(claim: Any) -> frozenset[str]:
    """Some providers send one group as a text."""
    found: list[Any] = [claim] if isinstance(claim, str) else list(claim)[:MOST_GROUPS] if _is_list(claim) else []
    return frozenset(group for group in found if isinstance(group, str))


def _is_list(claim: Any) -> bool:
    return isinstance(claim, list)


def _text(claim: Any, longest: int) -> str | None:
    return claim if isinstance(claim, str) and 0 < len(claim) <= longest else None


async def join(
    conn: Connection, provider: Provider, who: Newcomer, known: Collection[str], now: datetime, link_to: UUID | None
) -> Principal:
    """The person, with the roles that the table gives them now. The caller notes the provider's word.

    Nobody is taken for somebody else because of a name or an address: where another account has it, `SsoConflict`.
    """
    bound = await sso.identity(conn, provider.issuer, who.subject)
    if bound is not None and link_to is not None and bound.principal_id != link_to:
        raise errors.SsoConflict(f"Another account is already linked to your account at {provider.title}.")
    known_as = bound.principal_id if bound else link_to
    found = await people.lock(conn, known_as) if known_as else None
    if found is not None and not found.principal.active:
        raise errors.PrincipalInactive
    given = roles.given(provider, who.groups, known).roles
    if not given:
        raise errors.SsoNoRole(
            f"None of your groups at {provider.title} gives you a role here. Ask an administrator.",
            groups=len(who.groups),
        )
    if found is None:
        found = await _added(conn, provider, who, given, now)
    if bound is None:
        await _bind(conn, provider, who, found.principal, now)
    return await brought_in_line(conn, provider, found, given, now)


async def brought_in_line(
    conn: Connection, provider: Provider, account: Account, given: frozenset[str], now: datetime
) -> Principal:
    """The person with exactly these roles. Losing all of them ends their sign-ins."""
    before = account.principal
    if before.roles == given:
        return before
    after = replace(before, roles=given)
    # whoever decides for them does so with these roles
    await absences.clear_the_way(conn)
    await people.save(conn, replace(account, principal=after))
    if not given:
        await sign_ins.end_all_of(conn, after.id)
        await sign_ins.drop_codes_of(conn, after.id)
    changed = PersonSsoRolesChanged(
        id=after.id, provider=provider.name, roles=tuple(sorted(given)), roles_before=tuple(sorted(before.roles))
    )
    lost = await grants.end_without_role(conn, after, None, now)
    await events.append(conn, [changed, *ended_with_role(lost)], now)
    return after


async def _added(conn: Connection, provider: Provider, who: Newcomer, given: frozenset[str], now: datetime) -> Account:
    if who.name is None:
        raise errors.SsoRefused(f"{provider.title} sends no `{provider.name_claim}` and no address to call you by.")
    if who.claimed_email and await sso.address_holder(conn, who.claimed_email):
        raise errors.SsoConflict(
            f"Another account already has the address {who.claimed_email}. If it is yours, sign in to it and link it "
            f"to {provider.title} under Your account; otherwise ask an administrator.",
            email=who.claimed_email,
        )
    principal = Principal(PrincipalId(ids.fresh()), checked_name(who.name), PrincipalKind.person, given)
    account = Account(principal, now, email=who.email)
    try:
        await people.insert(conn, account)
    except errors.NameTaken:
        raise errors.SsoConflict(
            f"Another account is already called {who.name!r}. If it is yours, sign in to it and link it to "
            f"{provider.title} under Your account; otherwise ask an administrator.",
            name=who.name,
        ) from None
    await events.append(conn, [added(account, None)], now)
    return account


async def _bind(conn: Connection, provider: Provider, who: Newcomer, principal: Principal, now: datetime) -> None:
    # somebody must get in when the provider does not
    if principal.administers and not await people.other_administrators(conn, principal.id):
        raise errors.LastAdministrator
    await sso.bind(conn, sso.Identity(provider.issuer, who.subject, principal.id, provider.name, now, now, None))
    linked = PersonSsoLinked(
        actor=principal.id, id=principal.id, provider=provider.name, issuer=provider.issuer, subject=who.subject
    )
    await events.append(conn, [linked], now)
