"""`/ws/chat`: Socket.IO on the same server. Limits come before anything is parsed, and every refusal has its code."""
# socketio is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportIncompatibleMethodOverride=false, reportMissingTypeStubs=false, reportMissingParameterType=false
# pyright: reportUnknownParameterType=false

from __future__ import annotations

import asyncio
import re
import time
import traceback
from collections import Counter
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import socketio
import structlog
from socketio import packet
from socketio.exceptions import ConnectionRefusedError as Refused
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from handrail.api import body, problems, sockets
from handrail.api.chat import handling, messages
from handrail.api.chat.clients import Client
from handrail.api.chat.messages import EVENTS, Auth
from handrail.api.connections import LARGEST_CHAT_FRAME, LARGEST_GREETING, SOCKET, Socket
from handrail.api.gate import CHAT_PATH
from handrail.api.identity import address_of, identify
from handrail.api.metrics import ChatMetrics
from handrail.api.rates import Rates
from handrail.api.services import Services
from handrail.api.sockets import Identity
from handrail.core import errors
from handrail.core.callers import Caller
from handrail.core.callers import Scope as Right

LARGEST_MESSAGE = 256 << 10
# of packets that wait for a client: it is told no more until it takes them. They come in one answer to a poll, of which
# the stock client of Python takes 16; acknowledgements and heartbeats come on top.
MOST_WAITING = 10
# of characters in one of them; a longer one waits alone
LARGEST_WAITING = 64 << 10
# of one connection; who then still sends too much is sent away
MOST_REFUSALS = 1_000
CLOSE_SECONDS = 5.0
# of the database's connections, those that all chats together read with
READERS = 3
EVENT = re.compile(r'2(?:/[^,]{0,100},)?(?P<id>\d{0,18})\["(?P<event>\w{1,40})"')

log = structlog.stdlib.get_logger("handrail.chat")


