"""What a browser brings along and takes away when somebody signs in: its cookies, and who it says it is."""

from __future__ import annotations

from fastapi import Request, Response

from handrail.api.identity import COOKIE, address_of, by_cookie
from handrail.api.services import services_of
from handrail.core import errors
from handrail.core.callers import Caller
from handrail.people import guessing
from handrail.people.guessing import Client
from handrail.people.signing_in import SignedIn
from handrail.settings import Settings

# by which a browser is known at the next sign-in; it signs nobody in
DEVICE = "handrail_device"

# what a browser says of itself
LONGEST_BROWSER = 300


def client_of(request: Request) -> Client:
    browser = request.headers.get("user-agent")
    return Client(address_of(request), request.cookies.get(DEVICE), browser[:LONGEST_BROWSER] if browser else None)


async def here(request: Request) -> Caller | None:
    """Who is signed in in this browser already."""
    try:
        secret = request.cookies.get(COOKIE)
        return await by_cookie(services_of(request).database, secret) if secret else None
    except errors.Unauthenticated:
        return None


def remember(request: Request, response: Response, signed_in: SignedIn, settings: Settings) -> None:
    """The cookies of a sign-in."""
    secure = request.url.scheme == "https"
    length = settings.session_seconds
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
