"""Checkpoints of runs that ended long ago go; what can still be used stays."""

from __future__ import annotations

from datetime import timedelta

from engine_world import answer, go, start
from holds_world import shift_clock

from handrail.engine.driver import Seat
from handrail.store import checkpoints
from handrail.store.database import Database

KEEP = timedelta(days=7)


async def rows(database: Database) -> set[str]:
    """The runs of which anything is left."""
    async with database.connection() as conn:
        found = await conn.execute(
            """
            SELECT DISTINCT workflow FROM runs JOIN (SELECT thread_id FROM checkpoints UNION SELECT thread_id
              FROM checkpoint_writes UNION SELECT thread_id FROM checkpoint_blobs) AS kept ON thread_id = runs.id::text
            """
        )
        return {row["workflow"] for row in await found.fetchall()}


async def clear(database: Database) -> int:
    async with database.transaction() as conn:
        return await checkpoints.clear(conn, KEEP)


async def test_only_runs_that_ended_well_and_long_ago_lose_their_checkpoints(seat: Seat) -> None:
    database = seat.context.database
    for workflow in ("walk", "asking"):
        await go(seat, await start(database, workflow))
    await go(seat, await start(database, "falling", {"fail": True}))
    assert await clear(database) == 0
    await shift_clock(database, KEEP.total_seconds() + 1)
    await go(seat, await start(database, "circling"))
    nested = await start(database, "nested")
    await go(seat, nested)
    assert await rows(database) == {"walk", "falling", "asking", "circling", "nested"}
    assert await clear(database) == 1
    assert await rows(database) == {"falling", "asking", "circling", "nested"}
    assert await clear(database) == 0
    await answer(seat.context, nested, "staging?", "still there")
