"""Requests by a client that costs next to nothing: it shares the cores with the server that is measured."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Self
from urllib.parse import urlsplit

# of every answer that is measured: none comes in chunks
LENGTH = b"content-length:"


class Wire:
    """Keeps as many connections as there are requests at once."""

    def __init__(self, url: str, token: str) -> None:
        at = urlsplit(url)
        self._host, self._port = at.hostname, at.port
        self._head = f"Host: {at.netloc}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *ended: object) -> None:
        for _, writer in self._idle:
            writer.close()

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """What is answered, as JSON; anything but a success raises."""
        reader, writer = self._idle.pop() if self._idle else await asyncio.open_connection(self._host, self._port)
        content = json.dumps(body).encode()
        writer.write(f"POST {path} HTTP/1.1\r\n{self._head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        head = await reader.readuntil(b"\r\n\r\n")
        at = head.lower().index(LENGTH) + len(LENGTH)
        answer = await reader.readexactly(int(head[at : head.index(b"\r", at)]))
        self._idle.append((reader, writer))
        if not head.startswith(b"HTTP/1.1 2"):
            raise RuntimeError(f"{head.splitlines()[0].decode()}: {answer.decode()}")
        return json.loads(answer)
