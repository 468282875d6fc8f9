"""API tokens: made, listed, changed and revoked."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated
from uuid import UUID

from fastapi import Query

from handrail.api import cursors
from handrail.api.cursors import Cursor, Limit
from handrail.api.identity import AnyCaller, guarded_router
from handrail.api.schemas.people import Who
from handrail.api.schemas.tokens import ChangeToken, MakeToken, TokenList, TokenMade, TokenOut
from handrail.api.services import Use
from handrail.people import tokens
from handrail.store.tokens import Token

router = guarded_router("tokens")


@router.post("/api/tokens", status_code=201, summary="Create a token")
async def make(body: MakeToken, services: Use, caller: AnyCaller) -> TokenMade:
    """For yourself; administrators can make one for anyone. The token is shown only once."""
    made = await tokens.make(
        services.database, caller, body.principal, body.scopes, _length(body.expires_in), body.label
    )
    services.context.poke()
    return TokenMade(**shown(made.token).model_dump(), token=made.secret)


@router.get("/api/tokens", summary="List tokens")
async def page(
    services: Use,
    caller: AnyCaller,
    cursor: Cursor = None,
    limit: Limit = 100,
    mine: Annotated[bool, Query(description="Only your own, also for administrators.")] = False,
) -> TokenList:
    """Your own, newest first; for administrators, all."""
    found = await tokens.page(services.database, caller, cursors.read(cursor), limit, mine=mine)
    return TokenList(tokens=[shown(each) for each in found], next=cursors.following([each.id for each in found], limit))


@router.patch("/api/tokens/{token_id:uuid}", summary="Change a token's label or expiry")
async def change(token_id: UUID, body: ChangeToken, services: Use, caller: AnyCaller) -> TokenOut:
    """Only the fields you send change. An expiry can be moved earlier, never later, and not removed."""
    token = await tokens.change(
        services.database, caller, token_id, body.model_fields_set, body.label, _length(body.expires_in)
    )
    services.context.poke()
    return shown(token)


@router.delete("/api/tokens/{token_id:uuid}", status_code=204, summary="Revoke a token")
async def revoke(token_id: UUID, services: Use, caller: AnyCaller) -> None:
    await tokens.revoke(services.database, caller, token_id)
    services.context.poke()


def _length(seconds: float | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=seconds)


def shown(token: Token) -> TokenOut:
    owner = token.principal
    return TokenOut(
        id=token.id,
        principal=Who(id=owner.id, name=owner.name, kind=owner.kind),
        label=token.label,
        scopes=sorted(token.scopes),
        created_at=token.created_at,
        expires_at=token.expires_at,
        revoked_at=token.revoked_at,
        last_used_at=token.last_used_at,
        own=token.origin.own,
    )
