"""Asks people about tools that changed, and shows them once that is approved."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from handrail_sdk import Action, AsyncHandrail
from handrail_sdk.errors import HandrailError

from .pins import Changes, Pins

ACTION = "mcp.tools.change"


class Reviews:
    """The open questions of one session. The same change is one hold, whichever session asks."""

    def __init__(self, handrail: AsyncHandrail, say: Callable[[str], None]) -> None:
        self._handrail, self._say = handrail, say
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def ask(self, pins: Pins, changes: Changes, then: Callable[[], Awaitable[None]]) -> None:
        """Opens the hold, once; `then` is called when the tools may be shown."""
        task = self._tasks.get(changes.key)
        if task is None or task.done():
            self._tasks[changes.key] = asyncio.create_task(self._reviewed(pins, changes, then))

    async def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _reviewed(self, pins: Pins, changes: Changes, then: Callable[[], Awaitable[None]]) -> None:
        names = ", ".join(changes.after)
        try:
            hold = await self._handrail.open(
                "review",
                f"MCP server {changes.server}: tools changed: {names}"[:160],
                Action(ACTION, changes.action),
                evidence={"diff": changes.diff},
                idempotency_key=changes.key,
            )
            if hold.pending:
                self._say(f"Tools of {changes.server} changed and are hidden until hold {hold.short_id} is decided.")
                hold = await self._handrail.wait(hold.id)
            # an amended change is not the one that the server made
            if not hold.approved or hold.revision > 1:
                self._say(f"Tools of {changes.server} stay hidden: hold {hold.short_id} is {hold.status}: {names}.")
                return
            await self._handrail.redeem(hold.id, hold.digest, changes.key)
        except HandrailError as error:
            self._say(f"Tools of {changes.server} stay hidden: {error.message}")
            return
        pins.accept(changes)
        await then()
