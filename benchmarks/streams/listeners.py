"""Many clients in one process, half of them of server-sent events and half WebSockets, as lean as they can be.

The first line of its input is `{host, port, token, runs}`: each client follows one of the runs. It prints how many are
connected once all are; then `count` prints how many messages have arrived, and `done` when each did, by its name.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import sys
import time
from collections import defaultdict
from typing import Any, cast

import uvloop

NAME = re.compile(rb"e=\d+=e")
# few, so that those who are connected already are served meanwhile
AT_ONCE = 3
RETRIES = 20
TEXT, PING, PONG = 0x81, 0x89, 0x8A
MASK = 0x80

arrived: defaultdict[str, list[float]] = defaultdict(list)


class Client(asyncio.Protocol):
    """Notes when a message's name arrives; `ready` is done once the stream has begun."""

    begins = b""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._head = b""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.transport = cast("asyncio.Transport", None)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        if not self.ready.done():
            self._head += data
            if self.begins in self._head:
                self.ready.set_result(None)
                self._head = b""
            return
        self.hear(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(self._head[:300].decode(errors="replace")))

    def hear(self, data: bytes) -> None:
        for name in NAME.findall(data):
            arrived[name.decode()].append(time.time())


class Events(Client):
    begins = b"\nid: "


class Socket(Client):
    begins = b"stream.ready"

    def hear(self, data: bytes) -> None:
        # who answers no ping is hung up on
        if data[0] == PING:
            payload = data[2 : 2 + data[1]]
            self.transport.write(bytes([PONG, MASK | len(payload)]) + bytes(4) + payload)
            data = data[2 + len(payload) :]
        if data:
            super().hear(data)


def request(kind: type[Client], asked: dict[str, Any], run: str) -> bytes:
    head = f"Host: {asked['host']}:{asked['port']}\r\nAuthorization: Bearer {asked['token']}\r\n"
    if kind is Events:
        return f"GET /api/events?run={run} HTTP/1.1\r\n{head}\r\n".encode()
    key = base64.b64encode(os.urandom(16)).decode()
    upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
    return f"GET /ws/runs/{run} HTTP/1.1\r\n{head}{upgrade}\r\n".encode()


async def main() -> None:
    loop = asyncio.get_running_loop()
    asked = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    gate = asyncio.Semaphore(AT_ONCE)

    async def connect(number: int, run: str) -> Client:
        kind = Events if number % 2 else Socket
        for _ in range(RETRIES):
            async with gate:
                made = await loop.create_connection(
                    lambda: kind(request(kind, asked, run)), asked["host"], asked["port"]
                )
                try:
                    await made[1].ready
                except ConnectionError as error:
                    # a server that has no time now says so, and clients come back
                    print(error, file=sys.stderr)
                    await asyncio.sleep(1)
                else:
                    return made[1]
        raise ConnectionError("the server takes no more")

    clients = await asyncio.gather(*(connect(number, run) for number, run in enumerate(asked["runs"])))
    print(len(clients), flush=True)
    while word := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
        print(sum(map(len, arrived.values())) if word == "count" else json.dumps(arrived), flush=True)
    print(sum(client.transport.is_closing() for client in clients), file=sys.stderr)


if __name__ == "__main__":
    uvloop.run(main())
