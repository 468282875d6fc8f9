"""Entries as server-sent events, and the response that carries them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

import structlog
from sse_starlette import EventSourceResponse
from sse_starlette.sse import SendTimeoutError
from starlette.types import Receive, Scope, Send

from handrail.core import errors
from handrail.feed.chunks import Delta
from handrail.feed.entries import Entry

RETRY_MILLISECONDS = 1000
HEARTBEAT = b": heartbeat\n\n"
# a client that reads nothing for this long is dropped; it can resume from its cursor
SEND_SECONDS = 30.0
LARGEST_CURSOR = 2**63 - 1

log = structlog.stdlib.get_logger(__name__)

Encode = Callable[[Entry], Awaitable[bytes | None]]


def cursor(last_event_id: str | None, after: str | None) -> int | None:
    """Where to resume: a browser that reconnects requests the same URL again, so its header takes precedence."""
    given = last_event_id or after
    if given is None:
        return None
    if not (given.isascii() and given.isdigit()) or len(given) > 19 or int(given) > LARGEST_CURSOR:
        raise errors.BadCursor(f"`{given[:40]}` is not an event number; start again without it, or with 0")
    return int(given)


def message(seq: int, name: str, data: str) -> bytes:
    """`data` is JSON as our own code writes it: on one line."""
    return f"id: {seq}\nevent: {name}\ndata: {data}\n\n".encode()


async def event(entry: Entry) -> bytes:
    return message(entry.seq, entry.type, entry.json)


def live(delta: Delta) -> bytes:
    """Without an id, so that the client's cursor stays that of the last event."""
    return f"event: message.delta\ndata: {delta.json}\n\n".encode()


async def messages(
    after: int, entries: AsyncGenerator[Entry | Delta | None], encode: Encode = event
) -> AsyncGenerator[bytes]:
    """The stream's bytes. It begins with its cursor, so that a client that is cut off at once misses nothing."""
    yield f"retry: {RETRY_MILLISECONDS}\nid: {after}\n\n".encode()
    async with aclosing(entries):
        try:
            async for entry in entries:
                if isinstance(entry, Delta):
                    encoded = live(entry)
                else:
                    encoded = HEARTBEAT if entry is None else await encode(entry)
                if encoded is not None:
                    yield encoded
        except errors.Unavailable as error:
            # the client comes back with its cursor
            log.warning("stream.ended", reason=error.message)


class Stream(EventSourceResponse):
    """Ends when the client has gone, has stopped reading, or the server stops."""

    def __init__(self, content: AsyncGenerator[bytes]) -> None:
        # heartbeats are among the content: no second task to make them
        super().__init__(content, ping=0, send_timeout=SEND_SECONDS)  # pyright: ignore[reportUnknownMemberType] - its bare dict

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        except SendTimeoutError:
            log.info("stream.dropped", reason=f"the client took nothing for {self.send_timeout} s")
            return
        if self.active:
            # neither side ended it, so the server is stopping: tell the client that this is the end
            await send({"type": "http.response.body", "body": b"", "more_body": False})
