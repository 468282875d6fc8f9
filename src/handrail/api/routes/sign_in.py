"""Sign-ins, and who one is."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from fastapi import Request, Response

from handrail.api.identity import COOKIE, AnyCaller, address_of, by_cookie, guarded_router, open_router, rates_of
from handrail.api.schemas.sign_in import Me, SetPassword, SignIn, SignInList, SignInOut
from handrail.api.services import Services, Use
from handrail.core import errors
from handrail.core.callers import Caller
from handrail.people import guessing, own_passwords, own_sign_ins, signing_in
from handrail.people.guessing import Allowance, Client
from handrail.people.signing_in import SignedIn
from handrail.settings import Settings

# by which a browser is known at the next sign-in; it signs nobody in
DEVICE = "handrail_device"

# what a browser says of itself
LONGEST_BROWSER = 300

router = open_router("sign-in")
guarded = guarded_router("sign-in")


@router.post("/api/sign-in", summary="Sign in with a password or a one-time code")
async def sign_in(body: SignIn, request: Request, response: Response, services: Use) -> Me:
    """Sets the cookie. Send `csrf_token` back as `X-CSRF-Token` with every request that changes something."""
    here = await _here(request, services)
    signed_in = await _signed_in(body, request, services, here)
    if here is not None:
        await signing_in.sign_out(services.database, here, request.cookies[COOKIE])
    secure = request.url.scheme == "https"
    length = services.settings.session_seconds
    response.set_cookie(COOKIE, signed_in.secret, max_age=length, httponly=True, samesite="strict", secure=secure)
    response.set_cookie(
        DEVICE,
        signed_in.device,
        max_age=guessing.DEVICE_DAYS * 86400,
        path="/api/sign-in",
        httponly=True,
        samesite="strict",
        secure=secure,
    )
    services.context.poke()
    return shown(signed_in.caller)


async def _here(request: Request, services: Services) -> Caller | None:
    """Who is signed in in this browser already."""
    try:
        secret = request.cookies.get(COOKIE)
        return await by_cookie(services.database, secret) if secret else None
    except errors.Unauthenticated:
        return None


async def _signed_in(body: SignIn, request: Request, services: Services, here: Caller | None) -> SignedIn:
    settings = services.settings
    length = timedelta(seconds=settings.session_seconds)
    browser = request.headers.get("user-agent")
    client = Client(address_of(request), request.cookies.get(DEVICE), browser[:LONGEST_BROWSER] if browser else None)
    match body:
        case SignIn(code=str(code), name=None, password=None):
            try:
                return await signing_in.by_code(services.database, code, length, client, None if body.replace else here)
            except errors.SignInFailed:
                rates_of(request).token_failure.hit(client.address)
                raise
        case SignIn(code=None, name=str(name), password=str(password)):
            return await signing_in.by_password(services.database, name, password, length, client, allowance(settings))
        case _:
            raise errors.MissingField("Send `name` and `password`, or `code` alone.", field="name")


def allowance(settings: Settings) -> Allowance:
    return Allowance(settings.wrong_passwords_per_name, settings.wrong_passwords_per_address)


@guarded.post("/api/sign-out", status_code=204, summary="End this sign-in")
async def sign_out(request: Request, response: Response, services: Use, caller: AnyCaller) -> None:
    if caller.csrf_token is None:
        raise errors.Conflict("A token cannot sign out. Revoke it with DELETE /api/tokens/{id}.")
    await signing_in.sign_out(services.database, caller, request.cookies[COOKIE])
    response.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=request.url.scheme == "https")
    services.context.poke()


@guarded.post("/api/sign-out-everywhere", status_code=204, summary="End all your sign-ins")
async def sign_out_everywhere(response: Response, services: Use, caller: AnyCaller) -> None:
    """Tokens stay valid; revoke them one by one."""
    await own_sign_ins.end_all(services.database, caller)
    services.context.poke()


@guarded.get("/api/me", summary="Who you are, and what you may do")
async def me(caller: AnyCaller) -> Me:
    return shown(caller)


@guarded.post("/api/me/password", summary="Set your own password")
async def set_password(body: SetPassword, services: Use, caller: AnyCaller) -> Me:
    """Makes the token or sign-in you send it with your own. All your other sign-ins and links end."""
    after = await own_passwords.set_password(
        services.database, caller, body.password, body.current, allowance(services.settings)
    )
    services.context.poke()
    return shown(after)


@guarded.get("/api/me/sign-ins", summary="List your last sign-ins")
async def list_sign_ins(services: Use, caller: AnyCaller) -> SignInList:
    """Newest first: those that are open, and the last 20."""
    here = caller.credential.id if caller.credential else None
    found = await own_sign_ins.last(services.database, caller)
    return SignInList(sign_ins=[SignInOut(**each._asdict(), current=each.id == here) for each in found])


@guarded.delete("/api/me/sign-ins/{sign_in_id:uuid}", status_code=204, summary="End one of your sign-ins")
async def end_sign_in(sign_in_id: UUID, services: Use, caller: AnyCaller) -> None:
    """Takes effect with that browser's next request."""
    await own_sign_ins.end(services.database, caller, sign_in_id)
    services.context.poke()


@guarded.post("/api/me/sign-ins/end-others", status_code=204, summary="End all your sign-ins except this one")
async def end_other_sign_ins(services: Use, caller: AnyCaller) -> None:
    """Tokens stay; revoke those one by one."""
    await own_sign_ins.end_others(services.database, caller)
    services.context.poke()


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
