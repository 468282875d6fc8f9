"""Slack on loopback: the Web API with its limits and refusals, the people in front of it, and Socket Mode."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast
from urllib.parse import urlencode
from uuid import uuid4

from channel_fakes import ORIGIN, HttpFake, Seen
from loopback import Answer, Received
from websockets.asyncio.server import ServerConnection, serve

BOT, APP, SECRET = "xoxb-of-the-tests", "xapp-of-the-tests", "0123456789abcdef0123456789abcdef"
Message = dict[str, Any]


class SlackFake(HttpFake):
    """`messages` are those that people see, by channel and ts; `whispers` what one of them alone does."""

    name = "slack"

    def __init__(self) -> None:
        super().__init__()
        self.messages: dict[tuple[str, str], Message] = {}
        self.whispers: list[tuple[str, str]] = []
        self.dialogs: list[dict[str, Any]] = []
        self.dead_triggers: set[str] = set()
        self.sockets: asyncio.Queue[ServerConnection] = asyncio.Queue()
        self._clock = 1_700_000_000
        self._socket_url = ""

    @property
    def settings(self) -> dict[str, Any]:
        tokens = {"slack_bot_token": BOT, "slack_signing_secret": SECRET}
        return {**tokens, "slack_url": f"{self.url}/api", "public_url": ORIGIN}

    # what Slack does

    async def taken(self, request: Received) -> Answer:
        method, body = request.target.removeprefix("/api/"), request.json()
        token = request.headers["authorization"].removeprefix("Bearer ")
        if token != (APP if method == "apps.connections.open" else BOT):
            return Answer(200, {"ok": False, "error": "invalid_auth"})
        done = getattr(self, "_" + method.replace(".", "_"), None)
        said = done(body) if done else {"error": "unknown_method"}
        return Answer(200, {"ok": "error" not in said, **said})

    def _chat_postMessage(self, body: dict[str, Any]) -> dict[str, Any]:
        if (wrong := _wrong(body["blocks"], 50)) is not None:
            return wrong
        self._clock += 1
        channel, ts = _direct(body["channel"]), f"{self._clock}.000100"
        self.messages[channel, ts] = {**body, "ts": ts, "channel": channel}
        return {"channel": channel, "ts": ts}

    def _chat_update(self, body: dict[str, Any]) -> dict[str, Any]:
        place = body["channel"], body["ts"]
        if place not in self.messages:
            return {"error": "message_not_found"}
        if (wrong := _wrong(body["blocks"], 50)) is not None:
            return wrong
        self.messages[place] |= {"blocks": body["blocks"], "text": body["text"]}
        return {"channel": body["channel"], "ts": body["ts"]}

    def _chat_postEphemeral(self, body: dict[str, Any]) -> dict[str, Any]:
        self.whispers.append((body["user"], body["text"]))
        return {"message_ts": "1"}

    def _views_open(self, body: dict[str, Any]) -> dict[str, Any]:
        view = body["view"]
        if body["trigger_id"] in self.dead_triggers:
            return {"error": "expired_trigger_id"}
        if len(view["title"]["text"]) > 24 or len(view["private_metadata"]) > 3000 or _wrong(view["blocks"], 100):
            return {"error": "invalid_arguments"}
        self.dialogs.append(view)
        return {"view": {"id": "V1"}}

    def _conversations_open(self, body: dict[str, Any]) -> dict[str, Any]:
        return {"channel": {"id": _direct(body["users"])}}

    def _conversations_history(self, body: dict[str, Any]) -> dict[str, Any]:
        found = [one for (channel, _), one in self.messages.items() if channel == body["channel"]]
        return {"messages": [_shown(one, body) for one in reversed(found) if "thread_ts" not in one]}

    def _conversations_replies(self, body: dict[str, Any]) -> dict[str, Any]:
        found = [one for (channel, _), one in self.messages.items() if channel == body["channel"]]
        return {"messages": [_shown(one, body) for one in found if one.get("thread_ts") == body["ts"]]}

    def _apps_connections_open(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"url": self._socket_url}

    # what people see and do

    def seen(self, hold: str) -> list[Seen]:
        about = [
            one for one in self.messages.values() if f"/holds/{hold}" in json.dumps(one) and "thread_ts" not in one
        ]
        return [Seen(bool(buttons(one)), texts(one["blocks"])) for one in about]

    def delete(self) -> None:
        self.messages.clear()

    def thread(self, message: Message) -> list[str]:
        return [texts(one["blocks"]) for one in self.messages.values() if one.get("thread_ts") == message["ts"]]

    def click(self, message: Message, name: str, user: str, trigger: str | None = None) -> dict[str, Any]:
        """What Slack sends when somebody presses the button: no two clicks have the same trigger."""
        return {
            "type": "block_actions",
            "user": {"id": user},
            "trigger_id": trigger or uuid4().hex,
            "container": {"channel_id": message["channel"], "message_ts": message["ts"]},
            "actions": [buttons(message)[name]],
        }

    def submit(self, user: str, view: dict[str, Any], **values: Any) -> dict[str, Any]:
        """What Slack sends when somebody submits the dialog."""
        state: dict[str, Any] = {
            block: {"value": value if isinstance(value, dict) else {"value": value}} for block, value in values.items()
        }
        return {
            "type": "view_submission",
            "trigger_id": uuid4().hex,
            "user": {"id": user},
            "view": {**view, "state": {"values": state}},
        }

    @asynccontextmanager
    async def socket_mode(self) -> AsyncGenerator[None]:
        async def connected(connection: ServerConnection) -> None:
            await connection.send(json.dumps({"type": "hello"}))
            await self.sockets.put(connection)
            await connection.wait_closed()

        async with serve(connected, "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            self._socket_url = f"ws://127.0.0.1:{port}/link"
            yield


def signed(payload: dict[str, Any], secret: str = SECRET, age: float = 0) -> dict[str, Any]:
    """The request by which Slack sends it, as arguments of a client's `post`."""
    form = {"payload": json.dumps(payload)} if payload.get("type") in ("block_actions", "view_submission") else None
    if payload.get("type") == "command":
        form = payload
    body = (urlencode(form) if form else json.dumps(payload)).encode()
    moment = str(int(time.time() - age))
    mac = hmac.new(secret.encode(), b"v0:" + moment.encode() + b":" + body, hashlib.sha256).hexdigest()
    kind = "application/x-www-form-urlencoded" if form else "application/json"
    headers = {"X-Slack-Request-Timestamp": moment, "X-Slack-Signature": f"v0={mac}", "Content-Type": kind}
    return {"content": body, "headers": headers}


