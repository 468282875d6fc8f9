"""MCP servers of your own: their tools behind the gate, with a link for the person in front of the client."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from mcp.server.session import ServerSession
from mcp.shared.exceptions import McpError
from mcp.types import ClientCapabilities, ElicitationCapability, UrlElicitationCapability

from handrail_sdk.canonical import digest
from handrail_sdk.errors import HandrailError
from handrail_sdk.holds import Action, Hold

from .gating import Json, ToolGate, refusal

T = TypeVar("T")
_LINKS = ClientCapabilities(elicitation=ElicitationCapability(url=UrlElicitationCapability()))


class Eliciting:
    """Runs tools of an MCP server through a gate that goes by call ids.

    While a call waits, a client that can show links (elicitation in URL mode) gets one to the hold. That is all: who
    uses the client asked for the call, so its answer approves nothing. Declining withdraws the request.

    `link` makes the address of a hold, such as `lambda hold: f"https://handrail.example.org/holds/{hold.id}"`.
    """

    def __init__(self, gate: ToolGate, link: Callable[[Hold], str]) -> None:
        self._gate, self._link = gate, link
        self._seen: Counter[str] = Counter()

    async def run(
        self,
        session: ServerSession,
        tool: str,
        args: Mapping[str, Any],
        execute: Callable[[Json], Awaitable[T]],
    ) -> T | Any:
        """What the tool returned, or the text that the model reads in its place."""
        said = digest("approval", tool, Action(tool, dict(args)))
        self._seen[said] += 1
        call_id = f"{said}-{self._seen[said]}"
        try:
            hold = await self._gate.decided(tool, args, call_id, timeout=0)
        except HandrailError as error:
            return refusal(tool, error)
        if hold.pending and session.check_client_capability(_LINKS):
            await self._shown(session, hold, self._gate.decided(tool, args, call_id))
        return await self._gate.run(tool, args, execute, call_id)

    async def _shown(self, session: ServerSession, hold: Hold, deciding: Awaitable[Hold]) -> None:
        """Returns when the hold is decided, or was withdrawn."""
        decided = asyncio.ensure_future(deciding)
        asking = asyncio.ensure_future(
            session.elicit_url(f"{hold.title}: waits for people to decide.", self._link(hold), hold.id)
        )
        try:
            await asyncio.wait((decided, asking), return_when=asyncio.FIRST_COMPLETED)
            if asking.done() and not decided.done() and await _declined(asking):
                await self._gate.withdraw(hold, "The person in front of the client declined.")
            await decided
        finally:
            for task in (decided, asking):
                task.cancel()
        await session.send_elicit_complete(hold.id)


async def _declined(asking: asyncio.Future[Any]) -> bool:
    """A client that fails to show a link has said nothing."""
    with suppress(McpError):
        return (await asking).action == "decline"
    return False
