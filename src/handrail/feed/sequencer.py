"""The one writer of the log: a leader among all processes gives committed events their numbers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import structlog

from handrail.feed.sessions import kept_up
from handrail.store import feed
from handrail.store.database import Connection

BATCH = 1000
# where nobody pokes (a process died between commit and poke) the leader looks by itself
LOOK_SECONDS = 0.2
CANDIDATE_SECONDS = 0.5
# pokes of one process are at least this far apart: a burst of commands costs one
POKE_SECONDS = 0.002

log = structlog.stdlib.get_logger(__name__)


class Sequencer:
    """A candidate for the lead. Its `leading` says whether it has it."""

    def __init__(self) -> None:
        self.leading = False

    async def work(self, conn: Connection) -> None:
        while not await feed.try_to_lead(conn):  # noqa: ASYNC110 - the lock is another process's
            await asyncio.sleep(CANDIDATE_SECONDS)
        self.leading = True
        log.info("sequencer.leads")
        try:
            await self._lead(conn)
        finally:
            self.leading = False

    async def _lead(self, conn: Connection) -> None:
        await feed.listen(conn, feed.INBOX)
        while True:
            if await feed.move(conn, BATCH) < BATCH:
                await feed.heard(conn, LOOK_SECONDS)


class Poke:
    """Tells the leader, soon after a commit and without making the command wait, that there is something to move."""

    def __init__(self) -> None:
        self._wanted = asyncio.Event()

    def __call__(self) -> None:
        self._wanted.set()

    async def work(self, conn: Connection) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            await feed.notify(conn, feed.INBOX)
            await asyncio.sleep(POKE_SECONDS)


@asynccontextmanager
async def sequencing(dsn: str) -> AsyncGenerator[Sequencer]:
    """A candidate in this process while the block lasts."""
    sequencer = Sequencer()
    async with kept_up("sequencer", dsn, sequencer.work):
        yield sequencer


@asynccontextmanager
async def poking(dsn: str) -> AsyncGenerator[Poke]:
    poke = Poke()
    async with kept_up("poke", dsn, poke.work):
        yield poke
