"""Handrail itself as an MCP server, for agents that only speak MCP: ask a person, request an approval, wait, status."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from typing import Any, cast

from handrail_sdk import Action, AsyncHandrail
from handrail_sdk.errors import AlreadyRedeemed, HandrailError
from handrail_sdk.holds import Hold

from . import results
from .messages import Json, Wire
from .peers import INVALID, NO_METHOD, Incoming, Peer, Refused
from .waiting import Patience, carried_through

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


def _tool(name: str, description: str, required: tuple[str, ...], **properties: Json) -> Json:
    schema: Json = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": name, "description": description, "inputSchema": schema}


def _text(description: str) -> Json:
    return {"type": "string", "description": description}


_HOLD = _text("The hold, like H-12.")
TOOLS = [
    _tool(
        "ask_person",
        "Asks people a question and returns their answer. If nobody answers in time, it returns a hold: wait for that.",
        ("question",),
        question=_text("One sentence."),
        options={"type": "array", "items": {"type": "string"}, "description": "The possible answers, if they are few."},
        details=_text("What a person needs to know to answer."),
    ),
    _tool(
        "request_approval",
        "Asks for approval of one action, before you do it. Do it only if the answer says approved, as approved.",
        ("title", "action"),
        title=_text("What you want to do, in one line."),
        action=_text("A name for the action, such as deploy or delete_branch."),
        arguments={"type": "object", "description": "Exactly what you will do it with."},
        target=_text("What it is done to."),
        details=_text("Why, and what happens if it goes wrong."),
    ),
    _tool("wait", "Waits until people have decided a hold, and returns the decision.", ("hold_id",), hold_id=_HOLD),
    _tool("status", "How a hold stands now, without waiting.", ("hold_id",), hold_id=_HOLD),
]


class Desk:
    """One client's way to people."""

    def __init__(self, handrail: AsyncHandrail, wire: Wire, patience: Patience) -> None:
        self._handrail, self._patience = handrail, patience
        self._peer = Peer("The client", wire, self)

    async def run(self) -> None:
        await self._peer.run()

    async def on_notification(self, peer: Peer, method: str, params: Json) -> None:
        """None matters here."""

    async def on_request(self, peer: Peer, asked: Incoming) -> Json:
        match asked.method:
            case "initialize":
                wanted = asked.params.get("protocolVersion")
                return {
                    "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[-1],
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "handrail", "version": "1"},
                }
            case "ping":
                return {}
            case "tools/list":
                return {"tools": TOOLS}
            case "tools/call":
                return await self._call(asked)
            case _:
                raise Refused(NO_METHOD, f"There is no method {asked.method:.80} here")

    async def _call(self, asked: Incoming) -> Json:
        given: Any = asked.params.get("arguments") or {}
        if not isinstance(given, dict):
            raise Refused(INVALID, "`arguments` must be an object")
        args = cast(Json, given)
        try:
            match asked.params.get("name"):
                case "ask_person":
                    return await self._outcome(await self._opened(self._question(args), asked), asked)
                case "request_approval":
                    return await self._outcome(await self._opened(self._approval(args), asked), asked)
                case "wait":
                    return await self._outcome(await self._handrail.get(_said(args, "hold_id")), asked)
                case "status":
                    hold = await self._handrail.get(_said(args, "hold_id"))
                    return results.text(f"Hold {hold.short_id} is {hold.status}: {hold.title}")
                case name:
                    raise Refused(INVALID, f"There is no tool {name!s:.80}")
        except HandrailError as error:
            return results.denied(error.message)

    async def _opened(self, opening: Coroutine[Any, Any, Hold], asked: Incoming) -> Hold:
        return await carried_through(opening, asked, self._withdraw)

    async def _question(self, args: Json) -> Hold:
        options = args.get("options")
        schema = {"type": "string", "enum": options} if options else None
        return await self._handrail.open(
            "input",
            _said(args, "question"),
            schema=schema,
            description=args.get("details"),
            idempotency_key=secrets.token_hex(16),
        )

    async def _approval(self, args: Json) -> Hold:
        action = Action(_said(args, "action"), args.get("arguments") or {}, args.get("target"))
        return await self._handrail.open(
            "approval",
            _said(args, "title"),
            action,
            description=args.get("details"),
            idempotency_key=secrets.token_hex(16),
        )

    async def _outcome(self, hold: Hold, asked: Incoming) -> Json:
        """The decision, once there is one. A client that cancels withdraws what it has asked."""
        try:
            hold = await self._decided(hold, asked)
        except asyncio.CancelledError:
            if asked.withdrawn and asked.params.get("name") != "wait":
                await asyncio.shield(self._withdraw(hold))
            raise
        if hold.pending:
            return results.text(
                f"Nobody has decided hold {hold.short_id} yet. Call wait with that hold_id, and do not act before."
            )
        reason = f" Reason: {hold.decision.reason}" if hold.decision and hold.decision.reason else ""
        if hold.status == "answered" and hold.decision:
            return results.text(f"{hold.decision.answer}")
        if not hold.approved:
            return results.text(f"Hold {hold.short_id} was {hold.status}.{reason} Do not do it, nor try another way.")
        if hold.action is None:
            return results.text(f"Hold {hold.short_id} was approved.{reason}")
        try:
            used = await self._handrail.redeem(hold.id, hold.digest, secrets.token_hex(16))
        except AlreadyRedeemed:
            return results.denied(
                f"The approval of hold {hold.short_id} was used before. Ask again if it is needed again."
            )
        target = f" on {used.action.target}" if used.action.target else ""
        return results.text(
            f"Approved, once: {used.action.name} with {used.action.args}{target}. Do exactly that, now.{reason}"
        )

    async def _decided(self, hold: Hold, asked: Incoming) -> Hold:
        token, loop, beats = asked.progress_token, asyncio.get_running_loop(), 0
        until = loop.time() + (self._patience.silent if token is None else self._patience.with_progress)
        while hold.pending and (left := until - loop.time()) > 0:
            hold = await self._handrail.wait(hold.id, timeout=min(left, self._patience.beat))
            if hold.pending and token is not None:
                beats += 1
                said = {"progressToken": token, "progress": beats, "message": f"Waiting for hold {hold.short_id}"}
                await self._peer.notify("notifications/progress", said)
        return hold

    async def _withdraw(self, hold: Hold) -> None:
        try:
            await self._handrail.cancel(hold.id, "The client cancelled the question.")
        except HandrailError:
            return


def _said(args: Json, name: str) -> str:
    value = args.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Refused(INVALID, f"`{name}` must be a text")
    return value
