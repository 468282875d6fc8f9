"""An HTTP server on loopback that answers as a test tells it, for faults that a real server cannot be told to have."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Received:
    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Answer:
    """A whole response; with `cut`, the connection is lost before its end."""

    status: int = 200
    body: object = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    cut: bool = False

    def encode(self) -> bytes:
        content = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        headers = {"Content-Type": "application/json", "Content-Length": str(len(content) + self.cut), **self.headers}
        lines = [f"HTTP/1.1 {self.status} X", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode() + content


@dataclass(frozen=True)
class HangUp:
    """The request is read, and the connection lost before an answer."""


@dataclass(frozen=True)
class Silence:
    """The request is read, and nothing comes back until the client goes away."""


Reply = Answer | HangUp | Silence


class Loopback:
    """Gives the replies in their order; `received` is what was asked so far."""

    def __init__(self, *replies: Reply) -> None:
        self.received: list[Received] = []
        self.left: list[Received] = []
        self._replies = deque(replies)
        self._news = asyncio.Condition()
        self._connections: set[asyncio.Task[None]] = set()
        with socket.socket() as reserved:
            reserved.bind(("127.0.0.1", 0))
            self.port: int = reserved.getsockname()[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @asynccontextmanager
    async def serving(self) -> AsyncGenerator[Loopback]:
        """Answers on the same port each time. Nothing listens there otherwise, and connections end with it."""
        server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        try:
            yield self
        finally:
            server.close()
            for connection in self._connections:
                connection.cancel()
            await asyncio.gather(*self._connections, return_exceptions=True)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits for something that the server notices."""
        async with asyncio.timeout(60), self._news:
            await self._news.wait_for(condition)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.current_task()
        assert connection is not None
        self._connections.add(connection)
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                while await self._exchange(reader, writer):
                    pass
        finally:
            writer.close()
            self._connections.discard(connection)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        request = await _read(reader)
        await self._notice(self.received, request)
        reply = await self.reply(request)
        if isinstance(reply, Silence):
            await reader.read()
            await self._notice(self.left, request)
        if not isinstance(reply, Answer):
            return False
        writer.write(reply.encode())
        await writer.drain()
        return not reply.cut

    async def reply(self, request: Received) -> Reply:
        """The next one; a fake that speaks a protocol makes its own."""
        return self._replies.popleft()

    async def _notice(self, where: list[Received], request: Received) -> None:
        async with self._news:
            where.append(request)
            self._news.notify_all()


@contextmanager
def in_a_thread(service: Loopback) -> Generator[None]:
    """Serves there: a browser's driver occupies this one."""
    loop, ready, over = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

    async def serve() -> None:
        async with service.serving():
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    ready.wait()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()


async def _read(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method, target, headers, body)
