"""The web pages: built files, and the one page that all addresses of the application open."""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from handrail.core import errors

# where `make setup` builds them
FOLDER = Path(__file__).parents[1] / "web"
PAGE = "/index.html"
ASSETS = "/assets/"
# these belong to programs: an address of theirs that does not exist is a problem, not a page
OF_PROGRAMS = ("/api/", "/ws/")
# what a program finds at the root
SIGNPOST = """Handrail holds an agent's action until the right people have decided.

In a browser, this address is the inbox. For programs:
  /health         whether the server works
  /docs           the API to read, in a browser
  /openapi.json   the API as OpenAPI
  /api/holds      open and decide, with a token: Authorization: Bearer hr_...
On the command line: handrail login, handrail pending
"""
# no inline script or style, nothing from elsewhere, no page of others around ours
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# the name of a built asset carries the hash of its content
FOR_EVER = "public, max-age=31536000, immutable"
ASK_EACH_TIME = "no-cache"


class Pages:
    """Answers what no route does: a file that was built, or the page where a browser goes to an address.

    The files are those that were there at the start: nothing in an address is ever a path of this machine. What was
    asked for once stays in memory: a page is forty files, and all of them are 3 MB.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files = _built(folder)
        self._contents: dict[Path, bytes] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in {"GET", "HEAD"}:
            raise HTTPException(404)
        answer = await self._answer(scope["path"], Headers(scope=scope))
        await answer(scope, receive, send)

    async def _answer(self, path: str, asked: Headers) -> Response:
        if path in self._files and path != PAGE:
            found = await self._file(path, asked, FOR_EVER if path.startswith(ASSETS) else ASK_EACH_TIME)
            # a worker has the policy that its script came with
            if path.endswith((".html", ".js")):
                found.headers["Content-Security-Policy"] = PAGE_POLICY
            return found
        if path == "/" and "text/html" not in asked.get("accept", ""):
            return PlainTextResponse(SIGNPOST)
        if path.startswith((*OF_PROGRAMS, ASSETS)) or "text/html" not in asked.get("accept", ""):
            raise HTTPException(404)
        if PAGE not in self._files:
            raise errors.NotFound("The web pages are not built: run `make setup`, then start the server again.")
        page = await self._file(PAGE, asked, ASK_EACH_TIME)
        page.headers["Content-Security-Policy"] = PAGE_POLICY
        return page

    async def _file(self, path: str, asked: Headers, lifetime: str) -> Response:
        """Compressed where the build made it so and the browser takes it."""
        headers = {"Cache-Control": lifetime, "Vary": "Accept-Encoding"}
        file = self._files[path]
        if "gzip" in asked.get("accept-encoding", "") and f"{path}.gz" in self._files:
            file = self._files[f"{path}.gz"]
            headers["Content-Encoding"] = "gzip"
        if file not in self._contents:
            self._contents[file] = await asyncio.to_thread(file.read_bytes)
        return Response(self._contents[file], media_type=mimetypes.guess_type(path)[0], headers=headers)


@cache
def _built(folder: Path) -> Mapping[str, Path]:
    return {f"/{path.relative_to(folder).as_posix()}": path for path in folder.rglob("*") if path.is_file()}
