"""Advisory locks on a real database: who waits for whom."""

from __future__ import annotations

import asyncio
from uuid import uuid4

from handrail.store import activity, brakes, workspaces
from handrail.store.database import opened

# a wait for a lock would last as long as the transaction that has it: for ever, in these tests
AT_ONCE = 10


async def test_starting_a_session_and_the_brake_do_not_wait_for_each_other(database: str) -> None:
    async with opened(database) as db, db.transaction() as starting, db.transaction() as opening:
        await activity.count(starting, "skill", uuid4())
        async with asyncio.timeout(AT_ONCE):
            await brakes.stand_back(opening)


async def test_who_sets_a_brake_waits_for_those_on_their_way(database: str) -> None:
    async with opened(database) as db, db.transaction() as braking:
        async with db.transaction() as opening:
            await brakes.stand_back(opening)
            waiting = asyncio.create_task(brakes.clear_the_way(braking))
            async with db.connection() as look:
                while not await (await look.execute("SELECT pid FROM pg_locks WHERE NOT granted")).fetchone():
                    assert not waiting.done()
        async with asyncio.timeout(AT_ONCE):
            await waiting


async def test_the_files_of_two_runs_change_at_the_same_time(database: str) -> None:
    async with opened(database) as db, db.transaction() as one, db.transaction() as other:
        await workspaces.lock(one, uuid4())
        async with asyncio.timeout(AT_ONCE):
            await workspaces.lock(other, uuid4())
