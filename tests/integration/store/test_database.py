"""Connections: one transaction per command, and failures that say so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from datetime import UTC
from pathlib import Path

import psycopg
import pytest

from handrail.core.errors import Misconfigured, Unavailable
from handrail.store import database as databases
from handrail.store.embedded import Server


@pytest.fixture
async def store(database: str) -> AsyncGenerator[databases.Database]:
    async with databases.opened(database) as store:
        async with store.connection() as connection:
            await connection.execute("CREATE TABLE seen (by text)")
        yield store


async def seen(store: databases.Database) -> list[str]:
    async with store.connection() as connection:
        return [row["by"] for row in await (await connection.execute("SELECT by FROM seen")).fetchall()]


async def test_a_command_is_committed_whole(store: databases.Database) -> None:
    async with store.transaction() as connection:
        await connection.execute("INSERT INTO seen VALUES ('first')")
        await connection.execute("INSERT INTO seen VALUES ('second')")
        assert await seen(store) == []
    assert await seen(store) == ["first", "second"]


async def test_a_command_that_fails_leaves_nothing(store: databases.Database) -> None:
    with pytest.raises(ZeroDivisionError):
        async with store.transaction() as connection:
            await connection.execute("INSERT INTO seen VALUES ('first')")
            raise ZeroDivisionError
    assert await seen(store) == []


async def test_a_command_that_is_cancelled_leaves_nothing(store: databases.Database) -> None:
    inserted = asyncio.Event()

    async def command() -> None:
        async with store.transaction() as connection:
            await connection.execute("INSERT INTO seen VALUES ('first')")
            inserted.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(command())
    await inserted.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await seen(store) == []


@pytest.mark.parametrize("turns", range(8))
async def test_a_command_that_is_cancelled_as_it_gets_its_connection_is_cancelled(database: str, turns: int) -> None:
    async with databases.opened(database, largest_pool=1) as store:
        async with store.connection():
            task = asyncio.create_task(one(store))
            # it waits in the pool's queue
            for _ in range(20):
                await asyncio.sleep(0)
        for _ in range(turns):
            await asyncio.sleep(0)
        assert task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        assert await one(store) == 1


async def test_a_command_is_cancelled_though_its_statement_failed_meanwhile(store: databases.Database) -> None:
    began = asyncio.Event()

    async def command() -> None:
        async with store.connection() as connection:
            began.set()
            await connection.execute("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(60)")

    task = asyncio.create_task(command())
    await began.wait()
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()


async def test_times_are_in_utc(store: databases.Database) -> None:
    async with store.connection() as connection:
        row = await (await connection.execute("SELECT now() AS now")).fetchone()
    assert row is not None
    assert row["now"].utcoffset() == UTC.utcoffset(None)


async def test_a_connection_lost_in_mid_command_is_unavailable(store: databases.Database) -> None:
    with pytest.raises(Unavailable, match="The database is not responding"):
        async with store.transaction() as connection:
            await connection.execute("INSERT INTO seen VALUES ('first')")
            await connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    assert await seen(store) == []


async def test_connections_lost_while_idle_are_replaced_unseen(store: databases.Database, database: str) -> None:
    terminate = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'handrail' AND"
    async with store.connection(), store.connection():
        pass
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as other:
        cursor = await other.execute(f"{terminate} datname = current_database()".encode())
        assert len(await cursor.fetchall()) >= 2
    for _ in range(3):
        assert await seen(store) == []


async def test_a_server_that_is_gone_is_unavailable_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "PATIENCE_SECONDS", 0.0)
    server = Server(tmp_path, durable=False)
    try:
        dsn = server.start()
        async with databases.opened(dsn) as store:
            server.stop()
            with pytest.raises(Unavailable, match="The database is not responding"):
                async with store.transaction():
                    pass
    finally:
        server.stop()
    with pytest.raises(Unavailable, match="No such file or directory"):
        async with databases.opened(dsn):
            pass


async def test_a_url_that_is_none_is_refused_without_showing_it() -> None:
    with pytest.raises(Misconfigured, match="HANDRAIL_DATABASE_URL") as refused:
        async with databases.opened("postgres//user:hunter2@host"):
            pass
    assert "hunter2" not in refused.value.message


async def test_commands_wait_for_a_server_that_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(databases, "RETRY_SECONDS", 0.05)
    server = Server(tmp_path, durable=False)
    try:
        async with databases.opened(server.start()) as store, asyncio.timeout(60):
            assert await one(store) == 1
            server.stop()
            waiting = asyncio.create_task(one(store))
            # the pool tells nobody but its log
            while "reconnection attempt" not in caplog.text:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            await asyncio.to_thread(server.start)
            assert await waiting == 1
    finally:
        server.stop()


async def one(store: databases.Database) -> int:
    async with store.transaction() as connection:
        row = await (await connection.execute("SELECT 1 AS one")).fetchone()
        assert row is not None
        return row["one"]
