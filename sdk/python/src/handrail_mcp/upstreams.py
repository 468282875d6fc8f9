"""One MCP server behind the gateway, for one session: its connection, what it can do, and its tools."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

from .config import Server, home
from .messages import Json, Wire
from .peers import INTERNAL, Gone, Handler, Peer, Refused
from .pins import Changes, Pins
from .processes import Warden

START_SECONDS = 60.0
LIST_SECONDS = 30.0
CALL_SECONDS = 3600.0
MOST_PAGES = 100
MOST_LISTED = 5000
MOST_NOTES_A_SECOND = 200
"""Notes for people's eyes beyond this are dropped: logs and progress of a server that floods."""


class Upstream:
    """`started` is set once it has answered `initialize`, or never will."""

    def __init__(
        self, server: Server, warden: Warden, handler: Handler, on_end: Callable[[Upstream], Awaitable[None]]
    ) -> None:
        self.server, self.name = server, server.name
        self._warden, self._handler, self._on_end = warden, handler, on_end
        self._peer: Peer | None = None
        self._task: asyncio.Task[None] | None = None
        self._connected = asyncio.Event()
        self._second, self._notes = 0, 0
        self.why_away = "has not been started"
        self.about: Json = {}
        """Its answer to `initialize`."""
        self.tools: dict[str, Json] | None = None
        """Those that may be shown and called, once they have been listed."""
        self.hidden: set[str] = set()
        """Those that changed since they were approved."""
        self.pins = Pins(server, home() / "pins")
        self.tokens: set[str | int] = set()
        """Of the requests that it works on now."""

    @property
    def capabilities(self) -> Json:
        found: Any = self.about.get("capabilities")
        return cast(Json, found) if isinstance(found, dict) else {}

    def can(self, what: str) -> bool:
        return self._peer is not None and what in self.capabilities

    def is_of(self, peer: Peer) -> bool:
        return self._peer is peer

    async def start(self, params: Json) -> None:
        """Connects and introduces the client. Refused says why it is away."""
        self._task = asyncio.create_task(self._run())
        opened = asyncio.create_task(self._connected.wait())
        await asyncio.wait((self._task, opened), timeout=START_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        opened.cancel()
        self.about = await self.request("initialize", params, START_SECONDS)

    async def request(self, method: str, params: Json | None, seconds: float | None = LIST_SECONDS) -> Json:
        if self._peer is None:
            raise Gone(f"The MCP server is away: {self.name} {self.why_away}")
        return await self._peer.request(method, params, seconds)

    async def notify(self, method: str, params: Json | None = None) -> None:
        if self._peer is not None:
            await self._peer.notify(method, params)

    async def ended(self) -> None:
        """Returns when the connection has."""
        if self._task is not None:
            await asyncio.wait((self._task,))

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def listed(self, method: str, what: str) -> list[Json]:
        """All pages of a list. A list without end is refused."""
        found: list[Json] = []
        cursor: object = None
        for _ in range(MOST_PAGES):
            page = await self.request(method, None if cursor is None else {"cursor": cursor})
            entries: Any = page.get(what)
            found += [entry for entry in cast("list[Any]", entries) if isinstance(entry, dict)] if entries else []
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str) or not cursor:
                return found
            if len(found) > MOST_LISTED:
                break
        raise Refused(INTERNAL, f"The MCP server {self.name} lists {what} without end")

    async def list_tools(self) -> Changes | None:
        """Lists its tools by their names, of which the first counts; what changed is hidden and returned."""
        found: dict[str, Json] = {}
        for tool in await self.listed("tools/list", "tools"):
            if isinstance(tool.get("name"), str):
                found.setdefault(tool["name"], tool)
        changes = self.pins.compared(found)
        self.hidden = set(changes.after) if changes else set()
        self.tools = {name: tool for name, tool in found.items() if name not in self.hidden}
        return changes

    def floods(self) -> bool:
        """Counts a note; whether there were too many this second."""
        second = int(time.monotonic())
        if second != self._second:
            self._second, self._notes = second, 0
        self._notes += 1
        return self._notes > MOST_NOTES_A_SECOND

    async def _run(self) -> None:
        try:
            async with self._connection() as wire:
                self._peer = Peer(f"The MCP server {self.name}", wire, self._handler)
                self.why_away = "has not answered yet"
                self._connected.set()
                await self._peer.run()
                self.why_away = "has ended"
        except OSError as error:
            self.why_away = f"cannot be started ({error.strerror or type(error).__name__})"
        finally:
            self._peer = None
        await self._on_end(self)

    @asynccontextmanager
    async def _connection(self) -> AsyncGenerator[Wire]:
        if self.server.url is None:
            async with self._warden.running(self.server.command, self.server.variables, self.server.folder) as started:
                yield started[1]
            return
        from .http_upstream import connected

        async with connected(self.server) as wire:
            yield wire
