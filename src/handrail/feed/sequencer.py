"""The one writer of the log: a leader among all processes gives committed events their numbers, and seals them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import structlog

from handrail.core.audit import Seal, Signer
from handrail.feed import chain
from handrail.feed.connections import kept_up
from handrail.store import feed
from handrail.store.audit_files import HeadFile
from handrail.store.database import Connection
from handrail.store.signing import Keys

BATCH = 1000
# if no poke comes (a process died between commit and poke), who looks at what is due sends one; the leader looks, too,
# as the database must hear of it (`feed.LEADER_LEASE`)
LOOK_SECONDS = 0.8
CANDIDATE_SECONDS = 0.5
# pokes of one process are at least this far apart: a burst of commands costs one
POKE_SECONDS = 0.002

log = structlog.stdlib.get_logger(__name__)


class Sequencer:
    """A candidate for the lead. Its `leading` says whether it has it."""

    def __init__(self, keys: Keys, heads: HeadFile) -> None:
        self.leading = False
        self._told = asyncio.Event()
        self._keys = keys
        self._heads = heads
        self._signer = keys.signer()
        self._heads_broken = False

    def tell(self) -> bool:
        """There are rows to number. Whether this one will: another process has the lead where not."""
        self._told.set()
        return self.leading

    async def work(self, conn: Connection) -> None:
        while not await feed.try_to_lead(conn):  # noqa: ASYNC110 - the lock is another process's
            await asyncio.sleep(CANDIDATE_SECONDS)
        self.leading = True
        log.info("sequencer.leads")
        try:
            await self._lead(conn)
        finally:
            self.leading = False
            self._note_head(None, now=True)

    async def _lead(self, conn: Connection) -> None:
        await feed.listen(conn, feed.INBOX)
        more = True
        while True:
            seal = None
            # where nothing was heard there is mostly nothing: one statement, where moving takes a transaction
            if more or await feed.heard(conn, LOOK_SECONDS, self._told) or await feed.any_unnumbered(conn):
                seal, more = await self.move(conn)
            self._note_head(seal)

    async def move(self, conn: Connection, at_most: int = BATCH) -> tuple[Seal | None, bool]:
        """Number, chain and seal the oldest committed rows of the inbox, in one transaction.

        Gives the seal, none where there were no rows; and whether more rows may wait.
        """
        # without a pipeline: the server ends the connection of a leader that hangs only between whole statements
        async with conn.transaction():
            taken = await feed.take(conn, at_most)
            if taken is None:
                return None, False
            signer = self._signer_of(taken.key_id)
            batch = chain.until_rotation(taken, signer)
            link = chain.forge(batch, signer)
            await feed.place(conn, batch, link.chained, link.seal, link.next_key_id)
        return link.seal, taken.full(at_most) or batch is not taken

    def _signer_of(self, key_id: str | None) -> Signer:
        """The key that the log names; `Misconfigured` where this process does not have it, and so cannot lead."""
        if key_id is not None and key_id != self._signer.public.id:
            self._signer = self._keys.signer(key_id)
        return self._signer

    def _note_head(self, seal: Seal | None, *, now: bool = False) -> None:
        try:
            self._heads.note(seal)
            if now:
                self._heads.write()
            self._heads_broken = False
        except OSError as error:
            # the log continues; one line per outage
            if not self._heads_broken:
                log.error("audit.head_not_written", file=str(self._heads.path), reason=str(error))
            self._heads_broken = True


class Poke:
    """Tells those who listen, soon after a commit and without making the command wait, that there is something to do:
    the leader that there are events to move, or workers that there are runs to take.

    `here` is told at once: the one of this process, where there is one. It says whether that is enough, or others
    need to be told as well.
    """

    def __init__(self, channel: feed.Channel = feed.INBOX) -> None:
        self._channel: feed.Channel = channel
        self._wanted = asyncio.Event()
        self.here: Callable[[], bool] = lambda: False

    def __call__(self) -> None:
        if not self.here():
            self._wanted.set()

    async def work(self, conn: Connection) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            await feed.notify(conn, self._channel)
            await asyncio.sleep(POKE_SECONDS)


@asynccontextmanager
async def sequencing(dsn: str, keys: Keys, heads: HeadFile) -> AsyncGenerator[Sequencer]:
    """A candidate in this process while the block lasts."""
    sequencer = Sequencer(keys, heads)
    async with kept_up("sequencer", dsn, sequencer.work):
        yield sequencer


@asynccontextmanager
async def poking(
    dsn: str, channel: feed.Channel = feed.INBOX, sequencer: Sequencer | None = None
) -> AsyncGenerator[Poke]:
    """`sequencer` is the candidate of this process, where there is one."""
    poke = Poke(channel)
    if sequencer is not None:
        poke.here = sequencer.tell
    async with kept_up("poke", dsn, poke.work):
        yield poke
