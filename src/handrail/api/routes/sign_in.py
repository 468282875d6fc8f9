"""Sign-ins, and who one is."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from fastapi import Request, Response

from handrail.api.browsers import client_of, here, remember
from handrail.api.identity import COOKIE, AnyCaller, guarded_router, open_router, rates_of, sso_of
from handrail.api.schemas.sign_in import DatesBody, Me, SetPassword, SignIn, SignInList, SignInOut
from handrail.api.services import Services, Use
from handrail.core import errors
from handrail.core.callers import Caller
from handrail.people import own_dates, own_passwords, own_sign_ins, signing_in
from handrail.people.guessing import Allowance
from handrail.people.signing_in import SignedIn
from handrail.settings import Settings
from handrail.store.date_choices import Dates

router = open_router("sign-in")
guarded = guarded_router("sign-in")


@router.post("/api/sign-in", summary="Sign in with a password or a one-time code")
async def sign_in(body: SignIn, request: Request, response: Response, services: Use) -> Me:
    """Sets the cookie. Send `csrf_token` back as `X-CSRF-Token` with every request that changes something."""
    before = await here(request)
    signed_in = await _signed_in(body, request, services, before)
    if before is not None:
        await signing_in.sign_out(services.database, before, request.cookies[COOKIE])
    remember(request, response, signed_in, services.settings)
    services.context.poke()
    return await shown(services, signed_in.caller)


async def _signed_in(body: SignIn, request: Request, services: Services, before: Caller | None) -> SignedIn:
    settings, database = services.settings, services.database
    length = timedelta(seconds=settings.session_seconds)
    client, local = client_of(request), sso_of(request).providers.local
    match body:
        case SignIn(code=str(code), name=None, password=None):
            try:
                replaced = None if body.replace else before
                return await signing_in.by_code(database, code, length, client, replaced, local)
            except errors.SignInFailed:
                rates_of(request).token_failure.hit(client.address)
                raise
        case SignIn(code=None, name=str(name), password=str(password)):
            return await signing_in.by_password(database, name, password, length, client, allowance(settings), local)
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
async def me(services: Use, caller: AnyCaller) -> Me:
    return await shown(services, caller)


@guarded.post("/api/me/password", summary="Set your own password")
async def set_password(body: SetPassword, services: Use, caller: AnyCaller) -> Me:
    """Makes the token or sign-in you send it with your own. All your other sign-ins and links end."""
    after = await own_passwords.set_password(
        services.database, caller, body.password, body.current, allowance(services.settings)
    )
    services.context.poke()
    return await shown(services, after)


@guarded.put("/api/me/dates", summary="Set how you read dates")
async def set_dates(body: DatesBody, services: Use, caller: AnyCaller) -> Me:
    """Your time zone and your language of dates, on every device."""
    await own_dates.choose(services.database, caller, Dates(body.zone, body.language))
    return await shown(services, caller)


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


async def shown(services: Services, caller: Caller) -> Me:
    who, dates = caller.principal, await own_dates.of(services.database, caller)
    return Me(
        id=who.id,
        name=who.name,
        kind=who.kind,
        roles=sorted(who.roles),
        scopes=sorted(caller.scopes),
        csrf_token=caller.csrf_token,
        cursor=services.feed.head,
        own_credential=caller.origin.own,
        dates=DatesBody(zone=dates.zone, language=dates.language),
    )
