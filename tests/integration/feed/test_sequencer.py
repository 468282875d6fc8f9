"""The log is dense, in the order of commits, and goes on when its writer dies."""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from feed_world import (
    DEADLINE_SECONDS,
    audit_folder,
    commit,
    key_file,
    log_types,
    number_all,
    say,
    sequencing,
    until_head,
)

from handrail.feed.sequencer import BATCH, poking
from handrail.store import feed
from handrail.store.database import Database

CANDIDATE = """
import asyncio, sys
from pathlib import Path
from handrail.feed.sequencer import sequencing
from handrail.store.audit_files import HeadFile, KeyFile

async def main():
    folder = Path(sys.argv[2])
    async with sequencing(sys.argv[1], KeyFile(folder / "key.pem"), HeadFile(folder / "heads.jsonl")):
        await asyncio.Event().wait()

asyncio.run(main())
"""


@asynccontextmanager
async def candidate(dsn: str) -> AsyncGenerator[Process]:
    key_file(audit_folder())
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", CANDIDATE, dsn, audit_folder(), stdout=PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def leads(process: Process) -> None:
    """Returns when the candidate says that it leads."""
    assert process.stdout is not None
    async for line in process.stdout:
        if b"sequencer.leads" in line:
            return
    raise AssertionError("the candidate ended without ever leading")


@asynccontextmanager
async def leader_and_candidate(dsn: str) -> AsyncGenerator[tuple[Process, Process]]:
    async with candidate(dsn) as leader:
        async with asyncio.timeout(DEADLINE_SECONDS):
            await leads(leader)
        async with candidate(dsn) as other:
            yield leader, other


async def test_a_late_commit_gets_a_later_number_and_moves_nothing(store: Database) -> None:
    async with sequencing(store.dsn):
        async with store.transaction() as early:
            await say(early, "inserted.first")
            await commit(store, "committed.first")
            await until_head(store, 1)
            assert await log_types(store) == ["committed.first"]
        await until_head(store, 2)
    assert await log_types(store) == ["committed.first", "inserted.first"]


async def test_concurrent_committers_give_every_event_one_number_and_keep_their_own_order(store: Database) -> None:
    committers, rounds = 8, 30
    chance = random.Random(7)
    expected = [f"{who}.{round_}.{n}" for who in range(committers) for round_ in range(rounds) for n in range(3)]

    async def committer(who: int) -> None:
        for round_ in range(rounds):
            async with store.transaction() as conn:
                for n in range(3):
                    await say(conn, f"{who}.{round_}.{n}")
                    for _ in range(chance.randrange(20)):
                        await conn.execute("SELECT")
            poke()

    async with sequencing(store.dsn), poking(store.dsn) as poke:
        await asyncio.gather(*(committer(who) for who in range(committers)))
        await until_head(store, len(expected))
    logged = await log_types(store)
    assert sorted(logged) == sorted(expected)
    for who in range(committers):
        mine = [type_ for type_ in logged if type_.startswith(f"{who}.")]
        assert mine == [type_ for type_ in expected if type_.startswith(f"{who}.")]


async def test_the_leaders_own_process_needs_no_word_through_the_database(store: Database) -> None:
    async with (
        feed.connection(store.dsn) as listener,
        sequencing(store.dsn) as sequencer,
        poking(store.dsn, sequencer=sequencer) as poke,
    ):
        await feed.listen(listener, feed.INBOX)
        # what has a number says that it leads
        await commit(store, "said.first")
        await until_head(store, 1)
        for number in range(2, 7):
            await commit(store, "said.here")
            poke()
            await until_head(store, number)
        assert not [word async for word in listener.notifies(timeout=0)]


async def test_a_process_without_the_lead_tells_the_leader(store: Database) -> None:
    async with sequencing(store.dsn), feed.connection(store.dsn) as listener:
        await feed.listen(listener, feed.INBOX)
        await commit(store, "said.first")
        await until_head(store, 1)
        async with sequencing(store.dsn) as other, poking(store.dsn, sequencer=other) as poke:
            await commit(store, "said.elsewhere")
            poke()
            assert await feed.heard(listener, DEADLINE_SECONDS)
        await until_head(store, 2)


