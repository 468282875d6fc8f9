"""Who is calling: tokens and sign-ins become a `Caller`; without one, guarded routes are closed."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Annotated, Any, NamedTuple

import structlog
from fastapi import APIRouter, Depends, Request, Response
from starlette.requests import HTTPConnection

from handrail.api.body import StrictRoute
from handrail.api.gate import SAFE_METHODS
from handrail.api.rates import Rates
from handrail.api.services import services_of
from handrail.core import errors
from handrail.core.callers import Caller, Scope, scopes_of
from handrail.core.credentials import Credential
from handrail.people import absences, credentials
from handrail.people.signing_in import caller_of as caller_of_sign_in
from handrail.people.sso import vouching
from handrail.people.sso.desk import SsoDesk
from handrail.store import sign_ins, tokens
from handrail.store.database import Database
from handrail.store.people import Standing

COOKIE = "handrail_session"
CSRF_HEADER = "X-CSRF-Token"
# a token's last use is written at most this often
USE_IS_NOTED_EVERY = timedelta(minutes=1)


class GuardedRoute(StrictRoute):
    """A route that is closed to strangers: who calls is known before the body is read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.openapi_extra = {"security": [{"bearer": []}, {"session": []}], **(self.openapi_extra or {})}

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def guarded(request: Request) -> Response:
            caller = await identify(request)
            if request.method not in SAFE_METHODS and caller.scopes <= {Scope.read}:
                raise errors.ScopeMissing("This token is read-only.")
            request.state.caller = caller
            return await handle(request)

        return guarded


def open_router(tag: str) -> APIRouter:
    """For the few routes that strangers may call."""
    return APIRouter(tags=[tag], route_class=StrictRoute)


def guarded_router(tag: str) -> APIRouter:
    """For all others."""
    return APIRouter(tags=[tag], route_class=GuardedRoute)


async def caller_of(connection: HTTPConnection) -> Caller:
    return connection.state.caller


def require(scope: Scope) -> Any:
    """The dependency that gives a route its caller, where the caller has this scope."""

    async def scoped(connection: HTTPConnection) -> Caller:
        caller = await caller_of(connection)
        caller.require(scope)
        return caller

    return Depends(scoped)


# the parameters by which a route gets its caller
AnyCaller = Annotated[Caller, Depends(caller_of)]
Reader = Annotated[Caller, require(Scope.read)]
Opener = Annotated[Caller, require(Scope.open)]
Decider = Annotated[Caller, require(Scope.decide)]
Administrator = Annotated[Caller, require(Scope.administer)]


async def identify(connection: HTTPConnection, token: str | None = None) -> Caller:
    """Who sends this, or whose token this is. Bad ones from one address are answered so often, then it has to wait.

    Good ones always pass: a program that repeats a bad token must not lock out its neighbours.
    """
    try:
        caller = await _vouched(connection, token)
    except errors.Unauthenticated as refusal:
        if type(refusal) is not errors.Unauthenticated:
            rates_of(connection).token_failure.hit(address_of(connection))
        raise
    structlog.contextvars.bind_contextvars(principal_id=str(caller.principal.id))
    return caller


async def _vouched(connection: HTTPConnection, token: str | None) -> Caller:
    """The caller; where a company's provider answers for them, as it does now."""
    presented = await _presented(connection, token)
    if presented.standing.provider_due and await vouching.check(sso_of(connection), presented.caller.principal.id):
        # their roles may have changed, or they are out
        presented = await _presented(connection, token)
    if not presented.standing.stands_in:
        return presented.caller
    return await absences.identified(services_of(connection).database, presented.caller)


class Presented(NamedTuple):
    """Whose credential it is, by one statement, and what else has to be looked at."""

    caller: Caller
    standing: Standing


async def _presented(connection: HTTPConnection, token: str | None) -> Presented:
    return await (_by_token(services_of(connection).database, token) if token else _caller(connection))


async def _caller(connection: HTTPConnection) -> Presented:
    database = services_of(connection).database
    header = connection.headers.get("authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise errors.Unauthenticated
        return await _by_token(database, token.strip())
    secret = connection.cookies.get(COOKIE)
    if secret:
        presented = await _by_cookie(database, secret)
        _check_csrf(connection, presented.caller)
        return presented
    raise errors.Unauthenticated


async def by_token(database: Database, secret: str) -> Caller:
    return (await _by_token(database, secret)).caller


async def _by_token(database: Database, secret: str) -> Presented:
    """One indexed read a request: a revoked token, a lost role or a principal made inactive shows at once."""
    async with database.connection() as conn:
        presented = await tokens.present(conn, credentials.hash_of(secret))
        if presented is None:
            raise errors.TokenUnknown
        token, now, standing = presented
        who = token.principal
        if not who.active:
            raise errors.PrincipalInactive
        if token.revoked_at is not None:
            raise errors.TokenRevoked
        if token.expires_at is not None and token.expires_at <= now:
            raise errors.TokenExpired
        if token.last_used_at is None or now - token.last_used_at >= USE_IS_NOTED_EVERY:
            await tokens.note_use(conn, token.id, now)
    scopes = scopes_of(who.kind, who.roles) & {Scope(scope) for scope in token.scopes}
    credential = Credential("token", token.id, frozenset(scopes), token.origin)
    return Presented(Caller(who, scopes, credential, token.expires_at), standing)


async def by_cookie(database: Database, secret: str) -> Caller:
    return (await _by_cookie(database, secret)).caller


async def _by_cookie(database: Database, secret: str) -> Presented:
    async with database.connection() as conn:
        sign_in = await sign_ins.open_one(conn, credentials.hash_of(secret))
    if sign_in is None:
        raise errors.SignInEnded
    if not sign_in.principal.active:
        raise errors.PrincipalInactive
    return Presented(caller_of_sign_in(sign_in), sign_in.standing)


def _check_csrf(connection: HTTPConnection, caller: Caller) -> None:
    # a page cannot set a header on a WebSocket: there the gate's check of the origin stands in
    if connection.scope["type"] == "websocket" or connection.scope["method"] in SAFE_METHODS:
        return
    sent = connection.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(sent.encode(), (caller.csrf_token or "").encode()) or not sent:
        raise errors.CsrfFailed


def sso_of(connection: HTTPConnection) -> SsoDesk:
    return connection.app.state.sso


def rates_of(connection: HTTPConnection) -> Rates:
    return connection.app.state.rates


def address_of(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else "unknown"
