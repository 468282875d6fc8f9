"""Connections with deadlines: who begins a request and does not end it, or holds a connection idle, is sent away."""

from __future__ import annotations

import asyncio
from enum import Enum, auto
from http import HTTPStatus
from math import ceil
from typing import Any, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode
from websockets.http11 import Request

from handrail.api import problems
from handrail.api.doors import Doors
from handrail.api.gate import CHAT_PATH
from handrail.core import errors

HEADER_SECONDS = 15.0
# a body has this long, and a second more for so many bytes that have come
BODY_SECONDS = 20.0
BODY_BYTES_A_SECOND = 1000
# longer than clients keep theirs (seconds, most of them): else one is closed as it is used
IDLE_SECONDS = 75.0
# who is refused gets this long to read why
FAREWELL_SECONDS = 1.0
MOST_FAREWELLS = 50
LARGEST_CHAT_FRAME = 16 << 20
# all that a chat may send before it has said who it is: a token, and the sessions that it follows
LARGEST_GREETING = 16 << 10
# where the chat finds its socket in the scope of a request
SOCKET = "handrail.socket"


class Config(uvicorn.Config):
    """Connections find here whom they share the room with."""

    def __init__(self, app: Any, doors: Doors, **more: Any) -> None:
        super().__init__(app, http=Connection, ws=Socket, timeout_keep_alive=ceil(IDLE_SECONDS), **more)
        self.doors = doors
        self.farewells = 0


class _Awaits(Enum):
    header = auto()
    body = auto()
    """The rest of it."""
    request = auto()
    """The next one."""
    nothing = auto()
    """The answer is ours to give; or it is given, and the connection ends."""


class Connection(HttpToolsProtocol):
    """One of HTTP, until it becomes a WebSocket."""

    config: Config
    address = ""
    _inside = False
    _awaits = _Awaits.nothing
    _timer: asyncio.TimerHandle | None = None
    _received = 0
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] - uvicorn's own is narrower than asyncio's too
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._inside = self.config.doors.enter(self)
        if self._inside:
            self._await(_Awaits.header, HEADER_SECONDS)
        else:
            self._refuse()

    def connection_lost(self, exc: Exception | None) -> None:
        self._await(_Awaits.nothing)
        if self._inside:
            self._inside = False
            self.config.doors.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._inside or self.transport.is_closing():
            return
        # not when a message begins: empty lines may come before it, for ever
        if self._awaits is _Awaits.request:
            self._await(_Awaits.header, HEADER_SECONDS)
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._received, self._since = 0, self.loop.time()
        self._await(_Awaits.body, BODY_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._received += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is not None and cycle.response_complete:
            self._await(_Awaits.request, IDLE_SECONDS)
        else:
            self._await(_Awaits.nothing)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._awaits is _Awaits.nothing and not self.pipeline and not self.transport.is_closing():
            self._await(_Awaits.request, IDLE_SECONDS)

    def handle_websocket_upgrade(self) -> None:
        self._await(_Awaits.nothing)
        # the socket leaves in its place
        self._inside = False
        super().handle_websocket_upgrade()

    def send_away(self) -> None:
        """For another who needs the place."""
        self._end(errors.TooManyConnections())

    def _await(self, what: _Awaits, seconds: float = 0) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._awaits = what
        doors = self.config.doors
        match what:
            case _Awaits.header | _Awaits.body:
                doors.is_unfinished(self)
            case _Awaits.request:
                doors.is_idle(self)
            case _Awaits.nothing:
                doors.is_busy(self)
                return
        self._timer = self.loop.call_later(seconds, self._late)

    def _late(self) -> None:
        if self._awaits is _Awaits.body:
            left = BODY_SECONDS + self._received / BODY_BYTES_A_SECOND - (self.loop.time() - self._since)
            # what we do not read cannot come
            if self.flow.read_paused or left > 0:
                self._timer = self.loop.call_later(max(left, 1.0), self._late)
                return
        self._end(errors.TooSlow())

    def _end(self, why: errors.HandrailError) -> None:
        """With a word where a request has begun and nothing else is being said."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if self._awaits is _Awaits.body:
            silent = cycle is None or not cycle.response_started
        else:
            begun = cast("list[Any] | None", self.headers) is not None and self._awaits is _Awaits.header
            silent = begun and (cycle is None or cycle.response_complete)
        self._await(_Awaits.nothing)
        if silent and not self.pipeline:
            self.transport.write(_answer(why))
        self.transport.close()

    def _refuse(self) -> None:
        if self.config.farewells >= MOST_FAREWELLS:
            self.transport.abort()
            return
        self.config.farewells += 1
        # closing at once would take the answer back from a client that is still sending
        self.transport.write(_answer(errors.TooManyConnections()))
        self.transport.write_eof()
        self.loop.call_later(FAREWELL_SECONDS, self._gone)

    def _gone(self) -> None:
        self.config.farewells -= 1
        self.transport.abort()


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket, which has the place of the connection that it was."""

    config: Config
    address = ""
    # in bytes; none once the client is known, or where anybody may send
    _allowance: int | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.doors.leave(self)
        super().connection_lost(exc)

    def handle_connect(self, event: Request) -> None:
        is_chat = event.path.startswith(CHAT_PATH)
        if is_chat:
            # the chat says itself what is too large; the protocol would hang up without a word
            self.conn.max_message_size = LARGEST_CHAT_FRAME
            # what comes compressed may be a thousand times as long, and updates are too short to gain by it
            self.conn.available_extensions = []
            self._allowance = LARGEST_GREETING
        super().handle_connect(event)
        if is_chat and self.handshake_initiated and not self.close_sent:
            self.scope["extensions"] = {**(self.scope.get("extensions") or {}), SOCKET: self}  # pyright: ignore[reportGeneralTypeIssues] - theirs are dictionaries

    def data_received(self, data: bytes) -> None:
        if self._allowance is not None:
            self._allowance -= len(data)
            if self._allowance < 0:
                self._refuse()
                return
        super().data_received(data)

    def trust(self) -> None:
        """The client has said who it is: it may send as much as others."""
        self._allowance = None

    def abort(self) -> None:
        """Ends the connection at once, with whatever waits to be sent."""
        self.transport.abort()

    def _refuse(self) -> None:
        if not self.close_sent and not self.transport.is_closing():
            self.conn.send_close(CloseCode.MESSAGE_TOO_BIG, errors.BodyTooLarge.code)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def send_away(self) -> None:
        """Nobody asks it to: it never keeps us waiting."""


def _answer(error: errors.HandrailError) -> bytes:
    answer = problems.response(error)
    status = HTTPStatus(answer.status_code)
    lines = [b"HTTP/1.1 %d %s" % (status.value, status.phrase.encode())]
    lines += [name + b": " + value for name, value in answer.raw_headers]
    return b"\r\n".join([*lines, b"connection: close", b"", cast(bytes, answer.body)])
