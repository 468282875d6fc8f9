"""The gateway towards clients over streamable HTTP: a session for each client, with its own connections."""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

import uvicorn
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp.types import JSONRPCMessage, JSONRPCRequest
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from .messages import Broken, Json
from .peers import Incoming
from .sessions import Session

MOST_SESSIONS = 100
PATH = "/mcp"
_GONE = "handrail.gone"

MakeSession = Callable[["ClientStreams", str], Session]
ReadStream = MemoryObjectReceiveStream[SessionMessage | Exception]
WriteStream = MemoryObjectSendStream[SessionMessage]


class ClientStreams:
    """Messages of one client, and which of its requests nobody listens to any more.

    What belongs to a request must leave by the connection that brought it: `mcp` looks for the request's id.
    """

    def __init__(self, read: ReadStream, write: WriteStream) -> None:
        self._read, self._write = read, write
        self._gone: dict[str | int, asyncio.Event] = {}
        self._tokens: dict[str | int, str | int] = {}

    async def read(self) -> Json | Broken | None:
        try:
            found = await self._read.receive()
        except Exception:
            # however the client's streams end, there is nothing more to read
            return None
        if isinstance(found, Exception):
            return Broken("a message that could not be read")
        message = found.message.root
        about = found.metadata.request_context if isinstance(found.metadata, ServerMessageMetadata) else None
        if isinstance(message, JSONRPCRequest) and isinstance(about, Request):
            self._gone[message.id] = about.scope[_GONE]
            token = Incoming(message.method, message.params or {}).progress_token
            if token is not None:
                self._tokens[token] = message.id
        return message.model_dump(by_alias=True, mode="json", exclude_none=True)

    def gone(self, number: str | int) -> asyncio.Event | None:
        """Set once the connection of the request is."""
        return self._gone.pop(number, None)

    async def write(self, message: Json) -> None:
        token = cast(Json, message.get("params") or {}).get("progressToken")
        related = self._tokens.get(token) if isinstance(token, str | int) else None
        metadata = None if related is None else ServerMessageMetadata(related_request_id=related)
        if "method" not in message:
            answered = message.get("id")
            self._tokens = {token: number for token, number in self._tokens.items() if number != answered}
        try:
            await self._write.send(SessionMessage(JSONRPCMessage.model_validate(message), metadata))
        except Exception as error:  # the client's stream is closed, by whatever name
            raise ConnectionError(type(error).__name__) from error


class _App:
    """What `mcp` runs for each session."""

    def __init__(self, make: MakeSession) -> None:
        self._make = make

    def create_initialization_options(self) -> None:
        return None

    async def run(self, read: ReadStream, write: WriteStream, *_: object, **__: object) -> None:
        streams = ClientStreams(read, write)
        session = self._make(streams, secrets.token_hex(8))

        async def watch(asked: Incoming, message: Json) -> None:
            asked.left = streams.gone(message["id"]) or asked.left

        session.down.watch = watch
        await session.run()


class _Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        [port] = {found.getsockname()[1] for server in self.servers for found in server.sockets}
        self.say(f"Listening on http://127.0.0.1:{port}{PATH}.")

    say: Callable[[str], None]


async def serve(make: MakeSession, port: int, key: str, say: Callable[[str], None]) -> None:
    """Serves on loopback until it is cancelled. Without the key nobody gets anything."""
    hosts = [f"{name}:*" for name in ("127.0.0.1", "localhost")]
    security = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])
    manager = StreamableHTTPSessionManager(
        cast(Any, _App(make)), security_settings=security, max_sessions=MOST_SESSIONS
    )

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if not _knows(scope, key):
            await _answer(send, 401, "Send the gateway's key: Authorization: Bearer …")
        elif scope["path"].rstrip("/") != PATH:
            await _answer(send, 404, f"The gateway is at {PATH}.")
        else:
            gone = scope[_GONE] = asyncio.Event()
            await manager.handle_request(scope, _noticing(receive, gone), send)

    server = _Server(
        uvicorn.Config(
            app, "127.0.0.1", port, log_level="warning", lifespan="off", ws="none", timeout_graceful_shutdown=2
        )
    )
    server.say = say
    async with manager.run():
        serving = asyncio.create_task(server.serve())
        try:
            await asyncio.shield(serving)
        finally:
            server.should_exit = True
            with suppress(asyncio.CancelledError):
                await serving


def _noticing(receive: Receive, gone: asyncio.Event) -> Receive:
    async def noticing() -> Message:
        message = await receive()
        if message["type"] == "http.disconnect":
            gone.set()
        return message

    return noticing


def _knows(scope: Scope, key: str) -> bool:
    given = dict(scope["headers"]).get(b"authorization", b"")
    return hmac.compare_digest(given, f"Bearer {key}".encode())


async def _answer(send: Send, status: int, detail: str) -> None:
    headers = [(b"content-type", b"application/problem+json")]
    body = json.dumps({"status": status, "detail": detail}).encode()
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
