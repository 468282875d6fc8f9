"""A run as it goes, over a WebSocket: its events after a cursor, and the text of its models as it comes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, cast
from uuid import UUID

import structlog
from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from handrail.api import problems
from handrail.api.identity import COOKIE, identify
from handrail.api.services import services_of
from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.people import Principal
from handrail.engine import reading
from handrail.feed import sse
from handrail.feed.chunks import Delta, with_deltas
from handrail.feed.entries import Entry, Filter

router = APIRouter(tags=["runs"])

# a socket on which nobody says who they are, and one that takes nothing any more, are closed
ENTER_SECONDS = 10.0
SEND_SECONDS = 30.0
# what a problem's HTTP status means as a close code; those of applications begin at 4000
APPLICATION = 4000
TRY_AGAIN = 1013
LONGEST_FIRST_MESSAGE = 4096

log = structlog.stdlib.get_logger(__name__)

Stream = AsyncGenerator[Entry | Delta | None]


@router.websocket("/ws/runs/{run_id}")
async def run_socket(socket: WebSocket, run_id: str, after: str | None = None) -> None:
    """Who has neither cookie nor header sends `{"token": "hr_…"}` first. Refusals are closes: 4401, 4403, 4404 …"""
    await socket.accept()
    try:
        identity = await _entered(socket)
        await _carry(socket, await _stream(socket, identity, run_id, sse.cursor(None, after)))
        await socket.close(APPLICATION + 401, "session_ended")
    except errors.Unavailable as error:
        await socket.close(TRY_AGAIN, error.code)
    except errors.HandrailError as error:
        await socket.close(APPLICATION + problems.STATUS[error.code], error.code)
    except TimeoutError:
        # it would not take the word either; what it missed waits for it behind its cursor
        log.info("socket.too_slow", run=run_id)
    except WebSocketDisconnect:
        return


async def _entered(socket: WebSocket) -> Callable[[], Awaitable[Caller]]:
    """A way to look who this is, now and whenever it may have changed."""
    if "authorization" in socket.headers or COOKIE in socket.cookies:
        return lambda: identify(socket)
    try:
        async with asyncio.timeout(ENTER_SECONDS):
            said = await socket.receive_text()
    except (TimeoutError, KeyError):
        raise errors.Unauthenticated from None
    token = _token(said)
    return lambda: identify(socket, token)


def _token(said: str) -> str:
    try:
        first: Any = json.loads(said[:LONGEST_FIRST_MESSAGE])
    except ValueError:
        first = None
    token = cast("dict[str, Any]", first).get("token") if isinstance(first, dict) else None
    if not isinstance(token, str) or not token:
        raise errors.Unauthenticated
    return token


async def _stream(
    socket: WebSocket, identity: Callable[[], Awaitable[Caller]], run_id: str, after: int | None
) -> Stream:
    services = services_of(socket)
    caller = await identity()
    caller.require(Scope.read)
    run = await reading.get(services.context, caller.principal, _id(run_id))

    async def look() -> Principal | None:
        try:
            now = await identity()
        except errors.Rejected:
            return None
        return now.principal if Scope.read in now.scopes else None

    start = services.feed.head if after is None else after
    await _send(socket, json.dumps({"type": "stream.ready", "run_id": str(run.id), "seq": start}))
    entries = services.feed.follow(caller.principal, look, after=start, where=Filter(run_id=run.id))
    return with_deltas(services.chunks, run.id, entries)


def _id(run_id: str) -> UUID:
    try:
        return UUID(run_id)
    except ValueError:
        raise errors.NotFound(f"there is no run {run_id[:40]!r}") from None


async def _carry(socket: WebSocket, stream: Stream) -> None:
    """Until the stream ends, the client goes, or says something: it has nothing to say here."""
    sending = asyncio.create_task(_send_all(socket, stream))
    hearing = asyncio.create_task(_hear(socket))
    try:
        done, _ = await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in (sending, hearing):
            task.cancel()
        await asyncio.gather(sending, hearing, return_exceptions=True)


async def _send_all(socket: WebSocket, stream: Stream) -> None:
    async with aclosing(stream):
        async for found in stream:
            if found is not None:
                await _send(socket, found.json)


async def _send(socket: WebSocket, text: str) -> None:
    async with asyncio.timeout(SEND_SECONDS):
        await socket.send_text(text)


async def _hear(socket: WebSocket) -> None:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    raise errors.Rejected("this socket only tells")