class Chat(socketio.AsyncServer):
    """An ASGI application. `clients` are those that said who they are, by their engine's ids."""

    path_format = CHAT_PATH

    def __init__(self, services: Services, metrics: ChatMetrics, rates: Rates) -> None:
        settings = services.settings
        super().__init__(
            async_mode="asgi",
            cors_allowed_origins=self._is_origin_allowed,
            max_http_buffer_size=LARGEST_CHAT_FRAME,
            http_compression=False,
            # the next poll may reach another process, which does not know the connection
            transports=["polling", "websocket"] if services.shared is None else ["websocket"],
            # each client is looked after by itself; a loop over all of them would outlive the server
            monitor_clients=False,
        )
        self._services = services
        self._metrics = metrics
        self._rates = rates
        self._origins = frozenset((*settings.websocket_cors_origins, *settings.allowed_origins))
        self._readers = asyncio.Semaphore(READERS)
        self._clients: dict[str, Client] = {}
        self._resumes: dict[str, Auth] = {}
        # the WebSockets of connections, where they have one
        self._wires: dict[str, Socket] = {}
        self._refusals: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self.on("connect", self._connected)
        self.on("disconnect", self._disconnected)
        self.on("*", self._heard)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self
        try:
            [sid] = parse_qs(scope["query_string"].decode()).get("sid", [""])[:1]
            if not sid:
                self._admit(HTTPConnection(scope))
            elif scope["type"] == "websocket":
                self._upgrade(sid, scope)
            elif scope["method"] == "POST":
                receive = await _read(scope, receive, LARGEST_CHAT_FRAME if sid in self._clients else LARGEST_GREETING)
        except (errors.Rejected, errors.Unavailable) as refusal:
            self._metrics.handshake(refusal.code)
            await problems.response(refusal)(scope, receive, send)
            return
        try:
            await self.eio.handle_request(scope, receive, send)
        except (ValueError, RecursionError) as error:
            # the library gives up on what it cannot read at all, and the connection ends
            self._metrics.ended("unreadable")
            log.info("chat.unreadable", error=type(error).__name__)

    def _admit(self, connection: HTTPConnection) -> None:
        self._rates.chat_handshake.hit(address_of(connection))
        if len(self.eio.sockets) >= self._services.settings.chat_connections:
            raise errors.TooManyConnections

    def _upgrade(self, eio_sid: str, scope: Scope) -> None:
        """A client that came by polling may be known already."""
        if eio_sid in self.eio.sockets:
            self._wire(eio_sid, scope)
            if eio_sid in self._clients:
                self._trust(eio_sid)

    def _wire(self, eio_sid: str, scope: Scope) -> None:
        wire = scope.get("extensions", {}).get(SOCKET)
        if wire is not None:
            self._wires[eio_sid] = wire

    def _trust(self, eio_sid: str) -> None:
        if eio_sid in self._wires:
            self._wires[eio_sid].trust()

    def _is_origin_allowed(self, origin: str, environ: Mapping[str, Any]) -> bool:
        return origin in self._origins or urlsplit(origin).netloc == environ.get("HTTP_HOST")

    # the library's own steps, before and behind which ours come

    async def _handle_eio_connect(self, eio_sid: str, environ: dict[str, Any]) -> None:
        await super()._handle_eio_connect(eio_sid, environ)
        self._wire(eio_sid, environ["asgi.scope"])
        asyncio.get_running_loop().call_later(sockets.ENTER_SECONDS, self._late, eio_sid)

    def _late(self, eio_sid: str) -> None:
        """Nobody has said who they are."""
        if eio_sid not in self._clients and eio_sid in self.eio.sockets:
            self._metrics.ended("unauthenticated")
            self._spawn(self._hang_up(eio_sid))

    async def _handle_connect(self, eio_sid: str, namespace: str, data: Any) -> None:
        if eio_sid in self._clients:
            raise ValueError("connected twice")
        await super()._handle_connect(eio_sid, namespace, data)
        client = self._clients.get(eio_sid)
        if client is not None:
            client.begin(self._resumes.pop(eio_sid).resumed)

    async def _handle_eio_message(self, eio_sid: str, data: str | bytes) -> None:
        client = self._clients.get(eio_sid)
        try:
            self._check(client, data)
            await super()._handle_eio_message(eio_sid, data)
        except errors.HandrailError as error:
            if client is None:
                await self._hang_up(eio_sid)
            else:
                found = EVENT.match(data) if isinstance(data, str) else None
                event, ack = (found["event"], found["id"]) if found else (None, None)
                # by itself, so that what was refused is not kept until the client has taken the refusal
                self._spawn(self._refuse(eio_sid, client, event, ack, error))
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            # no packet of Socket.IO
            if client is None:
                await self._hang_up(eio_sid)
            else:
                await client.refuse(errors.NotJson("The message is not a Socket.IO packet"), None)

    def _check(self, client: Client | None, data: str | bytes) -> None:
        if not isinstance(data, str) or data[:1] in ("5", "6"):
            raise errors.WrongType("Binary data is not accepted: send JSON")
        if len(data) > LARGEST_MESSAGE:
            raise errors.BodyTooLarge(f"a message can have at most {LARGEST_MESSAGE >> 10} KiB")
        if client is not None and data[:1] == "2":
            event = EVENT.match(data)
            cancels = event is not None and event["event"] == "cancel_request"
            limit = self._rates.chat_cancel if cancels else self._rates.chat_message
            limit.hit(str(client.caller.principal.id))
            # as strict as any body, which the library is not
            body.parse(data[data.find("[") :].encode())

    async def _refuse(
        self, eio_sid: str, client: Client, event: str | None, ack: str | None, error: errors.HandrailError
    ) -> None:
        """The event was not read; who waits for its acknowledgement gets the refusal as one."""
        known = event if event in EVENTS else None
        self._metrics.heard(known or "other", error.code, 0.0)
        self._refusals[eio_sid] += 1
        if self._refusals[eio_sid] > MOST_REFUSALS:
            await client.end(error, again=False)
            return
        said = await client.refuse(error, known)
        if ack:
            await self._send_packet(eio_sid, packet.Packet(packet.ACK, namespace="/", id=int(ack), data=[said]))

    async def _handle_eio_disconnect(self, eio_sid: str, reason: str) -> None:
        await super()._handle_eio_disconnect(eio_sid, reason)
        self._wires.pop(eio_sid, None)
        socket = self.eio.sockets.get(eio_sid)
        if socket is not None:
            # the library leaves a poll that is open to its timeout
            socket.queue.put_nowait(None)
        # a polling client may still fetch what was said last
        asyncio.get_running_loop().call_later(CLOSE_SECONDS, self.eio.sockets.pop, eio_sid, None)

    # what clients do

    async def _connected(self, sid: str, environ: Mapping[str, Any], auth: Any = None) -> None:
        try:
            eio_sid, connection = self._eio_of(sid), HTTPConnection(environ["asgi.scope"])
            said = messages.read(Auth, auth)
            identity = self._identity(connection, said.token)
            caller = await identity()
            caller.require(Right.read)
            self._check_room(caller.principal.id)
        except (errors.Rejected, errors.Unavailable) as error:
            self._metrics.handshake(error.code)
            told = {"code": error.code, **error.data}
            raise Refused(errors.sentence(error.message), told) from None
        except Exception:
            log.error("chat.failed", exception=traceback.format_exc())
            raise Refused("The server has failed; its log says why.", {"code": "internal"}) from None
        self._trust(eio_sid)
        self._resumes[eio_sid] = said
        line = _Line(self, sid, eio_sid)
        self._clients[eio_sid] = Client(line, self._services, identity, caller, self._metrics, self._readers)
        self._metrics.handshake("connected")
        self._metrics.connected(len(self._clients))
        log.info("chat.connected", principal_id=str(caller.principal.id), session_id=said.session_id)

    def _identity(self, connection: HTTPConnection, token: str | None) -> Identity:
        """Who this is, now and whenever it may have changed; a cookie says nothing here, because any page can send
        it."""
        if token is None and "authorization" not in connection.headers:
            raise errors.Unauthenticated(
                "You must connect with a token: send it as `auth.token`, or as a Bearer header"
            )

        async def look() -> Caller:
            async with self._readers:
                return await identify(connection, token)

        return look

    def _check_room(self, principal_id: UUID) -> None:
        mine = sum(client.caller.principal.id == principal_id for client in self._clients.values())
        if mine >= self._services.settings.chat_connections_per_principal:
            raise errors.TooManyConnections("You have too many chat connections open; close one first.")

    async def _disconnected(self, sid: str, reason: str) -> None:
        eio_sid = self._eio_of(sid)
        self._resumes.pop(eio_sid, None)
        self._refusals.pop(eio_sid, None)
        client = self._clients.pop(eio_sid, None)
        if client is not None:
            client.stop()
            self._metrics.ended(reason.replace(" ", "_"))
            self._metrics.connected(len(self._clients))
            log.info("chat.disconnected", principal_id=str(client.caller.principal.id), reason=reason)

    async def _heard(self, event: str, sid: str, *given: Any) -> dict[str, Any] | None:
        """The acknowledgement of an event: what was done, or the refusal that is told as `error`, too."""
        client = self._clients.get(self._eio_of(sid))
        if client is None:
            return None
        began = time.perf_counter()
        known, session_id, outcome = event if event in EVENTS else "other", _session_in(given), "ok"
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(session_id=session_id, principal_id=str(client.caller.principal.id))
        try:
            if event not in EVENTS:
                raise errors.InvalidField(f"there is no event {event[:40]!r}; send {', '.join(EVENTS)}", field="event")
            said = messages.read(EVENTS[event], given[0] if given else None)
            done = await handling.handle(client, said, self._rates)
            structlog.contextvars.bind_contextvars(session_id=done["session_id"])
            return done
        except errors.HandrailError as error:
            outcome = error.code
            # who is not known any more hears why, and then no more
            if isinstance(error, errors.Unauthenticated):
                await client.end(error, again=False)
            return await client.refuse(error, known, session_id)
        except Exception:
            outcome = "internal"
            log.error("chat.failed", event_name=known, exception=traceback.format_exc())
            return await client.refuse(errors.Unavailable("The server has failed; its log says why."), known)
        finally:
            seconds = time.perf_counter() - began
            self._metrics.heard(known, outcome, seconds)
            log.info("chat.event", event_name=known, outcome=outcome, ms=round(seconds * 1000, 1))

    # ends

    async def _hang_up(self, eio_sid: str) -> None:
        """Ends the connection, once what was sent has gone out; by force where the client takes nothing."""
        socket, wire = self.eio.sockets.get(eio_sid), self._wires.get(eio_sid)
        if socket is None or socket.closed:
            return
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await socket.close()
        except TimeoutError:
            await socket.close(wait=False, abort=True)
            if wire is not None:
                # with what waits to be sent
                wire.abort()

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _eio_of(self, sid: str) -> str:
        return cast("str", self.manager.eio_sid_from_sid(sid, "/"))


