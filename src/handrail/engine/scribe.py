"""Writes what happens in a run into the log, as far as it can beside the checkpoint that it belongs to."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from itertools import chain

from handrail.core.canonical import JsonObject
from handrail.core.events import Event
from handrail.core.runs import Run
from handrail.engine.checkpoints import Write
from handrail.engine.starting import about
from handrail.holds.context import Context
from handrail.store import claims, events
from handrail.store.claims import Claim

# events that wait for no checkpoint are written so often
FLUSH_SECONDS = 0.05


class Scribe:
    """What is said with a task counts when that task's result is kept, and is written in the same transaction: a node
    that runs again says it again, and only the saying that counts is in the log."""

    def __init__(self, context: Context, run: Run) -> None:
        self._context = context
        self._run = run
        self._said: list[Event] = []
        self._with_task: defaultdict[str, list[Event]] = defaultdict(list)
        self._wanted = asyncio.Event()

    def say(self, type_: str, data: JsonObject) -> None:
        """At once, and in any case with the next checkpoint."""
        self._said.append(Event(type_, self._run.agent, data))
        self._wanted.set()

    def say_with(self, task: str, type_: str, data: JsonObject) -> None:
        self._with_task[task].append(Event(type_, self._run.agent, data))

    @contextmanager
    def beside(self, task: str | None) -> Generator[Write]:
        """Writes what is to be said with a task, or with all; it is said when the block has ended well."""
        tasks = list(self._with_task) if task is None else [task] if task in self._with_task else []
        bound = {each: self._with_task.pop(each) for each in tasks}
        said, self._said = self._said, []
        taken = [*said, *chain.from_iterable(bound.values())]
        try:
            yield lambda conn: events.append(conn, taken, None, about(self._run))
        except BaseException:
            self._said[:0] = said
            for each, back in bound.items():
                self._with_task[each][:0] = back
            raise
        if taken:
            self._context.poke()

    async def flush(self) -> None:
        """Write what waits for nothing; `Lost` where the run is another's."""
        if self._said:
            with self.beside("") as write:
                async with claims.fenced(self._context.database, Claim.of(self._run)) as conn:
                    await write(conn)

    async def keep_flushing(self) -> None:
        """For ever: a burst is written at once, and what comes meanwhile together."""
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            await self.flush()
            await asyncio.sleep(FLUSH_SECONDS)
