"""One client and its own connections to the servers: all it asks goes to the right one, tool calls through the gate."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from collections.abc import Callable, Sequence
from typing import Any, cast

from handrail_sdk import AsyncHandrail
from handrail_sdk.errors import HandrailError

from . import names, results
from .config import Server
from .gates import Allowed, Call, Denied, Gate
from .messages import Json, Wire
from .peers import INVALID, INVALID_REQUEST, NO_METHOD, Gone, Incoming, Peer, Refused
from .processes import Warden
from .reviewing import Reviews
from .routing import Routes, forward
from .upstreams import Upstream
from .waiting import Patience, answered

_FROM_SERVERS = ("sampling/createMessage", "elicitation/create", "roots/list")
_NOTES = ("notifications/message", "notifications/progress")
_CHANGED = "notifications/tools/list_changed"
LONGEST_DESCRIPTION = 2000


class Session:
    """With `prefixed`, tools are `SERVER__NAME`; without, there is one server, and they keep their names."""

    def __init__(
        self,
        handrail: AsyncHandrail,
        servers: Sequence[Server],
        warden: Warden,
        wire: Wire,
        *,
        prefixed: bool,
        patience: Patience,
        mark: str | None = None,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._handrail, self._patience, self._say = handrail, patience, say
        self._prefixed = prefixed
        self._upstreams = [Upstream(server, warden, self, self._on_end) for server in servers]
        self._ended = asyncio.Event()
        self._down = Peer("The client", wire, self)
        self._mark = mark or hashlib.sha256(os.fsencode(os.getcwd())).hexdigest()[:8]  # noqa: PTH109 - as bytes
        self._reviews = Reviews(handrail, say)
        self._gate: Gate | None = None
        self._client = "client"
        self._starting: list[asyncio.Task[None]] = []
        self._introduced = False
        self._routes = Routes(self._upstreams, say, prefixed=prefixed)

    @property
    def down(self) -> Peer:
        return self._down

    async def run(self) -> None:
        """Until the client ends, or, if there is one server, that does."""
        serving, ended = asyncio.create_task(self._down.run()), asyncio.create_task(self._ended.wait())
        try:
            await asyncio.wait((serving, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            tasks = (serving, ended, *self._starting)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.gather(self._reviews.close(), *(one.stop() for one in self._upstreams))
            if self._gate is not None:
                await self._gate.close()

    # from the client

    async def on_request(self, peer: Peer, asked: Incoming) -> Json:
        if asked.method == "ping":
            return {}
        if peer is not self._down:
            return await self._from_server(asked)
        if asked.method == "initialize":
            return await self._initialize(asked.params)
        if self._gate is None:
            raise Refused(INVALID_REQUEST, "Send initialize first")
        if asked.method == "tools/list":
            return {"tools": await self._tools()}
        if asked.method == "tools/call":
            return await self._call(self._gate, asked)
        return await self._routes.ask(asked)

    async def on_notification(self, peer: Peer, method: str, params: Json) -> None:
        if peer is self._down:
            for upstream in self._upstreams:
                # one that comes late is told by itself
                if upstream.about:
                    await upstream.notify(method, params or None)
            return
        upstream = next((one for one in self._upstreams if one.is_of(peer)), None)
        if upstream is None or (method in _NOTES and upstream.floods()):
            return
        if method == "notifications/progress" and params.get("progressToken") not in upstream.tokens:
            return
        if method == _CHANGED:
            upstream.tools = None
        if method == "notifications/message" and self._prefixed:
            logger = params.get("logger")
            params = {**params, "logger": f"{upstream.name}/{logger}" if logger else upstream.name}
        await self._down.notify(method, params or None)

    async def _initialize(self, params: Json) -> Json:
        if self._gate is not None:
            raise Refused(INVALID_REQUEST, "This session is initialized already")
        info: Any = params.get("clientInfo")
        name = re.sub(r"[^\w.-]+", "-", str(info.get("name")), flags=re.ASCII)[:60] if isinstance(info, dict) else ""  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        self._client = name or "client"
        self._gate = Gate(self._handrail, f"{self._client}-{self._mark}", self._patience.silent)
        self._starting = [asyncio.create_task(self._join(one, params)) for one in self._upstreams]
        await self._gathered()
        self._introduced = True
        if not self._prefixed:
            return _with_changes(self._upstreams[0].about)
        return _merged([one for one in self._upstreams if one.about], params)

    async def _gathered(self) -> None:
        """Until all servers are there or have failed. One that hangs keeps the client from no other for long."""
        loop = asyncio.get_running_loop()
        until, waiting = loop.time() + self._patience.start, set(self._starting)
        while waiting:
            some = self._prefixed and any(one.about for one in self._upstreams)
            left = until - loop.time() if some else None
            if left is not None and left <= 0:
                return
            done, waiting = await asyncio.wait(waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()

    async def _join(self, upstream: Upstream, params: Json) -> None:
        """Starts a server. One that the client was introduced without is announced."""
        try:
            await upstream.start(params)
        except Refused as failed:
            self._say(f"{failed.error.get('message')}.")
            if not self._prefixed:
                raise
            return
        if self._introduced:
            await upstream.notify("notifications/initialized")
            await self._down.notify(_CHANGED)

    async def _tools(self) -> list[Json]:
        able = [one for one in self._upstreams if one.can("tools")]
        listed = await asyncio.gather(*map(self._list, able), return_exceptions=True)
        shown: dict[str, Json] = {}
        for upstream, failed in zip(able, listed, strict=True):
            if failed is not None:
                if not self._prefixed or not isinstance(failed, Refused):
                    raise failed
                self._say(f"{failed.error.get('message')}.")
                continue
            for name, tool in (upstream.tools or {}).items():
                shown.setdefault(self._shown_as(upstream, name), {**tool, "name": self._shown_as(upstream, name)})
        # ours, if a server has one of that name
        return [tool for name, tool in shown.items() if name != results.WAIT] + [results.WAIT_TOOL] * bool(able)

    async def _list(self, upstream: Upstream) -> None:
        changes = await upstream.list_tools()
        if changes is not None:

            async def show() -> None:
                upstream.tools = None
                await self._down.notify(_CHANGED)

            self._reviews.ask(upstream.pins, changes, show)

    def _shown_as(self, upstream: Upstream, name: str) -> str:
        return names.joined(upstream.name, name) if self._prefixed else name

    async def _call(self, gate: Gate, asked: Incoming) -> Json:
        name, args = asked.params.get("name"), asked.params.get("arguments", {})
        if not isinstance(name, str) or not isinstance(args, dict):
            raise Refused(INVALID, "A tool call needs a name, and arguments that are an object")
        if name == results.WAIT:
            return await self._wait(gate, asked, cast(Json, args))
        upstream, tool = await self._tool(name)
        call = Call(upstream.name, tool["name"], cast(Json, args), self._claims(tool))
        answer = await answered(gate, call, asked, self._patience, self._beat(asked))
        if isinstance(answer, Denied):
            return results.denied(answer.reason)
        if not isinstance(answer, Allowed):
            return results.held(answer.hold, tool)
        params = {**asked.params, "name": tool["name"], "arguments": answer.args}
        failed = True
        try:
            result = await forward(upstream, asked, params)
            failed = result.get("isError") is True
        finally:
            gate.record(call, failed=failed)
        return result

    async def _wait(self, gate: Gate, asked: Incoming, args: Json) -> Json:
        """`handrail_wait`: until a hold of this agent is decided, or the client cannot be kept waiting any longer."""
        hold, token = args.get("hold_id"), asked.progress_token
        if not isinstance(hold, str) or not re.fullmatch(r"[\w-]{1,40}", hold):
            return results.denied("`hold_id` must be that of a held call, like H-12.")
        beat, loop = self._beat(asked), asyncio.get_running_loop()
        until = loop.time() + (self._patience.silent if token is None else self._patience.with_progress)
        beats = 0
        try:
            while (left := until - loop.time()) > 0 and not await gate.decided(hold, min(left, self._patience.beat)):
                beats += 1
                await beat(hold, beats)
            return results.stands(await gate.status(hold))
        except HandrailError as error:
            return results.denied(error.message)

    def _beat(self, asked: Incoming) -> Callable[[str, int], Any]:
        token = asked.progress_token

        async def beat(hold: str, count: int) -> None:
            if token is not None:
                # far below what the server itself may report once it runs: progress must rise
                said: Json = {"progressToken": token, "progress": count / 1000}
                said["message"] = f"Waiting for people to decide hold {hold}"
                await self._down.notify("notifications/progress", said)

        return beat

    def _claims(self, tool: Json) -> Json:
        """What nobody has to believe: the client's name for itself, and the server's words about its tool."""
        annotations, description = tool.get("annotations"), tool.get("description")
        return {
            "client": self._client,
            **({"annotations": annotations} if isinstance(annotations, dict) else {}),
            **({"description": description[:LONGEST_DESCRIPTION]} if isinstance(description, str) else {}),
        }

    async def _tool(self, shown: str) -> tuple[Upstream, Json]:
        """Whose tool it is, and its definition."""
        for upstream in self._upstreams:
            if upstream.can("tools") and (not self._prefixed or shown.startswith(f"{upstream.name}__")):
                if upstream.tools is None:
                    await self._list(upstream)
                for name, tool in (upstream.tools or {}).items():
                    if self._shown_as(upstream, name) == shown:
                        return upstream, tool
                if any(self._shown_as(upstream, name) == shown for name in upstream.hidden):
                    raise Refused(INVALID, f"The tool {shown:.80} changed and is hidden until people have approved it")
        away = [f"{one.name} {one.why_away}" for one in self._upstreams if not one.about]
        raise Refused(INVALID, f"There is no tool {shown:.80}" + f" ({'; '.join(away)})" * bool(away))

    # from a server

    async def _on_end(self, upstream: Upstream) -> None:
        """The only server ends the session, as it would without us. Of several, the client is told to look again."""
        self._say(f"The MCP server {upstream.name} {upstream.why_away}.")
        if not self._prefixed:
            self._ended.set()
        elif self._gate is not None:
            await self._down.notify(_CHANGED)

    async def _from_server(self, asked: Incoming) -> Json:
        if asked.method not in _FROM_SERVERS:
            raise Refused(NO_METHOD, f"There is no method {asked.method:.80} here")
        return await self._down.request(asked.method, asked.params)


def _with_changes(about: Json) -> Json:
    """A server's introduction of itself; whether its tools may change is no longer its own affair."""
    capabilities: Any = about.get("capabilities")
    if not isinstance(capabilities, dict) or "tools" not in capabilities:
        return about
    return {**about, "capabilities": {**cast(Json, capabilities), "tools": {"listChanged": True}}}


def _merged(upstreams: Sequence[Upstream], params: Json) -> Json:
    """One introduction of all servers that are there."""
    if not upstreams:
        raise Gone("None of the MCP servers could be started")
    capabilities: Json = {"tools": {"listChanged": True}}
    for name in ("resources", "prompts", "logging", "completions"):
        said = [cast(Json, one.capabilities[name] or {}) for one in upstreams if one.can(name)]
        if said:
            capabilities[name] = {key: True for one in said for key, value in one.items() if value is True}
    versions = [str(one.about.get("protocolVersion") or params.get("protocolVersion")) for one in upstreams]
    instructions = [f"{one.name}: {one.about['instructions']}" for one in upstreams if one.about.get("instructions")]
    return {
        "protocolVersion": min(versions),
        "capabilities": capabilities,
        "serverInfo": {"name": "handrail", "version": "1"},
        **({"instructions": "\n\n".join(instructions)} if instructions else {}),
    }