class _Line:
    def __init__(self, server: Chat, sid: str, eio_sid: str) -> None:
        self._server = server
        self._sid = sid
        self._eio_sid = eio_sid

    @property
    def is_open(self) -> bool:
        socket = self._server.eio.sockets.get(self._eio_sid)
        return socket is not None and not socket.closed

    async def send(self, message: str) -> None:
        socket = self._server.eio.sockets.get(self._eio_sid)
        if socket is None or socket.closed:
            return
        if self._is_full(socket.queue.qsize(), message):
            # the library's own queue has no end: whoever takes nothing is waited for, and then sent away
            async with asyncio.timeout(sockets.SEND_SECONDS):
                # others may have waited, too
                while self._is_full(socket.queue.qsize(), message):
                    await socket.queue.join()
        await self._server.eio.send(self._eio_sid, message)

    @staticmethod
    def _is_full(waiting: int, message: str) -> bool:
        return waiting >= MOST_WAITING or (waiting > 0 and len(message) > LARGEST_WAITING)

    async def close(self, *, again: bool) -> None:
        if not again:
            # stock clients come back by themselves after a lost connection, and not after this
            await self._server.disconnect(self._sid)
        self._server._spawn(self._server._hang_up(self._eio_sid))  # pyright: ignore[reportPrivateUsage] - its own line


async def _read(scope: Scope, receive: Receive, most: int) -> Receive:
    """The body as a whole, which the library would put together piece by piece."""
    declared = Headers(scope=scope).get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > most:
        raise errors.BodyTooLarge
    chunks: list[bytes] = []
    while True:
        message = await receive()
        chunks.append(message.get("body", b""))
        if sum(map(len, chunks)) > most:
            raise errors.BodyTooLarge
        if not message.get("more_body"):
            break
    whole: Message = {**message, "body": b"".join(chunks)}

    async def read() -> Message:
        return whole

    return read


def _session_in(given: tuple[Any, ...]) -> str | None:
    first = given[0] if given else None
    named = cast("dict[str, Any]", first).get("session_id") if isinstance(first, dict) else None
    return named[:50] if isinstance(named, str) else None
