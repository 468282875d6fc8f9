"""What every request passes first: host, origin, the text of its address; and the headers that every answer carries."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import unquote_to_bytes, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from handrail.api import problems
from handrail.core import errors
from handrail.settings import Settings

CHAT_PATH = "/ws/chat/"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# pages that need more than this set their own policy
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Gate:
    """Refuses requests that name a host we do not serve, come from a foreign page, or hold text we cannot keep."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._hosts = frozenset(settings.allowed_hosts)
        self._origins = frozenset(settings.allowed_origins)
        self._chat_origins = self._origins | frozenset(settings.websocket_cors_origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            self._check(scope)
        except errors.Rejected as refusal:
            # starlette turns it into the refusal of the handshake where the scope is a WebSocket
            await problems.response(refusal)(scope, receive, with_headers)
            return
        await self._app(scope, receive, with_headers)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        self._check_host(headers)
        if scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS:
            self._check_origin(headers, self._chat_origins if scope["path"].startswith(CHAT_PATH) else self._origins)
        check_text(scope.get("raw_path") or scope["path"].encode(), "address")
        check_text(scope["query_string"], "query")

    def _check_host(self, headers: Headers) -> None:
        named = headers.getlist("host")
        if len(named) != 1 or host_name(named[0]) not in self._hosts:
            raise errors.HostRefused

    def _check_origin(self, headers: Headers, allowed: Collection[str]) -> None:
        """Browsers say where a request comes from; programs do not, and carry a token instead of a cookie."""
        origin = headers.get("origin")
        if origin is None:
            if headers.get("sec-fetch-site") == "cross-site":
                raise errors.OriginRefused
        elif origin not in allowed and urlsplit(origin).netloc != headers["host"]:
            raise errors.OriginRefused


def host_name(host: str) -> str:
    """The name in a Host header, without its port; empty where there is none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def check_text(raw: bytes, where: str) -> None:
    """Refuses bad UTF-8 and NUL, percent-encoded or not: no text of the database can hold them."""
    plain = unquote_to_bytes(raw)
    if b"\x00" in plain:
        raise errors.NulByte(f"The {where} contains a NUL character")
    try:
        plain.decode()
    except UnicodeDecodeError:
        raise errors.BadUtf8(f"The {where} is not valid UTF-8") from None
