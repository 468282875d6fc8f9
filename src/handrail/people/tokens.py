"""Make, change and revoke API tokens. Administrators do so for anyone, other people for themselves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple, TypedDict
from uuid import UUID

from handrail.core import errors, ids
from handrail.core.callers import Caller, Scope, scopes_of
from handrail.core.ids import PrincipalId, TokenId
from handrail.core.people import Account, Principal
from handrail.people import credentials
from handrail.people.events import TokenChanged, TokenMade, TokenRevoked
from handrail.people.signing_in import origin_for
from handrail.store import clock, events, people, tokens
from handrail.store.database import Connection, Database
from handrail.store.tokens import Token


class NewToken(NamedTuple):
    token: Token
    secret: str


async def make(
    database: Database,
    caller: Caller,
    principal: str,
    scopes: Collection[Scope] | None = None,
    expires_in: timedelta | None = None,
    label: str | None = None,
) -> NewToken:
    """A token of the principal with this id or name; its secret is here and nowhere else.

    Without `scopes` it carries all that the principal's kind and roles allow. One's own token made with a token
    neither does more nor lives longer than that one.
    """
    async with database.transaction() as conn:
        now = await clock.now(conn)
        owner = await _owner(conn, caller, principal)
        expires_at = now + expires_in if expires_in is not None else None
        allowed = scopes_of(owner.kind, owner.roles)
        if owner.id == caller.principal.id:
            allowed &= caller.scopes
            expires_at = _within(caller.expires_at, expires_at)
        chosen = _chosen(owner, allowed, scopes)
        origin = origin_for(owner.id, caller)
        token = Token(TokenId(ids.fresh()), owner, label, chosen, now, expires_at, origin=origin)
        secret = credentials.fresh_token()
        await tokens.insert(conn, token, credentials.hash_of(secret))
        await events.append(conn, [TokenMade(actor=caller.principal.id, **told(token))], now)
    return NewToken(token, secret)


async def change(
    database: Database,
    caller: Caller,
    token_id: UUID,
    changes: Collection[str],
    label: str | None,
    expires_in: timedelta | None,
) -> Token:
    """Changes the fields in `changes`. The expiry can be moved earlier, never later; an expired token stays expired."""
    async with database.transaction() as conn:
        now = await clock.now(conn)
        before = await _visible(conn, caller, token_id)
        _check_not_lesser(caller, before)
        if before.revoked_at is not None or (before.expires_at is not None and before.expires_at <= now):
            raise errors.Conflict("This token has ended for good; create a new one.")
        after = before
        if "label" in changes:
            after = replace(after, label=label)
        if "expires_in" in changes:
            after = replace(after, expires_at=_earlier(before.expires_at, expires_in, now))
        if after != before:
            await tokens.save(conn, after)
            await events.append(conn, [TokenChanged(actor=caller.principal.id, **told(after))], now)
    return after


async def revoke(database: Database, caller: Caller, token_id: UUID) -> None:
    """Takes effect with the next request anywhere. Revoking a token again changes nothing."""
    async with database.transaction() as conn:
        now = await clock.now(conn)
        token = await _visible(conn, caller, token_id)
        _check_not_lesser(caller, token)
        if token.revoked_at is None:
            await tokens.revoke(conn, token.id, now)
            await events.append(conn, [TokenRevoked(actor=caller.principal.id, **told(token))], now)


async def page(
    database: Database, caller: Caller, before: UUID | None = None, limit: int = 100, *, mine: bool = False
) -> Sequence[Token]:
    """All tokens for administrators, unless they want `mine`; their own for other persons; newest first."""
    _check_person(caller)
    owner = None if caller.administers and not mine else caller.principal.id
    async with database.connection() as conn:
        return await tokens.page(conn, owner, before, limit)


class TokenDescription(TypedDict):
    id: TokenId
    principal: PrincipalId
    label: str | None
    scopes: tuple[str, ...]
    expires_at: str | None


def told(token: Token) -> TokenDescription:
    """What an event says of a token."""
    return {
        "id": token.id,
        "principal": token.principal.id,
        "label": token.label,
        "scopes": tuple(sorted(token.scopes)),
        "expires_at": token.expires_at.isoformat() if token.expires_at else None,
    }


def _check_person(caller: Caller) -> None:
    if not caller.principal.is_person:
        raise errors.Forbidden("Only people manage tokens; ask an administrator.")


async def _owner(conn: Connection, caller: Caller, principal: str) -> Principal:
    _check_person(caller)
    account = await _named(conn, principal)
    if not caller.administers and (account is None or account.principal.id != caller.principal.id):
        raise errors.Forbidden("You can only create tokens for yourself; ask an administrator for others.")
    if account is None:
        raise errors.NotFound(f"There is no principal {principal!r}; add them first.")
    if not account.principal.active:
        raise errors.Conflict(f"{account.principal.name!r} is not active, so no token can be created.")
    return account.principal


async def _named(conn: Connection, principal: str) -> Account | None:
    try:
        return await people.steady(conn, UUID(principal))
    except ValueError:
        named = await people.by_name(conn, principal)
        return await people.steady(conn, named.principal.id) if named else None


def _chosen(owner: Principal, allowed: frozenset[Scope], scopes: Collection[Scope] | None) -> frozenset[Scope]:
    if scopes is None:
        return allowed
    beyond = sorted(set(scopes) - allowed)
    if beyond or not scopes:
        may = ", ".join(sorted(allowed))
        raise errors.InvalidField(f"`scopes`: a token for {owner.name} can have {may}", field="scopes")
    return frozenset(scopes)


def _within(longest: datetime | None, asked: datetime | None) -> datetime | None:
    if longest is None or (asked is not None and asked <= longest):
        return asked
    if asked is None:
        return longest
    raise errors.InvalidField(
        f"`expires_in` goes beyond the token you are using, which ends at {longest.isoformat()}", field="expires_in"
    )


def _earlier(end: datetime | None, asked: timedelta | None, now: datetime) -> datetime | None:
    sooner = now + asked if asked is not None else None
    if end is None or (sooner is not None and sooner <= end):
        return sooner
    raise errors.InvalidField(
        f"`expires_in`: the token ends at {end.isoformat()}; it can be shortened but not extended. Create a new one",
        field="expires_in",
    )


def _check_not_lesser(caller: Caller, token: Token) -> None:
    """A token must not change one that can do more; an administrator manages the tokens of others."""
    owner = token.principal
    if owner.id == caller.principal.id and not token.scopes & scopes_of(owner.kind, owner.roles) <= caller.scopes:
        raise errors.ScopeMissing("That token can do more than the one you are using. Sign in to change it.")


async def _visible(conn: Connection, caller: Caller, token_id: UUID) -> Token:
    _check_person(caller)
    token = await tokens.lock(conn, token_id)
    if token is None or not (caller.administers or token.principal.id == caller.principal.id):
        raise errors.NotFound(f"There is no token {token_id}, or it is not yours.")
    return token
