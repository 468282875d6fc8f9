"""JSON-RPC messages, one a line, read within bounds. What is not a message is a value too, so that nobody has to trust
who is at the other end."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any, NamedTuple, NoReturn, Protocol, cast

Json = dict[str, Any]

LARGEST = 16 << 20
"""Bytes of one message. A model cannot use a tenth of it."""
_CHUNK = 1 << 16
_PEEK = 256
_ID_FIRST = re.compile(rb'^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,')
_ID_LAST = re.compile(rb'"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$')


class Broken(NamedTuple):
    """Something that is not a message. `id` is that of the request it seems to answer."""

    why: str
    id: int | None = None


class Wire(Protocol):
    """The way to the other side."""

    async def read(self) -> Json | Broken | None:
        """The next message; None when there are no more."""
        ...

    async def write(self, message: Json) -> None: ...


class Lines:
    """Messages over standard input and output. Only one task may read."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, largest: int = LARGEST) -> None:
        self._reader, self._writer, self._largest = reader, writer, largest
        self._rest = b""

    async def read(self) -> Json | Broken | None:
        while (line := await self._line()) is not None:
            if isinstance(line, Broken):
                return line
            if line.strip():
                return parsed(line)
        return None

    async def write(self, message: Json) -> None:
        self._writer.write(encoded(message) + b"\n")
        await self._writer.drain()

    async def _line(self) -> bytes | Broken | None:
        """Without `readuntil`, which gives up at its limit; this skips what is too long and remembers whose it was."""
        parts, size, head, tail = [self._rest], len(self._rest), b"", b""
        self._rest = b""
        while b"\n" not in parts[-1]:
            if size > self._largest:
                head = head or b"".join(parts)[:_PEEK]
                tail = (tail + b"".join(parts))[-_PEEK:]
                parts = []
            chunk = await self._reader.read(_CHUNK)
            if not chunk:
                return None
            parts.append(chunk)
            size += len(chunk)
        last, _, self._rest = parts[-1].partition(b"\n")
        line = b"".join([*parts[:-1], last])
        if not head and len(line) <= self._largest:
            return line
        head, tail = head or line[:_PEEK], (tail + line)[-_PEEK:]
        found = _ID_FIRST.search(head) or _ID_LAST.search(tail)
        return Broken(f"a message of more than {self._largest >> 20} MB", int(found[1]) if found else None)


def parsed(line: bytes) -> Json | Broken:
    try:
        found: Any = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return Broken("a line that is not JSON")
    return cast(Json, found) if isinstance(found, dict) else Broken("a line that is not a message")


def encoded(message: Json) -> bytes:
    try:
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # half a character, which JSON can write and UTF-8 cannot
        return json.dumps(message, separators=(",", ":")).encode()


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)
