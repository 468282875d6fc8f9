"""Handrail's say on a tool call: ask, wait, withdraw, record."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from handrail_sdk import AsyncHandrail
from handrail_sdk.errors import HandrailError
from handrail_sdk.exchange import Request
from handrail_sdk.retries import send

from .messages import Json

RETRY_SECONDS = 10.0
"""For a server that restarts. A client that waits longer than this without an answer might lose patience."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool. Everything but server, tool and arguments is a claim."""

    server: str
    tool: str
    args: Json
    claims: Json
    use: str = field(default_factory=lambda: secrets.token_hex(16))


class Allowed(NamedTuple):
    """It may run now, once, with these arguments."""

    hold: str
    args: Json


class Denied(NamedTuple):
    reason: str


class Pending(NamedTuple):
    hold: str


Answer = Allowed | Denied | Pending


class Gate:
    """The gate of one session with a client."""

    def __init__(self, handrail: AsyncHandrail, session: str, patience: float) -> None:
        self._handrail, self._session = handrail, session
        self._retry_for = min(RETRY_SECONDS, patience)
        self._waiting: Counter[str] = Counter()
        self._records: set[asyncio.Task[None]] = set()

    async def ask(self, call: Call) -> Answer:
        """The decision as it is now. An approval is used by this; the same call again gets the same answer.

        Whatever goes wrong is a no: without Handrail nothing runs."""
        try:
            said = await self._post(call, "PreToolUse")
            match said.get("decision"):
                case "allow":
                    args = said.get("args", call.args)
                    return Allowed(str(said["hold"]), args if isinstance(args, dict) else call.args)  # pyright: ignore[reportUnknownArgumentType]
                case "pending":
                    return Pending(str(said["hold"]))
                case _:
                    return Denied(str(said.get("reason") or "Handrail refused it."))
        except HandrailError as error:
            return Denied(f"Handrail blocked this call, and it did not run: {error.message}")

    async def decided(self, hold: str, seconds: float) -> bool:
        """Waits until somebody has decided; false if nobody has in that time."""
        return not (await self._handrail.wait(hold, timeout=seconds)).pending

    def attend(self, hold: str) -> None:
        self._waiting[hold] += 1

    def leave(self, hold: str) -> bool:
        """Whether no other call of this session waits for the hold."""
        self._waiting[hold] -= 1
        return self.unattended(hold)

    def unattended(self, hold: str) -> bool:
        return self._waiting[hold] <= 0

    async def withdraw(self, hold: str) -> None:
        """Nobody waits for it any more."""
        try:
            await self._handrail.cancel(hold, "The client cancelled the call.")
        except HandrailError:
            return  # decided in that moment, which changes nothing: it is not run

    def record(self, call: Call, *, failed: bool) -> None:
        """That it ran and how it ended, never what it returned. Nothing waits for this."""
        task = asyncio.create_task(self._recorded(call, failed))
        self._records.add(task)
        task.add_done_callback(self._records.discard)

    async def close(self) -> None:
        """Lets what is being recorded end, for a moment."""
        if self._records:
            await asyncio.wait(self._records, timeout=2.0)

    async def status(self, hold: str) -> Json:
        found = await self._handrail.get(hold)
        reason = found.decision.reason if found.decision else None
        return {"hold": found.short_id, "status": found.status, "title": found.title, "reason": reason}

    async def _recorded(self, call: Call, failed: bool) -> None:
        try:
            await self._post(call, "PostToolUseFailure" if failed else "PostToolUse")
        except HandrailError:
            return

    async def _post(self, call: Call, event: str) -> Json:
        body: Json = {
            "hook_event_name": event,
            "session_id": self._session,
            "tool_use_id": call.use,
            "tool_name": f"mcp__{call.server}__{call.tool}",
            "tool_input": call.args,
            "handrail": call.claims,
        }
        headers = {"Handrail-Attempt": call.use}
        request = Request("POST", "/api/hooks/mcp", query={"wait": "0"}, body=body, headers=headers, repeatable=True)
        said: Any = await self._handrail.run(send(request, self._retry_for))
        return said if isinstance(said, dict) else {}  # pyright: ignore[reportUnknownVariableType]
