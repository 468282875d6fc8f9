"""Writes what happens in a run, if possible together with the checkpoint that it belongs to."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import chain

from handrail.core import errors, sealing
from handrail.core.events import Event
from handrail.core.run_events import MessageCompleted, MessageDiscarded
from handrail.core.runs import Run, Usage
from handrail.engine.checkpoints import Write
from handrail.holds.context import Context
from handrail.store import chunks, claims, events, feed
from handrail.store.chunks import Chunk
from handrail.store.claims import Claim, Lost
from handrail.store.database import Connection

# what waits for no checkpoint, and a model's text, is written so often
FLUSH_SECONDS = 0.05


@dataclass(slots=True)
class Due:
    """What one transaction is to write."""

    said: list[Event] = field(default_factory=list[Event])
    text: list[Chunk] = field(default_factory=list[Chunk])
    used: list[Usage] = field(default_factory=list[Usage])

    def __bool__(self) -> bool:
        return bool(self.said or self.text or self.used)


class Scribe:
    """What is said with a task counts when that task's result is kept, and is written in the same transaction: a node
    that runs again says it again, and only the saying that counts is in the log.

    May be told things on any thread.
    """

    def __init__(self, context: Context, run: Run) -> None:
        self._context = context
        self._run = run
        self._due = Due()
        self._with_task: defaultdict[str, list[Event]] = defaultdict(list)
        self._lengths: dict[str, int] = {}
        self._loop = asyncio.get_running_loop()
        self._wanted = asyncio.Event()
        # one writes at a time: what comes later in a run stands later in the log, and the run's end comes last
        self._writing = asyncio.Lock()
        # messages that an earlier attempt began are given up: what runs again says them again
        self._has_given_up = False

    @property
    def attempt(self) -> int:
        """The number of this claim on the run: what runs again says its messages again, as another attempt."""
        return self._run.epoch

    def say(self, event: Event) -> None:
        """By the run's agent, with the next checkpoint, or soon where there is none."""
        self._due.said.append(replace(event, actor=self._run.agent))
        self._want()

    def stream(self, message_id: str, kind: str, text: str) -> None:
        """More text of a message. A run that knows a secret says its messages whole: a piece may be half of one."""
        if self._run.answers:
            return
        text = text.replace("\x00", "")
        start = self._lengths.get(message_id, 0)
        self._lengths[message_id] = start + len(text)
        self._due.text.append(Chunk(message_id, start, kind, text))
        self._want()

    def complete(self, task: str, message: MessageCompleted) -> None:
        """The message stands in the log once its task's result is kept; its text as it came goes then."""
        self._with_task[task].append(replace(message, actor=self._run.agent))

    def discard(self, message_id: str) -> None:
        if self._lengths.pop(message_id, None) is not None:
            self.say(MessageDiscarded(message_id=message_id, attempt=self._run.epoch))

    def use(self, usage: Usage) -> None:
        self._due.used.append(usage)
        self._want()

    def _want(self) -> None:
        self._loop.call_soon_threadsafe(self._wanted.set)

    def writing(self) -> AbstractAsyncContextManager[Write]:
        """Writes what waits for nothing. It counts as said when the block has ended well."""
        return self._block(lambda: [])

    def writing_with(self, task: str) -> AbstractAsyncContextManager[Write]:
        """And what is said with this task."""
        return self._block(lambda: [task] if task in self._with_task else [])

    def writing_all(self) -> AbstractAsyncContextManager[Write]:
        """And what is said with any task."""
        return self._block(lambda: list(self._with_task))

    @asynccontextmanager
    async def _block(self, tasks: Callable[[], list[str]]) -> AsyncGenerator[Write]:
        async with self._writing:
            bound = {each: self._with_task.pop(each) for each in tasks()}
            due, self._due = self._due, Due()
            gives_up, self._has_given_up = not self._has_given_up, True
            try:
                yield lambda conn: self._write(conn, due, list(chain.from_iterable(bound.values())), gives_up)
            except BaseException:
                self._has_given_up = not gives_up
                self._due = Due(due.said + self._due.said, due.text + self._due.text, due.used + self._due.used)
                for each, back in bound.items():
                    self._with_task[each][:0] = back
                raise
        if due or bound:
            self._context.poke()

    async def _write(self, conn: Connection, due: Due, bound: list[Event], gives_up: bool) -> None:
        if gives_up:
            await chunks.discard(conn, self._run)
        said = (*due.said, *bound)
        gone = [event.message_id for event in said if isinstance(event, MessageCompleted | MessageDiscarded)]
        text = joined(chunk for chunk in due.text if chunk.message_id not in gone)
        if text:
            await chunks.append(conn, self._run.id, self._run.epoch, text)
        if gone:
            await chunks.remove(conn, self._run.id, gone)
        if due.used:
            await claims.use(conn, self._run.id, due.used)
        await events.append(conn, [self._blotted(event) for event in said], None, events.of_run(self._run))

    def _blotted(self, event: Event) -> Event:
        """Without the secrets that people answered the run."""
        secrets = self._run.answers.values()
        return event.blotted(lambda said: sealing.blotted(said, secrets)) if secrets else event

    async def flush(self) -> None:
        """Write what waits for nothing, after what is being written; `Lost` where the run is another's."""
        text = bool(self._due.text)
        async with self.writing() as write, claims.fenced(self._context.database, Claim.of(self._run)) as conn:
            await write(conn)
        if text:
            async with self._context.database.connection() as conn:
                await feed.notify(conn, feed.CHUNKS)

    async def keep_flushing(self) -> None:
        """For ever: what came together, and did not go with a checkpoint meanwhile.

        A run that is another's, or a database that is away, shows at the next checkpoint.
        """
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            await asyncio.sleep(FLUSH_SECONDS)
            if self._due:
                with suppress(Lost, errors.Unavailable):
                    await self.flush()


def joined(text: Iterable[Chunk]) -> list[Chunk]:
    """Pieces that follow each other as one."""
    found: list[Chunk] = []
    for piece in text:
        last = found[-1] if found else None
        if last and (last.message_id, last.kind) == (piece.message_id, piece.kind):
            found[-1] = last._replace(text=last.text + piece.text)
        else:
            found.append(piece)
    return found
