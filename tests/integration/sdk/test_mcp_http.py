"""An MCP server over HTTP that answers more than anybody can use."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from loopback import Answer, Loopback

from handrail_mcp.config import Server
from handrail_mcp.http_upstream import connected
from handrail_mcp.peers import Incoming, Peer, Refused

Json = dict[str, Any]


class Nobody:
    async def on_request(self, peer: Peer, asked: Incoming) -> Json:
        return {}

    async def on_notification(self, peer: Peer, method: str, params: Json) -> None: ...


def answer(number: int, text: str) -> Answer:
    return Answer(body={"jsonrpc": "2.0", "id": number, "result": {"content": text}})


@pytest.mark.parametrize("events", [False, True])
async def test_a_large_answer_fails_its_call_and_the_next_one_works(events: bool) -> None:
    large = answer(2, "x" * (17 << 20))
    if events:
        body = b"event: message\ndata: " + large.encode().partition(b"\r\n\r\n")[2] + b"\n\n"
        large = Answer(body=body, headers={"Content-Type": "text/event-stream"})
    loop = Loopback(answer(1, "hello"), large, answer(3, "fine"))
    async with loop.serving(), connected(Server("far", url=loop.url)) as wire:
        peer = Peer("far", wire, Nobody())
        running = asyncio.create_task(peer.run())
        assert (await peer.request("tools/call", {}, 20))["content"] == "hello"
        with pytest.raises(Refused, match="more than 16 MB"):
            await peer.request("tools/call", {}, 20)
        assert (await peer.request("tools/call", {}, 20))["content"] == "fine"
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
