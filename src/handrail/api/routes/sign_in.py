"""Browser sessions, and who one is."""

from __future__ import annotations

from datetime import timedelta

from fastapi import Request, Response

from handrail.api.identity import COOKIE, AnyCaller, address_of, guarded_router, open_router, rates_of
from handrail.api.schemas.sign_in import Me, SetPassword, SignIn
from handrail.api.services import Services, Use
from handrail.core import errors
from handrail.core.callers import Caller
from handrail.people import own_passwords, signing_in
from handrail.people.signing_in import SignedIn

router = open_router("sign-in")
guarded = guarded_router("sign-in")


@router.post("/api/sign-in", summary="Sign in with a password or a one-time code")
async def sign_in(body: SignIn, request: Request, response: Response, services: Use) -> Me:
    """Sets the session's cookie. Send `csrf_token` back as `X-CSRF-Token` with everything that changes something."""
    rates_of(request).sign_in_address.hit(address_of(request))
    signed_in = await _signed_in(body, request, services)
    response.set_cookie(
        COOKIE,
        signed_in.secret,
        max_age=services.settings.session_seconds,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    services.context.poke()
    return shown(signed_in.caller)


async def _signed_in(body: SignIn, request: Request, services: Services) -> SignedIn:
    length = timedelta(seconds=services.settings.session_seconds)
    match body:
        case SignIn(code=str(code), name=None, password=None):
            return await signing_in.by_code(services.database, code, length)
        case SignIn(code=None, name=str(name), password=str(password)):
            rates_of(request).sign_in_name.hit(name.casefold())
            return await signing_in.by_password(services.database, name, password, length)
        case _:
            raise errors.MissingField("Send `name` and `password`, or `code` alone.", field="name")


@guarded.post("/api/sign-out", status_code=204, summary="End this browser session")
async def sign_out(request: Request, response: Response, services: Use, caller: AnyCaller) -> None:
    if caller.csrf_token is None:
        raise errors.Conflict("A token does not sign out: revoke it with DELETE /api/tokens/{id}.")
    await signing_in.sign_out(services.database, caller, request.cookies[COOKIE])
    response.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=request.url.scheme == "https")
    services.context.poke()


@guarded.post("/api/sign-out-everywhere", status_code=204, summary="End all one's browser sessions")
async def sign_out_everywhere(response: Response, services: Use, caller: AnyCaller) -> None:
    """Tokens stay; revoke those one by one."""
    await signing_in.sign_out_everywhere(services.database, caller)
    services.context.poke()


@guarded.get("/api/me", summary="Who one is, and what one may do")
async def me(caller: AnyCaller) -> Me:
    return shown(caller)


@guarded.post("/api/me/password", summary="Set one's own password")
async def set_password(body: SetPassword, services: Use, caller: AnyCaller) -> Me:
    """Makes the token or session that it is sent with one's own. All other sessions and links end."""
    after = await own_passwords.set_password(services.database, caller, body.password, body.current)
    services.context.poke()
    return shown(after)


def shown(caller: Caller) -> Me:
    who = caller.principal
    return Me(
        id=who.id,
        name=who.name,
        kind=who.kind,
        roles=sorted(who.roles),
        scopes=sorted(caller.scopes),
        csrf_token=caller.csrf_token,
        own_credential=caller.origin.own,
    )
