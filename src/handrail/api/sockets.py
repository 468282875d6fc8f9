"""What WebSockets share: who is there, two ways at once, sending with a deadline, and refusals as closes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, cast

import structlog
from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect

from handrail.api import problems, queries
from handrail.api.identity import COOKIE, identify
from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.people import Principal

# a socket on which nobody says who they are, and one that takes nothing any more, are closed
ENTER_SECONDS = 10.0
SEND_SECONDS = 30.0
# what a problem's HTTP status means as a close code; those of applications begin at 4000
APPLICATION = 4000
TRY_AGAIN = 1013
LONGEST_FIRST_MESSAGE = 4096

log = structlog.stdlib.get_logger(__name__)

Identity = Callable[[], Awaitable[Caller]]
Tell = Callable[[errors.HandrailError], Awaitable[None]]


async def entered(socket: WebSocket, *known: str) -> Identity:
    """A way to look who this is, now and whenever it may have changed.

    Who has neither cookie nor header sends `{"token": "hr_…"}` first. The address may ask for a cursor, `after`, for
    what is `known`, and for nothing else.
    """
    queries.check(socket.query_params, ("after", *known))
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


def reader(
    identity: Identity, still: Callable[[Principal], Awaitable[object]]
) -> Callable[[], Awaitable[Principal | None]]:
    """Who may read, as of now; nobody where that has ended, or where `still` refuses them what they read."""

    async def look() -> Principal | None:
        try:
            now = await identity()
            await still(now.principal)
        except errors.Rejected:
            return None
        return now.principal if Scope.read in now.scopes else None

    return look


async def send(socket: WebSocket, text: str) -> None:
    async with asyncio.timeout(SEND_SECONDS):
        await socket.send_text(text)


async def heard(socket: WebSocket) -> str | bytes:
    """The client's next message."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    return message.get("text") or message.get("bytes") or ""


async def both(telling: Coroutine[Any, Any, None], hearing: Coroutine[Any, Any, None]) -> None:
    """Until one of them ends; the other is ended too."""
    tasks = [asyncio.create_task(telling), asyncio.create_task(hearing)]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def closing(socket: WebSocket, tell: Tell | None = None) -> AsyncGenerator[None]:
    """Closes as what went wrong asks, 4401, 4403, 4404 …, once that was told where there is a way to."""
    try:
        try:
            yield
        except errors.Unavailable as error:
            await socket.close(TRY_AGAIN, error.code)
        except errors.HandrailError as error:
            if tell is not None:
                await tell(error)
            await socket.close(APPLICATION + problems.STATUS[error.code], error.code)
    except TimeoutError:
        # it would not take the word either; what it missed waits for it behind its cursor
        log.info("socket.too_slow", path=socket.url.path)
    except WebSocketDisconnect:
        return
