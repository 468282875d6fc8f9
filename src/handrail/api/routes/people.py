"""Persons, services and agents."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from fastapi import Request

from handrail.api import cursors
from handrail.api.cursors import Cursor, Limit
from handrail.api.identity import Administrator, Reader, guarded_router
from handrail.api.schemas.people import (
    AddPrincipal,
    ChangePrincipal,
    ErasedPrincipal,
    LoginLink,
    PrincipalList,
    PrincipalOut,
    RoleList,
)
from handrail.api.services import Services, Use
from handrail.core.people import ADMINISTRATOR, AUDITOR, Account
from handrail.people import accounts, erasing, signing_in

router = guarded_router("people")


@router.post("/api/people", status_code=201, summary="Add a person, service or agent")
async def add(body: AddPrincipal, services: Use, caller: Administrator) -> PrincipalOut:
    account = await accounts.add(
        services.database, caller, body.name, body.kind, body.roles, body.password, body.email, known_roles(services)
    )
    services.context.poke()
    return shown(account)


@router.get("/api/roles", summary="List the roles that people can have")
async def roles(services: Use, caller: Reader) -> RoleList:
    """Those of the policy in force."""
    return RoleList(roles=sorted(known_roles(services)))


@router.get("/api/people", summary="List people, services and agents")
async def page(services: Use, caller: Administrator, cursor: Cursor = None, limit: Limit = 100) -> PrincipalList:
    found = await accounts.page(services.database, caller, cursors.read(cursor), limit)
    following = cursors.following([each.principal.id for each in found], limit)
    return PrincipalList(people=[shown(each) for each in found], next=following)


@router.patch("/api/people/{principal_id:uuid}", summary="Change roles or password, deactivate or reactivate")
async def change(principal_id: UUID, body: ChangePrincipal, services: Use, caller: Administrator) -> PrincipalOut:
    """A deactivated principal loses all sessions, tokens and links at once. The last administrator stays."""
    account = await accounts.change(
        services.database,
        caller,
        principal_id,
        body.roles,
        body.active,
        body.password,
        body.email,
        body.trusted_claims,
        known_roles(services),
    )
    services.context.poke()
    return shown(account)


@router.post("/api/people/{principal_id:uuid}/login-link", status_code=201, summary="Create a one-time sign-in link")
async def login_link(principal_id: UUID, request: Request, services: Use, caller: Administrator) -> LoginLink:
    length = timedelta(seconds=services.settings.sign_in_link_seconds)
    link = await signing_in.make_link(services.database, caller, principal_id, length)
    services.context.poke()
    return LoginLink(url=sign_in_url(str(request.base_url), link.code), expires_at=link.expires_at)


@router.post("/api/people/{principal_id}/erase", summary="Erase an inactive person's name and texts")
async def erase(principal_id: UUID, services: Use, caller: Administrator) -> ErasedPrincipal:
    """What happened stays and can still be proved; names and free texts are removed. It cannot be undone."""
    done = await erasing.erase(services.database, caller, principal_id, services.keys.signer())
    services.context.poke()
    return ErasedPrincipal(id=principal_id, name=done.name, entries=done.entries)


def sign_in_url(base_url: str, code: str) -> str:
    """The code is in the fragment, which browsers keep to themselves: no server or proxy logs it."""
    return f"{base_url.rstrip('/')}/sign-in#code={code}"


def shown(account: Account) -> PrincipalOut:
    who = account.principal
    return PrincipalOut(
        id=who.id,
        name=who.name,
        kind=who.kind,
        roles=sorted(who.roles),
        email=account.email,
        active=who.active,
        trusted_claims=account.trusted_claims,
        created_at=account.created_at,
    )


def known_roles(services: Services) -> frozenset[str]:
    return frozenset({*services.context.policy().roles, ADMINISTRATOR, AUDITOR})
