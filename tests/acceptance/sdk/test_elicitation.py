"""MCP elicitation in URL mode: a link to the hold, and never a decision."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.session import ElicitationFnT
from mcp.server.fastmcp import Context, FastMCP
from mcp.shared.memory import create_connected_server_and_client_session
from mcp.types import ElicitRequestURLParams, ElicitResult, TextContent
from sdk_office import Office
from server import environment

from handrail_sdk import Action, AsyncHandrail
from handrail_sdk.frameworks import ToolGate
from handrail_sdk.frameworks.elicitation import Eliciting

PAGE = Path(__file__).parents[3] / "docs" / "frameworks" / "elicitation.md"
pytestmark = pytest.mark.usefixtures("environ")


class Shop:
    """An MCP server with one tool, and a client in front of which somebody answers links."""

    def __init__(self, case: str, action: Any = None, tool: str = "send_refund", **options: Any) -> None:
        """`options` are those of the gate."""
        self.ran: list[float] = []
        self.links: list[ElicitRequestURLParams] = []
        self._case, self._action, self._tool, self._options = case, action, tool, options

    @asynccontextmanager
    async def client(self) -> AsyncGenerator[ClientSession]:
        server = FastMCP("shop")
        gate = ToolGate(thread=self._case, by_call_id=True, **self._options)
        eliciting = Eliciting(gate, lambda hold: f"https://handrail.example.org/holds/{hold.id}")

        async def refund(call: dict[str, Any]) -> str:
            self.ran.append(call["amount"])
            return "refunded"

        async def send_refund(order: str, amount: float, context: Context[Any, Any, Any]) -> str:
            return await eliciting.run(context.session, self._tool, {"order": order, "amount": amount}, refund)

        server.add_tool(send_refund)
        callback: ElicitationFnT | None = self._elicited if self._action else None
        async with create_connected_server_and_client_session(server, elicitation_callback=callback) as client:
            yield client

    async def _elicited(self, context: Any, params: Any) -> ElicitResult:
        assert isinstance(params, ElicitRequestURLParams)
        self.links.append(params)
        return ElicitResult(action=self._action)


async def called(client: ClientSession) -> str:
    result = await client.call_tool("send_refund", {"order": "77", "amount": 120.5})
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


async def decided(office: Office, case: str, verdict: Any, **more: Any) -> str:
    hold_id = await asyncio.to_thread(office.one_pending, case=case)
    with office.deciding() as person:
        person.review(hold_id, verdict, digest=person.get(hold_id).digest, **more)
    return hold_id


async def test_who_uses_the_client_gets_a_link_and_somebody_else_decides(office: Office, case: str) -> None:
    shop = Shop(case, "accept")
    async with shop.client() as client:
        calling = asyncio.create_task(called(client))
        hold_id = await asyncio.to_thread(office.one_pending, case=case)
        while not shop.links:
            await asyncio.wait((calling,), timeout=0.02)
        assert (shop.links[0].url, shop.ran) == (f"https://handrail.example.org/holds/{hold_id}", [])
        await decided(office, case, "approve")
        assert await calling == "refunded"
    assert shop.ran == [120.5]


async def test_a_rejection_reaches_the_model(office: Office, case: str) -> None:
    shop = Shop(case, "accept")
    async with shop.client() as client:
        calling = asyncio.create_task(called(client))
        await decided(office, case, "reject", reason="Paid back last week")
        assert "Paid back last week" in await calling
    assert shop.ran == []


async def test_a_low_call_runs_at_once_without_a_link(office: Office, case: str) -> None:
    shop = Shop(case, "accept", tool="find_order")
    async with shop.client() as client:
        assert await called(client) == "refunded"
    assert (shop.links, shop.ran) == ([], [120.5])
    [hold] = office.pending(case=case, status="all")
    assert (hold["risk"], hold["result"]["outcome"]) == ("low", "succeeded")


async def test_an_amended_call_runs_as_amended_and_says_so(office: Office, case: str) -> None:
    shop = Shop(case, "accept")
    async with shop.client() as client:
        calling = asyncio.create_task(called(client))
        hold_id = await asyncio.to_thread(office.one_pending, case=case)
        with office.deciding() as person:
            hold = person.get(hold_id)
            action = Action("send_refund", {"order": "77", "amount": 20.5})
            amended = person.review(hold_id, "amend", digest=hold.digest, amended_action=action)
            person.review(hold_id, "approve", digest=amended.digest)
        assert "amended this call" in await calling
    assert shop.ran == [20.5]


async def test_a_call_that_expires_does_not_run(case: str) -> None:
    shop = Shop(case, "accept", expires_in=0.4)
    async with shop.client() as client:
        assert "It was expired" in await called(client)
    assert shop.ran == []


async def test_without_the_server_nothing_runs(case: str) -> None:
    async with AsyncHandrail("http://127.0.0.1:9", "hr_none", retry_for=0.1) as away:
        shop = Shop(case, "accept", client=away)
        async with shop.client() as client:
            assert "`send_refund` was not run" in await called(client)
    assert (shop.links, shop.ran) == ([], [])


async def test_declining_withdraws_the_request(case: str) -> None:
    shop = Shop(case, "decline")
    async with shop.client() as client:
        assert "was cancelled" in await called(client)
    assert shop.ran == []


async def test_a_client_that_cannot_show_links_waits_all_the_same(office: Office, case: str) -> None:
    shop = Shop(case)
    async with shop.client() as client:
        calling = asyncio.create_task(called(client))
        await decided(office, case, "approve")
        assert await calling == "refunded"
    assert (shop.links, shop.ran) == ([], [120.5])


async def test_the_page(office: Office, case: str, tmp_path: Path) -> None:
    [code] = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    environ = environment(tmp_path, HANDRAIL_URL=office.server.url, HANDRAIL_TOKEN=office.agent)
    shop = StdioServerParameters(command=sys.executable, args=["-c", code, case], env=dict(environ), cwd=tmp_path)
    async with stdio_client(shop) as streams, ClientSession(*streams) as client:
        await client.initialize()
        calling = asyncio.create_task(called(client))
        await decided(office, case, "approve")
        assert await calling == "refunded"
    assert (tmp_path / "refunds.txt").read_text() == "77 120.5\n"


async def test_a_server_that_starts_again_finds_the_decision(office: Office, case: str) -> None:
    first, second = Shop(case, "accept"), Shop(case, "accept")
    async with first.client() as client:
        calling = asyncio.create_task(called(client))
        await asyncio.to_thread(office.one_pending, case=case)
        calling.cancel()
    await decided(office, case, "approve")
    async with second.client() as client:
        assert await called(client) == "refunded"
    assert (first.ran, second.ran, second.links) == ([], [120.5], [])
