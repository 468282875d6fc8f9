"""Socket Mode: clicks come in over a connection that we open, so Handrail needs no public address."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import structlog
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from handrail.channels import linking
from handrail.channels.channel import NotSent
from handrail.channels.pauses import pause
from handrail.channels.slack import api as apis
from handrail.channels.slack.receive import Receiver
from handrail.core import errors
from handrail.holds.context import Context
from handrail.settings import Settings

LARGEST = 1 << 20
LONGEST_OPENING_SECONDS = 15.0

log = structlog.get_logger()


async def keep_listening(context: Context, settings: Settings) -> None:
    """Runs forever, in any number of processes: Slack gives each message to one of their connections."""
    assert settings.slack_app_token is not None
    async with apis.opened(settings) as api:
        receiver, failures = Receiver(context, api, linking.desk_of(context, settings)), 0
        while True:
            try:
                opened = await api.call("apps.connections.open", token=settings.slack_app_token.get_secret_value())
                async with connect(opened["url"], max_size=LARGEST, open_timeout=LONGEST_OPENING_SECONDS) as socket:
                    failures = 0
                    await _listen(receiver, socket)
            except (NotSent, WebSocketException, OSError, TimeoutError) as error:
                failures += 1
                log.warning("slack socket", error=f"{type(error).__name__}: {error}"[:200])
                await asyncio.sleep(pause(min(failures, 5)))


async def _listen(receiver: Receiver, socket: ClientConnection) -> None:
    """Until Slack asks for another connection. What has come in is finished first."""
    async with asyncio.TaskGroup() as tasks:
        async for raw in socket:
            envelope: dict[str, Any] = json.loads(raw)
            if envelope.get("type") == "disconnect":
                break
            if "envelope_id" in envelope:
                tasks.create_task(_handle(receiver, socket, envelope))


async def _handle(receiver: Receiver, socket: ClientConnection, envelope: dict[str, Any]) -> None:
    payload: dict[str, Any] = envelope.get("payload") or {}
    if envelope["type"] == "slash_commands":
        payload = {**payload, "type": "command"}
    try:
        reply = await receiver.take(f"envelope:{envelope['envelope_id']}", payload)
    except errors.Unavailable:
        # not acknowledged: Slack sends it again
        return
    except Exception:
        log.exception("slack message not handled", type=envelope["type"])
        reply = None
    answer: dict[str, Any] = {"envelope_id": envelope["envelope_id"]}
    if reply is not None and reply.body is not None:
        answer["payload"] = reply.body
    await socket.send(json.dumps(answer))
    if reply is not None and reply.after is not None:
        try:
            await reply.after()
        except Exception:
            log.exception("slack click not handled")
