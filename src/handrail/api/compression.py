"""Answers of the API, compressed where that saves something."""

from __future__ import annotations

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

# One hold is smaller, and so is who is signed in: that answer holds a secret, whose length must not show through what
# was compressed with it.
SMALLEST = 4_000
# most of what there is to save, at a third of the time that the highest takes
EFFORT = 4
OF_PROGRAMS = ("/api/", "/openapi.json")


class Compression:
    """Lists are; event streams and files that were built compressed are left alone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._compressed = GZipMiddleware(app, minimum_size=SMALLEST, compresslevel=EFFORT)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        meant = scope["type"] == "http" and scope["method"] == "GET" and scope["path"].startswith(OF_PROGRAMS)
        await (self._compressed if meant else self._app)(scope, receive, send)
