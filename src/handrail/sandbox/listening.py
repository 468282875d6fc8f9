"""Output line by line, as it comes: handed on in order, without holding up the command that writes it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Literal, NamedTuple

Stream = Literal["stdout", "stderr"]
# in bytes; of a longer line the rest is left out
LONGEST_LINE = 16 * 1024


class Line(NamedTuple):
    """Without its ending. Bytes that are not UTF-8, and NUL, are U+FFFD; `is_cut` where the line was too long."""

    stream: Stream
    text: str
    is_cut: bool = False


Listen = Callable[[Line], Awaitable[None]]


async def silence(line: Line) -> None:
    """A listener who is not interested."""


class Lines:
    """Cuts output into lines. They wait here for the listener, who may be slow; there are as many as output may be."""

    def __init__(self, listen: Listen) -> None:
        self._listen = listen
        self._begun: dict[Stream, bytearray] = {"stdout": bytearray(), "stderr": bytearray()}
        self._heard: asyncio.Queue[Line | None] = asyncio.Queue()

    def take(self, stream: Stream, content: bytes) -> None:
        begun = self._begun[stream]
        first, *more = content.split(b"\n")
        _add(begun, first)
        for part in more:
            self._heard.put_nowait(_line(stream, begun))
            begun.clear()
            _add(begun, part)

    def add(self, text: str) -> None:
        """A line of the sandbox's own, between those of the command."""
        self._heard.put_nowait(Line("stderr", text))

    @asynccontextmanager
    async def delivered(self, end: Callable[[], None]) -> AsyncGenerator[None]:
        """A block at whose end every line has been handed on. A listener that fails ends the command, and its error is
        raised here."""
        task = asyncio.create_task(self._deliver())
        # before the block ends by itself, the task can be over only by an error
        task.add_done_callback(lambda _: end())
        try:
            yield
            self._finish()
            await task
        finally:
            task.cancel()
            await asyncio.wait({task})

    def _finish(self) -> None:
        for stream, begun in self._begun.items():
            if begun:
                self._heard.put_nowait(_line(stream, begun))
        self._heard.put_nowait(None)

    async def _deliver(self) -> None:
        while (line := await self._heard.get()) is not None:
            await self._listen(line)


def _add(begun: bytearray, part: bytes) -> None:
    # one more than fits says that it was cut
    begun += part[: LONGEST_LINE + 1 - len(begun)]


def _line(stream: Stream, content: bytearray) -> Line:
    text = content[:LONGEST_LINE].decode(errors="replace").removesuffix("\r").replace("\0", "\ufffd")
    return Line(stream, text, len(content) > LONGEST_LINE)
