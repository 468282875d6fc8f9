"""The log as it grows: each process has one listener, and all its streams and waits live on that."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from handrail.core.people import Principal
from handrail.feed.bell import Bell
from handrail.feed.connections import kept_up
from handrail.feed.entries import ANYTHING, Entry, Filter, Topic, about_principal
from handrail.feed.log import PAGE, Log
from handrail.feed.ring import Ring
from handrail.store import feed
from handrail.store.database import Connection, Database

RING_ENTRIES = 10_000
RING_BYTES = 32 << 20
HEARTBEAT_SECONDS = 15.0
# no event says that a token or sign-in has expired: a stream checks its caller at least this often
LOOK_SECONDS = 60.0
# notifications are not lost while the connection is up; this is how soon a dead one is noticed
LISTEN_SECONDS = 1.0

T = TypeVar("T")


@asynccontextmanager
async def following(
    database: Database, *, ring_entries: int = RING_ENTRIES, ring_bytes: int = RING_BYTES
) -> AsyncGenerator[Feed]:
    """This process's feed while the block lasts, with the newest entries in memory."""
    log = Log(database)
    head = await log.head()
    live = Feed(log, Ring(max(0, head - ring_entries), most=ring_entries, most_bytes=ring_bytes))
    async with kept_up("feed", database.direct, live.listen):
        await live.reaches(head)
        yield live


class Feed:
    """Streams hold a cursor and nothing else: what a slow one has not read stays in the ring or in the database."""

    def __init__(self, log: Log, ring: Ring) -> None:
        self._log = log
        self._ring = ring
        self._bell = Bell()
        self._waits_end = False
        self.streams = 0
        # seconds between the newest entry and its arrival here
        self.delay = 0.0

    @property
    def head(self) -> int:
        """The newest number that this process has seen: the cursor that means "from now on"."""
        return self._ring.head

    @property
    def waiting_topics(self) -> int:
        """On how many topics some stream or wait of this process waits."""
        return self._bell.topics

    async def listen(self, conn: Connection) -> None:
        """The listener: brings whatever is new into the ring, wherever it left off."""
        await feed.listen(conn, feed.FEED)
        while True:
            while rows := await feed.read(conn, self._ring.head, PAGE):
                self.delay = rows[-1]["age"]
                self.publish([Entry.of(row) for row in rows])
                if feed.reached_end(rows, PAGE):
                    break
            await feed.heard(conn, LISTEN_SECONDS)

    def publish(self, entries: Sequence[Entry]) -> None:
        """Entries that follow the head, to whom they concern."""
        before = self._ring.head
        self._ring.append(entries)
        self._bell.ring({topic for entry in entries for topic in entry.topics}, before)

    async def reaches(self, seq: int) -> None:
        """Returns when this process has seen the entry of that number."""
        with self._bell.waiter(ANYTHING) as waiter:
            while self.head < seq:
                waiter.clear()
                await waiter.wait(LISTEN_SECONDS)

    async def start(self, after: int | None) -> int:
        """The cursor that a stream begins with, and tells its client first: the given one, or the newest number.

        One beyond the log, as after the restore of an older backup, is the newest number too. A client that kept its
        own would miss what comes until the log has grown past it.
        """
        if after is None:
            return self.head
        # beyond the ring is not beyond the log: another process may be ahead of this one
        return after if after <= self.head else min(after, await self._log.head())

    async def follow(
        self,
        who: Principal,
        look: Callable[[], Awaitable[Principal | None]],
        *,
        after: int,
        where: Filter = Filter(),
        heartbeat: float = HEARTBEAT_SECONDS,
    ) -> AsyncGenerator[Entry | None]:
        """Every entry after the cursor that fits and may be seen, once each and in order; nothing (None) as a
        heartbeat when there was no entry for a while. The cursor is one that `start` gave.

        `look` gives the caller as of now; it is asked at the start, whenever an entry says that the caller's roles,
        token or sign-in may have changed, and now and then. The stream ends when it gives nobody.
        """
        me = about_principal(who.id)
        clock = asyncio.get_running_loop()
        self.streams += 1
        try:
            with self._bell.waiter(where.topic, me) as waiter:
                cursor = after
                now: Principal | None = who
                look_at = clock.time()
                while True:
                    # before anything is read: whatever happens from here on rings again
                    waiter.clear()
                    if clock.time() >= look_at:
                        look_at = clock.time() + LOOK_SECONDS
                        now = await look()
                    if now is None:
                        return
                    head = self._ring.head
                    entries = await self._next(cursor, where, now)
                    for entry in entries:
                        if where.shows(entry, now):
                            yield entry
                        cursor = entry.seq
                        if waiter.rang(me):
                            break
                    if not entries:
                        cursor = max(cursor, head)
                    if cursor >= self._ring.head:
                        nothing_until = await waiter.wait(heartbeat)
                        cursor = max(cursor, self._ring.head if nothing_until is None else nothing_until)
                        if nothing_until is None:
                            yield None
                    if waiter.rang(me):
                        look_at = clock.time()
        finally:
            self.streams -= 1

    async def past(self, who: Principal, *, after: int, where: Filter) -> Sequence[Entry]:
        """The next entries after the cursor that there are already, as far as a page goes; none: there are no more."""
        return await self._log.page(after, where, who)

    async def _next(self, cursor: int, where: Filter, who: Principal) -> Sequence[Entry]:
        """The next entries after the cursor. None: there were none up to the head that the ring had before."""
        held = self._ring.after(cursor, PAGE)
        if held is None:
            return await self._log.page(cursor, where, who)
        # a stream with much to read gives the others a turn
        await asyncio.sleep(0)
        return held

    async def wait_for(
        self, topic: Topic, look: Callable[[], Awaitable[T]], done: Callable[[T], bool], within: float
    ) -> T:
        """What `look` gives as soon as that is `done`, or when the time is over; looks only when the topic changes."""
        clock = asyncio.get_running_loop()
        deadline = clock.time() + within
        with self._bell.waiter(topic) as waiter:
            while True:
                waiter.clear()
                seen = await look()
                left = deadline - clock.time()
                if done(seen) or left <= 0 or self._waits_end:
                    return seen
                await waiter.wait(left)

    def end_waits(self) -> None:
        """Ends every wait with what it has seen: the server is stopping, and clients ask again elsewhere."""
        self._waits_end = True
        self._bell.wake()