async def test_a_page_is_the_last_only_where_neither_rows_nor_bytes_ended_it(store: Database) -> None:
    async with store.transaction() as conn:
        for n in range(3):
            await say(conn, f"said.{n}")
    await number_all(store)
    async with store.connection() as conn:
        assert not feed.reached_end(await feed.read(conn, 0, 3), 3)
        assert feed.reached_end(await feed.read(conn, 0, 4), 4)
        large = [{**row, "data": "x" * (feed.PAGE_BYTES // 4)} for row in await feed.read(conn, 0, 4)]
    assert not feed.reached_end(large[:1], 4)


async def test_a_reader_that_only_goes_forward_misses_nothing_of_late_committers(store: Database) -> None:
    """The trap that ids of the inbox would fall into: a reader is past an id that commits later."""
    total = 200
    seen: list[str] = []

    async def reader() -> None:
        async with store.connection() as conn:
            cursor = 0
            while len(seen) < total:
                for row in await feed.read(conn, cursor, 7):
                    seen.append(row["type"])
                    cursor = row["seq"]

    async def committer(who: int) -> None:
        for n in range(total // 4):
            async with store.transaction() as conn:
                await say(conn, f"{who}.{n}")
                for _ in range(who * 3):
                    await conn.execute("SELECT")

    async with sequencing(store.dsn), asyncio.timeout(DEADLINE_SECONDS):
        await asyncio.gather(reader(), *(committer(who) for who in range(4)))
    assert len(set(seen)) == total


async def test_more_than_one_batch_in_one_commit_stays_in_order(store: Database) -> None:
    total = 2 * BATCH + 10
    async with store.transaction() as conn:
        await say(conn, *(f"e{n}" for n in range(total)))
    async with sequencing(store.dsn):
        await until_head(store, total)
    assert await log_types(store) == [f"e{n}" for n in range(total)]


async def test_events_of_a_process_that_died_before_its_poke_are_found(store: Database) -> None:
    async with sequencing(store.dsn) as sequencer:
        await commit(store, "before")
        await until_head(store, 1)
        assert sequencer.leading
        await commit(store, "nobody.pokes")
        await until_head(store, 2)


async def test_a_killed_leader_is_replaced_in_the_middle_of_the_work(store: Database) -> None:
    async with leader_and_candidate(store.dsn) as (leader, other), asyncio.timeout(DEADLINE_SECONDS):
        stop = asyncio.Event()
        count = 0

        async def committer() -> None:
            nonlocal count
            while not stop.is_set():
                await commit(store, "first", "second")
                count += 2

        async with asyncio.TaskGroup() as group:
            group.create_task(committer())
            await until_head(store, 20)
            leader.kill()
            await leads(other)
            async with store.connection() as conn:
                head = await feed.head(conn)
            await until_head(store, head + 20)
            stop.set()
        await until_head(store, count)
    assert await log_types(store) == ["first", "second"] * (count // 2)


async def test_a_leader_that_hangs_loses_the_lead_and_cannot_write_when_it_comes_back(store: Database) -> None:
    async with leader_and_candidate(store.dsn) as (leader, other), asyncio.timeout(DEADLINE_SECONDS):
        leader.send_signal(signal.SIGSTOP)
        await leads(other)
        leader.send_signal(signal.SIGCONT)
        for n in range(50):
            await commit(store, f"e{n}")
        await until_head(store, 50)
        async with store.connection() as conn:
            found = await conn.execute(
                "SELECT count(*) AS leaders FROM pg_locks WHERE locktype = 'advisory' AND database = "
                "(SELECT oid FROM pg_database WHERE datname = current_database())"
            )
            assert await found.fetchone() == {"leaders": 1}
    assert await log_types(store) == [f"e{n}" for n in range(50)]


async def test_two_leaders_by_mistake_would_still_number_densely(store: Database) -> None:
    """The head's row lock is a second guard: here two sessions move without any lock."""
    for n in range(40):
        await commit(store, f"e{n}")

    await asyncio.gather(*(number_all(store, at_most=3) for _ in range(3)))
    assert sorted(await log_types(store)) == sorted(f"e{n}" for n in range(40))
