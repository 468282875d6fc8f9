"""Waiting for a notification: what came before, what comes meanwhile, and a connection that ends."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from handrail.store import feed

SOON = 30.0


async def test_one_that_came_before_and_one_that_comes_meanwhile_are_heard_once_each(database: str) -> None:
    async with feed.connection(database) as ours, feed.connection(database) as theirs:
        await feed.listen(ours, feed.RUNS)
        await feed.notify(theirs, feed.RUNS)
        # it comes with the answer to a statement
        await ours.execute("SELECT")
        assert await feed.heard(ours, SOON)
        waiting = asyncio.create_task(feed.heard(ours, SOON))
        await asyncio.sleep(0)
        await feed.notify(theirs, feed.RUNS)
        assert await waiting
        assert not await feed.heard(ours, 0.01)


async def test_a_connection_that_ends_is_noticed_at_once(database: str) -> None:
    async with feed.connection(database) as ours, feed.connection(database) as theirs:
        await feed.listen(ours, feed.RUNS)
        waiting = asyncio.create_task(feed.heard(ours, SOON))
        await asyncio.sleep(0)
        await theirs.execute("SELECT pg_terminate_backend(%s)", [ours.info.backend_pid])
        with pytest.raises(psycopg.OperationalError):
            await waiting
