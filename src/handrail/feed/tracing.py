"""Follows the log and tells a collector of traces what ended; of all processes, one does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from handrail.feed import spans
from handrail.feed.connections import kept_up
from handrail.feed.entries import Entry
from handrail.feed.log import PAGE
from handrail.store import feed, locks
from handrail.store.database import Connection
from handrail.store.locks import Lock
from handrail.telemetry import Sink

CANDIDATE_SECONDS = 2.0
LOOK_SECONDS = 1.0


@asynccontextmanager
async def tracing(dsn: str, sink: Sink) -> AsyncGenerator[None]:
    """A candidate in this process while the block lasts. It begins with what happens from then on."""

    async def work(conn: Connection) -> None:
        while not await locks.try_for_connection(conn, Lock.traces):  # noqa: ASYNC110 - another process has it
            await asyncio.sleep(CANDIDATE_SECONDS)
        await feed.listen(conn, feed.FEED)
        after = await feed.head(conn)
        while True:
            while rows := await feed.read(conn, after, PAGE):
                for entry in map(Entry.of, rows):
                    if spans.is_due(entry):
                        sink.add(spans.due(await _all_of(conn, entry), entry.seq))
                after = rows[-1]["seq"]
            await feed.heard(conn, LOOK_SECONDS)

    async with kept_up("traces", dsn, work):
        yield


async def _all_of(conn: Connection, entry: Entry) -> Sequence[Entry]:
    """Everything of its run, or of its hold; an entry of a run or hold that has neither is not due."""
    found: list[Entry] = []
    hold = entry.hold_id if entry.run_id is None else None
    while rows := await feed.read(conn, found[-1].seq if found else 0, PAGE, hold_id=hold, run_id=entry.run_id):
        found += map(Entry.of, rows)
    return found
