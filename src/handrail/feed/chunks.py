"""Live text of models: each process listens once, and keeps the text of the runs that somebody watches."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from handrail.core.run_events import MessageCompleted, MessageDiscarded
from handrail.feed.connections import kept_up
from handrail.feed.entries import Entry
from handrail.store import chunks, feed
from handrail.store.chunks import Message, Piece
from handrail.store.database import Connection, Database

# notifications are not lost while the connection is up; this is how soon a dead one is noticed
LISTEN_SECONDS = 1.0
# after these a message's text is in the log, or void
ENDS = frozenset({MessageCompleted.type, MessageDiscarded.type})
# many come at once after an outage: together they take no more connections of the pool than these
READERS = 2
_NOTHING: Mapping[Message, int] = {}


@dataclass(frozen=True, slots=True)
class Delta:
    """The next piece of a message. It has no number in the log: who comes back gets the text so far, from 0."""

    message: Message
    start: int
    kind: str
    text: str

    @property
    def json(self) -> str:
        said = {
            "message_id": self.message.message_id,
            "attempt": self.message.attempt,
            "start": self.start,
            "text": self.text,
            "kind": self.kind,
        }
        return json.dumps({"type": "message.delta", "run_id": str(self.message.run_id), "data": said})


@dataclass(slots=True)
class _Watched:
    """The live text of one run, and who waits for more of it."""

    texts: dict[Message, list[Piece]] = field(default_factory=dict[Message, list[Piece]])
    # their text is in the log: a chunk that was read before it went is not taken in any more
    ended: set[Message] = field(default_factory=set[Message])
    changed: list[asyncio.Event] = field(default_factory=list[asyncio.Event])

    def take(self, chunk: Piece) -> None:
        known = self.texts.setdefault(chunk.message, [])
        if chunk.message not in self.ended and chunk.start >= _end(known):
            known.append(chunk)

    def end(self, message: Message) -> None:
        self.ended.add(message)
        self.texts.pop(message, None)


@asynccontextmanager
async def watching(database: Database) -> AsyncGenerator[Chunks]:
    live = Chunks(database)
    async with kept_up("chunks", database.direct, live.listen):
        yield live


class Chunks:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._readers = asyncio.Semaphore(READERS)
        self._runs: dict[UUID, _Watched] = {}

    async def listen(self, conn: Connection) -> None:
        """The listener: brings what is new of the runs that are watched."""
        await feed.listen(conn, feed.CHUNKS)
        while True:
            await self._fetch(conn)
            await feed.heard(conn, LISTEN_SECONDS)

    async def follow(self, run_id: UUID, told: Mapping[Message, int]) -> AsyncGenerator[Delta]:
        """The text so far of what is being said, behind where it was told before, then each piece as it comes; what
        piled up meanwhile comes as one."""
        changed = asyncio.Event()
        watched = self._runs.setdefault(run_id, _Watched())
        watched.changed.append(changed)
        ends = dict(told)
        try:
            async with self._readers, self._database.connection() as conn:
                self._take(await chunks.beyond(conn, [run_id], self._known(run_id)))
            while True:
                changed.clear()
                for message, known in list(watched.texts.items()):
                    for delta in _joined(known, ends.get(message, 0)):
                        ends[message] = delta.start + len(delta.text)
                        yield delta
                await changed.wait()
        finally:
            watched.changed.remove(changed)
            if not watched.changed:
                self._runs.pop(run_id, None)

    def end(self, message: Message) -> None:
        """It is complete or void: its text is no longer needed here."""
        watched = self._runs.get(message.run_id)
        if watched is not None:
            watched.end(message)

    async def _fetch(self, conn: Connection) -> None:
        if self._runs:
            known = {message: end for run_id in self._runs for message, end in self._known(run_id).items()}
            self._take(await chunks.beyond(conn, list(self._runs), known))

    def _known(self, run_id: UUID) -> dict[Message, int]:
        watched = self._runs.get(run_id)
        return {message: _end(known) for message, known in watched.texts.items()} if watched else {}

    def _take(self, found: list[Piece]) -> None:
        for chunk in found:
            watched = self._runs.get(chunk.message.run_id)
            if watched is not None:
                watched.take(chunk)
                for changed in watched.changed:
                    changed.set()


async def with_deltas(
    live: Chunks, run_id: UUID, entries: AsyncGenerator[Entry | None], told: Mapping[Message, int] = _NOTHING
) -> AsyncGenerator[Entry | Delta | None]:
    """Entries and live text of one run, as each comes. Of each, one at most waits for a client that is slow.

    `told` is how far messages were told to the client before it came back.
    Text of a message that has ended is not told any more: the entry that says so has all of it.
    """
    deltas = live.follow(run_id, told)
    ended: set[Message] = set()
    waits: dict[asyncio.Task[Entry | Delta | None], AsyncGenerator[Any]] = {}
    try:
        for source in (entries, deltas):
            waits[asyncio.ensure_future(anext(source))] = source
        while True:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                source = waits.pop(task)
                try:
                    found = task.result()
                except StopAsyncIteration:
                    return
                if isinstance(found, Entry) and found.type in ENDS and (message := message_of(found)):
                    live.end(message)
                    ended.add(message)
                if not isinstance(found, Delta) or found.message not in ended:
                    yield found
                waits[asyncio.ensure_future(anext(source))] = source
    finally:
        for task in waits:
            task.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await task
        await entries.aclose()
        await deltas.aclose()


def message_of(entry: Entry) -> Message | None:
    """The message that an entry completes or discards; nothing where it is about none."""
    match entry.event:
        case MessageCompleted(message_id=id_, attempt=attempt) | MessageDiscarded(message_id=id_, attempt=attempt):
            return Message(entry.run_id, id_, attempt) if entry.run_id else None
        case _:
            return None


def _end(known: list[Piece]) -> int:
    return known[-1].start + len(known[-1].text) if known else 0


def _joined(known: list[Piece], after: int) -> list[Delta]:
    """Pieces of one kind that follow each other as one."""
    joined: list[Delta] = []
    for chunk in known:
        if chunk.start < after:
            continue
        last = joined[-1] if joined else None
        if last is not None and last.kind == chunk.kind and last.start + len(last.text) == chunk.start:
            joined[-1] = Delta(last.message, last.start, last.kind, last.text + chunk.text)
        else:
            joined.append(Delta(chunk.message, chunk.start, chunk.kind, chunk.text))
    return joined
