"""Company sign-in: the providers, the way there and back, logout by the provider, and what groups give."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Annotated
from urllib.parse import parse_qs, urlencode

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from handrail.api import problems
from handrail.api.browsers import client_of, here, remember
from handrail.api.identity import Administrator, AnyCaller, address_of, guarded_router, open_router, rates_of, sso_of
from handrail.api.schemas.sso import LinkStart, OwnSso, PreviewSso, ProviderList, ProviderOut, SsoPreview
from handrail.api.services import Use
from handrail.core import errors
from handrail.people.sso import arriving, leaving, roles
from handrail.people.sso.arriving import Departure
from handrail.store import sso

# binds the way back to the browser that began; Lax, because the provider's page sends people here
FLOW_COOKIE = "handrail_sso"
FLOW_PATH = "/api/sso"
LARGEST_LOGOUT = 1 << 16

router = open_router("sign-in")
# providers add parameters of their own to the way back
returning = APIRouter(tags=["sign-in"])
guarded = guarded_router("sign-in")


@router.get("/api/sso/providers", summary="List the company's sign-in providers")
async def providers(request: Request) -> ProviderList:
    found = sso_of(request).providers
    each = [ProviderOut(name=p.name, title=p.title, start=f"/api/sso/{p.name}/start") for p in found.each.values()]
    return ProviderList(providers=each, local_sign_in=found.local or "everyone")


@router.get(
    "/api/sso/{provider}/start", status_code=303, summary="Sign in with a provider", response_class=RedirectResponse
)
async def start(
    provider: str,
    request: Request,
    following: Annotated[str | None, Query(alias="next", description="The page to open afterwards.")] = None,
) -> Response:
    """Sends the browser to the provider, which sends it back to `/api/sso/{provider}/callback`."""
    rates_of(request).sso_start.hit(address_of(request))
    try:
        departure = await arriving.depart(sso_of(request), provider, following, await here(request))
    except errors.HandrailError as refusal:
        return _refused(provider, refusal)
    answer = RedirectResponse(departure.url, 303)
    _remember_flow(request, answer, departure)
    return answer


@returning.get(
    "/api/sso/{provider}/callback",
    status_code=303,
    summary="The way back from a provider",
    response_class=RedirectResponse,
)
async def callback(provider: str, request: Request, services: Use) -> Response:
    """For browsers. Sets the session's cookie and opens the page that was asked for."""
    given = request.query_params.multi_items()
    try:
        if any(times > 1 for times in Counter(name for name, _ in given).values()):
            raise errors.SsoRefused("The answer says something twice.")
        length = timedelta(seconds=services.settings.session_seconds)
        secret = request.cookies.get(FLOW_COOKIE, "")
        arrival = await arriving.arrive(sso_of(request), provider, dict(given), secret, client_of(request), length)
    except errors.HandrailError as refusal:
        answer = _refused(provider, refusal)
    else:
        answer = RedirectResponse(arrival.next, 303)
        remember(request, answer, arrival.signed_in, services.settings)
    answer.delete_cookie(FLOW_COOKIE, path=FLOW_PATH)
    services.context.poke()
    return answer


@returning.post("/api/sso/{provider}/back-channel-logout", summary="For providers: end a person's sign-ins")
async def back_channel_logout(provider: str, request: Request, services: Use) -> Response:
    """OpenID Connect Back-Channel Logout 1.0: a form with a signed `logout_token`, which works once."""
    try:
        token = await _logout_token(request)
        await leaving.log_out(sso_of(request), provider, token)
    except errors.SsoRefused as refusal:
        rates_of(request).token_failure.hit(address_of(request))
        return problems.response(refusal, status=400)
    services.context.poke()
    return Response(status_code=200)


@guarded.get("/api/me/sso", summary="Which provider you sign in with")
async def own(request: Request, caller: AnyCaller) -> OwnSso:
    desk = sso_of(request)
    async with desk.database.connection() as conn:
        bound = await sso.of_principal(conn, caller.principal.id)
    known = desk.providers.each.get(bound.provider) if bound else None
    return OwnSso(provider=bound.provider if bound else None, title=known.title if known else None)


@guarded.post("/api/sso/{provider}/link", summary="Link your account to a provider")
async def link(provider: str, request: Request, response: Response, caller: AnyCaller) -> LinkStart:
    """From then on you sign in there, and your roles come from your groups."""
    departure = await arriving.depart(sso_of(request), provider, "/account", caller, link=True)
    _remember_flow(request, response, departure)
    return LinkStart(url=departure.url)


@guarded.post("/api/sso/preview", summary="See what a person with these groups would get")
async def preview(body: PreviewSso, request: Request, services: Use, caller: Administrator) -> SsoPreview:
    desk = sso_of(request)
    given = roles.given(desk.client(body.provider).provider, body.groups, desk.roles())
    policy = services.context.policy()
    levels = {level for role in given.roles for level in policy.roles.get(role, ())}
    return SsoPreview(
        admitted=bool(given.roles),
        roles=sorted(given.roles),
        levels=[level.value for level in sorted(levels, key=lambda level: level.rank)],
        unlisted_groups=list(given.unlisted),
        unknown_roles=list(given.unknown),
    )


async def _logout_token(request: Request) -> str:
    raw = b""
    async for part in request.stream():
        raw += part
        if len(raw) > LARGEST_LOGOUT:
            raise errors.BodyTooLarge("A logout token has at most 64 KiB.")
    try:
        tokens = parse_qs(raw.decode(), max_num_fields=10).get("logout_token", [])
    except ValueError:
        tokens = []
    if len(tokens) != 1:
        raise errors.SsoRefused("Send a form with one `logout_token`.")
    return tokens[0]


def _remember_flow(request: Request, answer: Response, departure: Departure) -> None:
    answer.set_cookie(
        FLOW_COOKIE,
        departure.browser,
        max_age=int(arriving.FLOW_LENGTH.total_seconds()),
        path=FLOW_PATH,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def _refused(provider: str, refusal: errors.HandrailError) -> Response:
    """Back to the sign-in page with the code alone: an address must not put words into the page's mouth."""
    return RedirectResponse(f"/sign-in?{urlencode({'problem': refusal.code, 'provider': provider})}", 303)
