"""An MCP server over streamable HTTP, by the `mcp` package; its answers have the same bounds as those of a process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import anyio
import httpx
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCMessage

from .config import Server
from .messages import LARGEST, Broken, Json

CONNECT_SECONDS = 30.0
SILENCE_SECONDS = 3600.0


class Streams:
    """Messages over the two streams that `mcp` has for every transport."""

    def __init__(
        self,
        read: MemoryObjectReceiveStream[SessionMessage | Exception],
        write: MemoryObjectSendStream[SessionMessage],
        large: asyncio.Event,
    ) -> None:
        self._read, self._write, self._large = read, write, large

    async def read(self) -> Json | Broken | None:
        """`mcp` tells nobody that it gave up on an answer, so `large` says it: whose it was is not known."""
        found: SessionMessage | Exception | None = None
        large = asyncio.create_task(self._large.wait())
        receiving = asyncio.create_task(self._received())
        try:
            await asyncio.wait((large, receiving), return_when=asyncio.FIRST_COMPLETED)
            if receiving.done():
                found = receiving.result()
        finally:
            for task in (large, receiving):
                task.cancel()
            await asyncio.gather(large, receiving, return_exceptions=True)
        if self._large.is_set() and found is None:
            self._large.clear()
            return Broken(f"a message of more than {LARGEST >> 20} MB")
        if isinstance(found, Exception):
            return Broken(f"a message that could not be read ({type(found).__name__})")
        return found and found.message.model_dump(by_alias=True, mode="json", exclude_none=True)

    async def _received(self) -> SessionMessage | Exception | None:
        try:
            return await self._read.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            return None

    async def write(self, message: Json) -> None:
        try:
            await self._write.send(SessionMessage(JSONRPCMessage.model_validate(message)))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise ConnectionError(str(error)) from error


class _Bounded(httpx.AsyncByteStream):
    """A body that ends in an error where it is too large. Of a stream of events, each message counts."""

    def __init__(self, stream: httpx.AsyncByteStream, large: asyncio.Event, *, events: bool) -> None:
        self._stream, self._large, self._events = stream, large, events

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if self._events and b"\n\n" in chunk.replace(b"\r", b""):
                size = len(chunk)
            if size > LARGEST:
                self._large.set()
                raise httpx.ReadError(f"the message is larger than {LARGEST >> 20} MB")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


@asynccontextmanager
async def connected(server: Server) -> AsyncGenerator[Streams]:
    """ConnectionError if the transport itself fails. A redirect to another host would carry the headers there, and is
    not followed."""
    assert server.url is not None
    large = asyncio.Event()

    async def bound(response: httpx.Response) -> None:
        events = response.headers.get("content-type", "").startswith("text/event-stream")
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _Bounded(response.stream, large, events=events)

    http = httpx.AsyncClient(
        headers=dict(server.headers),
        timeout=httpx.Timeout(CONNECT_SECONDS, read=SILENCE_SECONDS),
        event_hooks={"response": [bound]},
        follow_redirects=False,
    )
    try:
        async with http, streamable_http_client(server.url, http_client=http) as (read, write, _), read, write:
            yield Streams(read, write, large)
    except* (httpx.HTTPError, anyio.BrokenResourceError) as failed:
        raise ConnectionError(f"{type(failed.exceptions[0]).__name__}") from None