def buttons(message: Message) -> dict[str, dict[str, Any]]:
    """Those that decide, by name."""
    every = [one for block in message["blocks"] if block["type"] == "actions" for one in block["elements"]]
    return {one["action_id"]: one for one in every if one["action_id"] != "open"}


def texts(blocks: Any) -> str:
    """Everything that can be read."""
    if isinstance(blocks, list):
        return "\n".join(filter(None, map(texts, cast("list[Any]", blocks))))
    if not isinstance(blocks, dict):
        return ""
    whole = cast("dict[str, Any]", blocks)
    own = whole.get("text")
    inner: list[Any] = [value for key, value in whole.items() if isinstance(value, dict | list) and key != "metadata"]
    return "\n".join(filter(None, [own if isinstance(own, str) else "", *map(texts, inner)]))


def _direct(channel: str) -> str:
    return "D" + channel[1:] if channel[:1] == "U" else channel


def _shown(message: Message, asked: dict[str, Any]) -> Message:
    kept = {"ts": message["ts"], "text": message["text"]}
    return kept | ({"metadata": message["metadata"]} if asked.get("include_all_metadata") else {})


def _wrong(blocks: list[dict[str, Any]], most: int) -> dict[str, Any] | None:
    """Slack's limits on blocks."""
    limits = {"header": 150, "section": 3000, "context": 2000}
    for block in blocks:
        text = block.get("text", {}).get("text", "x")
        if not 0 < len(text) <= limits.get(block["type"], 3000):
            return {"error": "invalid_blocks"}
        for element in block.get("elements", []):
            if element.get("type") == "button" and len(element.get("value", "")) > 2000:
                return {"error": "invalid_blocks"}
    return {"error": "invalid_blocks"} if len(blocks) > most else None
