"""An MCP client that cancels a call while Handrail is still being asked: no question may stay that nobody waits for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

from loopback import Answer, Loopback, Received, Reply
from sdk_wire import HOLD_ID, hold

from handrail_mcp.gates import Call, Gate
from handrail_mcp.messages import Broken
from handrail_mcp.peers import MOST_AT_ONCE, Incoming
from handrail_mcp.serving import Desk
from handrail_mcp.waiting import Patience, answered
from handrail_sdk import AsyncHandrail

Json = dict[str, Any]
CANCEL = f"/api/holds/{HOLD_ID}/cancel"


class Slow(Loopback):
    """A server that has opened the hold and has not said so yet."""

    def __init__(self) -> None:
        super().__init__()
        self.says = asyncio.Event()

    async def reply(self, request: Received) -> Reply:
        if request.target.endswith("/cancel"):
            return Answer(body=hold("cancelled"))
        await self.says.wait()
        hook = request.target.startswith("/api/hooks/")
        return Answer(body={"decision": "pending", "hold": HOLD_ID}) if hook else Answer(201, hold())

    def asked(self, target: str) -> bool:
        return any(request.target.partition("?")[0] == target for request in self.received)


class Line:
    """A client's end of a wire in memory."""

    def __init__(self) -> None:
        self._said: asyncio.Queue[Json | None] = asyncio.Queue()
        self.answers: asyncio.Queue[Json] = asyncio.Queue()

    def say(self, method: str, number: int | None = None, **params: Any) -> None:
        self._said.put_nowait({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def hang_up(self) -> None:
        self._said.put_nowait(None)

    async def read(self) -> Json | Broken | None:
        return await self._said.get()

    async def write(self, message: Json) -> None:
        await self.answers.put(message)


@asynccontextmanager
async def talking(server: Loopback) -> AsyncGenerator[Line]:
    line = Line()
    async with AsyncHandrail(server.url, "a token") as handrail:
        running = asyncio.create_task(Desk(handrail, line, Patience()).run())
        yield line
        line.hang_up()
        await running


async def test_a_question_that_is_cancelled_while_it_is_being_asked_is_withdrawn() -> None:
    async with Slow().serving() as server, talking(server) as line:
        assert isinstance(server, Slow)
        arguments = {"title": "Burn the chairs", "action": "burn_chairs"}
        line.say("tools/call", 1, name="request_approval", arguments=arguments)
        await server.until(lambda: server.asked("/api/holds"))
        line.say("notifications/cancelled", requestId=1)
        line.say("ping", 2)
        assert (await line.answers.get())["id"] == 2
        server.says.set()
        await server.until(lambda: server.asked(CANCEL))


async def test_a_gated_call_that_is_cancelled_while_it_is_being_asked_is_withdrawn() -> None:
    async with Slow().serving() as server, AsyncHandrail(server.url, "a token") as handrail:
        assert isinstance(server, Slow)
        gate = Gate(handrail, "a session", 20)
        asked = Incoming("tools/call", {})

        async def beat(hold: str, count: int) -> None: ...

        calling = asyncio.create_task(answered(gate, Call("shop", "buy", {}, {}), asked, Patience(), beat))
        await server.until(lambda: server.asked("/api/hooks/mcp"))
        asked.withdrawn = True
        calling.cancel()
        server.says.set()
        await server.until(lambda: server.asked(CANCEL))
        with suppress(asyncio.CancelledError):
            await calling


async def test_calls_that_are_cancelled_at_once_take_no_place() -> None:
    async with Slow().serving() as server, talking(server) as line:
        for number in range(MOST_AT_ONCE):
            line.say("tools/call", number, name="ask_person", arguments={"question": "Who is there?"})
            line.say("notifications/cancelled", requestId=number)
        line.say("ping", MOST_AT_ONCE)
        # of one breath with the others, and so one too many
        assert (await line.answers.get())["error"]["message"] == "Too many requests at once"
        line.say("ping", 0)
        assert await line.answers.get() == {"jsonrpc": "2.0", "id": 0, "result": {}}
        assert server.received == []
