"""Connections: deadlines for what a client has yet to send, and who makes room when it is full."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import pytest
from sockets import running, url_of
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect

from handrail.api import connections
from handrail.api.connections import Config
from handrail.api.doors import Doors

LATE = 0.4
PATIENCE = 60.0


async def hello(_: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


async def size(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


async def stream(_: Request) -> StreamingResponse:
    async def ticks() -> AsyncGenerator[bytes]:
        for _ in range(5):
            yield b"tick\n"
            await asyncio.sleep(LATE / 2)

    return StreamingResponse(ticks())


async def talk(socket: WebSocket) -> None:
    await socket.accept()
    async for text in socket.iter_text():
        await socket.send_text(text)


APP = Starlette(
    routes=[
        Route("/", hello),
        Route("/refused", hello, methods=["GET", "POST"]),
        Route("/size", size, methods=["POST"]),
        Route("/stream", stream),
        WebSocketRoute("/talk", talk),
    ]
)


@dataclass
class Client:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def send(self, text: str) -> None:
        self.writer.write(text.encode())

    async def rest(self) -> str:
        """All that comes until the server ends it."""
        async with asyncio.timeout(PATIENCE):
            try:
                return (await self.reader.read()).decode()
            except ConnectionResetError:
                return ""

    async def answer(self) -> str:
        async with asyncio.timeout(PATIENCE):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
            length = next(line for line in head.splitlines() if line.startswith("content-length")).split()[1]
            return head + (await self.reader.readexactly(int(length))).decode()


@dataclass
class Place:
    address: str
    clients: AsyncExitStack

    async def client(self, said: str = "") -> Client:
        host, _, port = self.address.partition(":")
        client = Client(*await asyncio.open_connection(host, int(port)))
        self.clients.callback(client.writer.close)
        client.send(said)
        return client

    def socket(self) -> connect:
        return connect(f"ws://{self.address}/talk")

    async def asks(self, path: str = "/") -> str:
        return await (await self.client(f"GET {path} HTTP/1.1\r\nhost: x\r\n\r\n")).answer()


@asynccontextmanager
async def place(most: int = 100, per_address: int = 100, proxies: tuple[str, ...] = ()) -> AsyncGenerator[Place]:
    doors = Doors(most, per_address, proxies)
    config = Config(APP, doors, host="127.0.0.1", port=0, lifespan="off", log_config=None)
    async with running(config) as server, AsyncExitStack() as clients:
        yield Place(url_of(server).removeprefix("http://"), clients)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEADER_SECONDS", "BODY_SECONDS", "IDLE_SECONDS"):
        monkeypatch.setattr(connections, name, LATE)


async def test_a_header_that_does_not_end_is_answered_408() -> None:
    async with place() as at:
        client = await at.client("GET / HTTP/1.1\r\nhost: x\r\n")
        said = await client.rest()
        assert said.startswith("HTTP/1.1 408 ") and '"code":"too_slow"' in said and "connection: close" in said


async def test_a_header_that_comes_byte_by_byte_has_no_more_time() -> None:
    async with place() as at:
        client = await at.client()
        reading = asyncio.create_task(client.rest())
        for byte in "GET / HTTP/1.1\r\nhost: " + "x" * 1000:
            if reading.done():
                break
            client.send(byte)
            await asyncio.sleep(LATE / 10)
        assert (await reading).startswith("HTTP/1.1 408 ")


@pytest.mark.parametrize("said", ["", "\r\n"])
async def test_who_says_nothing_is_let_go_without_a_word(said: str) -> None:
    async with place() as at:
        assert await (await at.client(said)).rest() == ""


async def test_empty_lines_between_requests_keep_nothing_open() -> None:
    async with place() as at:
        client = await at.client("GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        await client.answer()
        reading = asyncio.create_task(client.rest())
        for _ in range(100):
            if reading.done():
                break
            client.send("\r\n")
            await asyncio.sleep(LATE / 10)
        await reading


async def test_a_body_that_does_not_come_is_answered_408() -> None:
    async with place() as at:
        client = await at.client("POST /size HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc")
        assert (await client.rest()).startswith("HTTP/1.1 408 ")


async def test_a_body_whose_request_is_answered_already_is_not_waited_for() -> None:
    async with place() as at:
        client = await at.client("POST /refused HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc")
        assert (await client.answer()).endswith("hello")
        assert await client.rest() == ""


async def test_a_long_body_that_keeps_coming_is_taken() -> None:
    async with place() as at:
        client = await at.client("POST /size HTTP/1.1\r\nhost: x\r\ncontent-length: 20000\r\n\r\n")
        for _ in range(20):
            client.send("x" * 1000)
            await asyncio.sleep(LATE / 5)
        assert (await client.answer()).endswith("20000")


async def test_an_idle_connection_is_let_go_and_a_used_one_stays() -> None:
    async with place() as at:
        client = await at.client()
        for _ in range(4):
            client.send("GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            assert (await client.answer()).endswith("hello")
            await asyncio.sleep(LATE / 2)
        assert await client.rest() == ""


async def test_a_stream_and_a_socket_have_no_deadline() -> None:
    async with place() as at, at.socket() as socket:
        client = await at.client("GET /stream HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        assert (await client.rest()).count("tick") == 5
        await socket.send("still here?")
        assert await socket.recv() == "still here?"


async def test_a_handshake_that_does_not_end_is_answered_408() -> None:
    async with place() as at:
        client = await at.client("GET /talk HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n")
        assert (await client.rest()).startswith("HTTP/1.1 408 ")


async def test_when_it_is_full_who_keeps_us_waiting_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", PATIENCE)
    async with place(most=20, per_address=10) as at:
        flood = [await at.client("GET / HTTP/1.1\r\n") for _ in range(50)]
        assert (await at.asks()).endswith("hello")
        assert (await flood[0].rest()).startswith("HTTP/1.1 503 ")


async def test_those_in_mid_request_go_before_those_between_two(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEADER_SECONDS", "IDLE_SECONDS"):
        monkeypatch.setattr(connections, name, PATIENCE)
    async with place(per_address=3) as at:
        idle = await at.client("GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        await idle.answer()
        for _ in range(10):
            await at.client("GET / HTTP/1.1\r\n")
        assert (await at.asks()).endswith("hello")
        idle.send("GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        assert (await idle.answer()).endswith("hello")


async def test_where_all_are_at_work_the_next_is_refused_with_503_and_when_to_come_back() -> None:
    async with place(per_address=2) as at:
        streams = [await at.client("GET /stream HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n") for _ in range(2)]
        for each in streams:
            await each.reader.readuntil(b"tick")
        said = await at.asks()
        assert said.startswith("HTTP/1.1 503 ") and "retry-after: 1" in said and '"too_many_connections"' in said
        for each in streams:
            await each.rest()
        assert (await at.asks()).endswith("hello")


async def test_a_socket_has_its_place_until_it_ends() -> None:
    async with place(per_address=1) as at:
        async with at.socket():
            assert (await at.asks()).startswith("HTTP/1.1 503 ")
        # the server hears of its end a moment later
        assert [said for _ in range(100) if (said := await at.asks()).endswith("hello")]


async def test_a_trusted_proxy_brings_as_many_as_there_is_room_for() -> None:
    async with place(per_address=1, proxies=("127.0.0.0/8",)) as at, at.socket():
        assert (await at.asks()).endswith("hello")
