"""Streams over a real database: replicas, the ring's end, reconnects, crashes of the database."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from pathlib import Path
from uuid import UUID, uuid4

from feed_world import ADMIN, DEADLINE_SECONDS, as_now, commit, number_all, sequencing, take, types

from handrail.core.errors import Unavailable
from handrail.feed.entries import Entry, Filter, about_hold
from handrail.feed.live import Feed, following
from handrail.feed.sequencer import poking
from handrail.store import feed as log
from handrail.store.database import Database, opened
from handrail.store.embedded import running
from handrail.store.migrate import migrate


async def commit_when_it_answers(store: Database, type_: str) -> None:
    while True:
        try:
            return await commit(store, type_)
        except Unavailable:
            # a new connection is made at most so often
            await asyncio.sleep(0.05)


async def test_every_replica_streams_the_same_entries(store: Database) -> None:
    async with sequencing(store.dsn), following(store) as one, following(store) as two:
        streams = [feed.follow(ADMIN, as_now(ADMIN), after=feed.head) for feed in (one, two)]
        await commit(store, "hold.opened", "hold.decided")
        for stream in streams:
            assert types(await take(stream, 2)) == ["hold.opened", "hold.decided"]
            await stream.aclose()


async def test_what_has_left_the_ring_comes_from_the_database(store: Database) -> None:
    expected = [f"e{n}" for n in range(1200)]
    await commit(store, *expected)
    await number_all(store)
    async with following(store, ring_entries=5) as feed:
        stream = feed.follow(ADMIN, as_now(ADMIN), after=0)
        assert types(await take(stream, 1200)) == expected
        # and on from the ring
        await commit(store, "next")
        await number_all(store)
        assert types(await take(stream, 1)) == ["next"]
        await stream.aclose()


async def test_a_filter_applies_to_the_ring_and_to_the_database_alike(store: Database) -> None:
    hold, other = uuid4(), uuid4()
    for n in range(10):
        await commit(store, f"e{n}", hold_id=hold if n % 2 else other, case_id="a" if n < 6 else "b", kind="input")
    await number_all(store)
    wheres = [Filter(hold_id=hold), Filter(case_id="a"), Filter(hold_id=other, case_id="b"), Filter(kind="input")]
    expected = [["e1", "e3", "e5", "e7", "e9"], [f"e{n}" for n in range(6)], ["e6", "e8"], [f"e{n}" for n in range(10)]]
    for ring_entries in (3, 100):
        async with following(store, ring_entries=ring_entries) as feed:
            for where, wanted in zip(wheres, expected, strict=True):
                stream = feed.follow(ADMIN, as_now(ADMIN), after=0, where=where, heartbeat=0.05)
                assert types(await take(stream, len(wanted))) == wanted
                assert await anext(stream) is None
                await stream.aclose()


async def test_a_page_of_large_events_is_bounded_in_bytes(store: Database) -> None:
    for n in range(8):
        await commit(store, f"e{n}", data={"detail": "x" * (log.PAGE_BYTES // 3)})
    await number_all(store)
    async with store.connection() as conn:
        assert len(await log.read(conn, 0, 500)) == 3
    async with following(store) as feed:
        stream = feed.follow(ADMIN, as_now(ADMIN), after=0)
        assert types(await take(stream, 8)) == [f"e{n}" for n in range(8)]
        await stream.aclose()


async def test_no_gap_and_no_duplicate_over_random_disconnects_between_replicas(store: Database) -> None:
    total, committers = 400, 4
    chance = random.Random(11)

    async def committer(who: int) -> None:
        for n in range(total // committers):
            await commit(store, f"{who}.{n}")
            poke()

    async def client(feeds: list[Feed]) -> list[Entry]:
        got: list[Entry] = []
        while len(got) < total:
            feed = chance.choice(feeds)
            stream = feed.follow(ADMIN, as_now(ADMIN), after=got[-1].seq if got else 0)
            got += await take(stream, min(chance.randrange(1, 40), total - len(got)))
            await stream.aclose()
        return got

    async with (
        sequencing(store.dsn),
        poking(store.dsn) as poke,
        following(store, ring_entries=20) as one,
        following(store) as two,
        asyncio.timeout(DEADLINE_SECONDS),
        asyncio.TaskGroup() as group,
    ):
        clients = [group.create_task(client([one, two])) for _ in range(5)]
        for who in range(committers):
            group.create_task(committer(who))
    for task in clients:
        assert [entry.seq for entry in task.result()] == list(range(1, total + 1))


async def test_a_cursor_that_this_replica_has_not_reached_repeats_nothing(store: Database) -> None:
    await commit(store, "e1", "e2")
    await number_all(store)
    async with following(store) as feed:
        # as if another replica had streamed entry 3 already: it is in the log, and not yet here
        async with store.transaction() as conn:
            await conn.execute("UPDATE feed_head SET seq = 3")
            await conn.execute(
                "INSERT INTO events (seq, at, type, data, data_hash, hash) "
                "VALUES (3, handrail_now(), 'e3', '{}', '', '')"
            )
        assert (await feed.start(3), await feed.start(4)) == (3, 3)
        stream = feed.follow(ADMIN, as_now(ADMIN), after=3)
        following_ = asyncio.ensure_future(anext(stream))
        await commit(store, "e4")
        await number_all(store)
        async with asyncio.timeout(DEADLINE_SECONDS):
            entry = await following_
        assert entry is not None and entry.type == "e4"
        await stream.aclose()


async def test_a_cursor_beyond_the_log_means_from_now_on(store: Database) -> None:
    await commit(store, "old")
    await number_all(store)
    async with following(store) as feed:
        assert await feed.start(10**15) == feed.head == 1
        stream = feed.follow(ADMIN, as_now(ADMIN), after=await feed.start(10**15), heartbeat=0.01)
        assert await anext(stream) is None
        await commit(store, "new")
        await number_all(store)
        assert types(await take(stream, 1)) == ["new"]
        await stream.aclose()


async def test_a_quiet_stream_beats_and_a_closed_one_leaves_nothing_behind(store: Database) -> None:
    async with following(store) as feed:
        streams = [
            feed.follow(ADMIN, as_now(ADMIN), after=0, where=Filter(case_id=str(n)), heartbeat=0.01) for n in range(20)
        ]
        for stream in streams:
            assert await anext(stream) is None
            assert await anext(stream) is None
        assert feed.streams == 20
        assert feed.waiting_topics == 21
        for stream in streams:
            await stream.aclose()
        assert feed.streams == 0
        assert feed.waiting_topics == 0


async def test_a_wait_looks_only_when_its_own_hold_changes(store: Database) -> None:
    holds = [uuid4() for _ in range(2000)]
    looks = dict.fromkeys(holds, 0)
    decided: set[UUID] = set()
    async with sequencing(store.dsn), following(store) as feed:

        async def wait(hold: UUID, within: float) -> bool:
            async def look() -> bool:
                looks[hold] += 1
                return hold in decided

            return await feed.wait_for(about_hold(hold), look, bool, within)

        async with asyncio.TaskGroup() as group, asyncio.timeout(DEADLINE_SECONDS):
            one = group.create_task(wait(holds[0], 60))
            others = [group.create_task(wait(hold, 60)) for hold in holds[1:]]
            # one turn of the loop: all have looked once, and wait
            await asyncio.sleep(0)
            assert feed.waiting_topics == len(holds)
            decided.add(holds[0])
            await commit(store, "hold.reviewed", "hold.decided", hold_id=holds[0])
            assert await one
            assert sum(looks.values()) == len(holds) + 1
            for task in others:
                task.cancel()
        assert feed.waiting_topics == 0
        assert not await wait(holds[1], 0.01)


async def test_streams_go_on_when_the_database_is_killed_and_comes_back(tmp_path: Path) -> None:
    async with running(tmp_path) as dsn:
        await migrate(dsn)
        async with (
            opened(dsn) as store,
            sequencing(dsn),
            poking(dsn) as poke,
            following(store) as feed,
            asyncio.timeout(60),
        ):
            stream = feed.follow(ADMIN, as_now(ADMIN), after=0)
            await commit(store, "before")
            poke()
            assert types(await take(stream, 1)) == ["before"]
            postmaster = int((tmp_path / "postgres" / "cluster" / "postmaster.pid").read_text().split()[0])
            os.kill(postmaster, signal.SIGKILL)
            await commit_when_it_answers(store, "after")
            assert types(await take(stream, 1)) == ["after"]
            await stream.aclose()
