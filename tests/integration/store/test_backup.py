"""Backup and restore: a round trip with real rows, and refusals that change nothing."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest
from database import Clones
from psycopg.conninfo import make_conninfo

from handrail.core.errors import Conflict, InvalidField, NotFound, Unavailable
from handrail.store.backup import backup, restore
from handrail.store.embedded import running
from handrail.store.migrate import migrate


@pytest.fixture
def empty(clones: Clones) -> Generator[str]:
    with clones.database("template1") as dsn:
        yield dsn


@pytest.fixture
def filled(database: str) -> str:
    with psycopg.connect(database) as connection:
        connection.execute("CREATE TABLE notes (id bigint GENERATED ALWAYS AS IDENTITY, at timestamptz, body json)")
        connection.execute(
            "INSERT INTO notes (at, body) "
            "SELECT 'epoch'::timestamptz + i * interval '1 s', json_build_object('n', i, 'text', 'ä\n' || i) "
            "FROM generate_series(1, 1000) AS i"
        )
    return database


def notes(dsn: str) -> list[tuple[object, ...]]:
    with psycopg.connect(dsn) as connection:
        return connection.execute("SELECT id, at, body::text FROM notes ORDER BY id").fetchall()


def tables(dsn: str) -> int:
    with psycopg.connect(dsn) as connection:
        found = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert found is not None
    return found[0]


async def test_what_was_there_is_there_again(filled: str, empty: str, tmp_path: Path) -> None:
    backup(filled, tmp_path / "file")
    await restore(empty, tmp_path / "file")

    assert len(notes(empty)) == 1000
    assert notes(empty) == notes(filled)
    assert tables(empty) == tables(filled)
    await migrate(empty)


def a_run(dsn: str) -> int:
    """The number of a new run."""
    with psycopg.connect(dsn) as connection:
        row = connection.execute(
            """
            WITH who AS (INSERT INTO principals (id, name, kind, created_at)
              SELECT id, id::text, 'agent', now() FROM gen_random_uuid() AS id RETURNING id)
            INSERT INTO runs (id, workflow, status, input, starter_id, agent_id, max_steps, max_seconds, created_at,
              active_at) SELECT gen_random_uuid(), 'w', 'queued', '{}', id, id, 1, 1, now(), now() FROM who
            RETURNING number
            """
        ).fetchone()
    assert row is not None
    return row[0]


async def test_short_ids_stay_and_those_given_after_the_backup_are_not_given_again(
    database: str, empty: str, tmp_path: Path
) -> None:
    kept = a_run(database)
    backup(database, tmp_path / "file")
    lost = a_run(database)
    await restore(empty, tmp_path / "file")

    with psycopg.connect(empty) as connection:
        assert connection.execute("SELECT number FROM runs").fetchall() == [(kept,)]
    assert a_run(empty) > lost


async def test_a_backup_restores_into_a_new_data_folder(filled: str, tmp_path: Path) -> None:
    backup(filled, tmp_path / "file")
    async with running(tmp_path / "data", durable=False) as dsn:
        await restore(dsn, tmp_path / "file")
        assert notes(dsn) == notes(filled)


async def test_a_backup_is_of_one_moment_while_others_write(database: str, empty: str, tmp_path: Path) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE TABLE a_left AS SELECT 0 AS n")
        connection.execute("CREATE TABLE z_right AS SELECT 0 AS n")
    done = asyncio.Event()
    began = asyncio.Event()

    async def write() -> None:
        async with await psycopg.AsyncConnection.connect(database, autocommit=True) as connection:
            while not done.is_set():
                async with connection.transaction():
                    await connection.execute("UPDATE a_left SET n = n + 1")
                    await connection.execute("UPDATE z_right SET n = n + 1")
                began.set()

    writer = asyncio.create_task(write())
    await began.wait()
    await asyncio.to_thread(backup, database, tmp_path / "file")
    done.set()
    await writer
    await restore(empty, tmp_path / "file")

    with psycopg.connect(empty) as connection:
        row = connection.execute("SELECT a_left.n, z_right.n FROM a_left, z_right").fetchone()
    assert row is not None
    assert row[0] == row[1] > 0


def test_a_backup_is_for_its_owner_alone_and_the_only_file(filled: str, tmp_path: Path) -> None:
    backup(filled, tmp_path / "file")
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600


def test_a_file_that_exists_is_not_overwritten(filled: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    with pytest.raises(Conflict, match="already exists"):
        backup(filled, tmp_path / "file")
    assert (tmp_path / "file").read_text() == "precious"


def test_a_folder_that_is_missing_is_named(filled: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidField, match="missing/file cannot be written"):
        backup(filled, tmp_path / "missing" / "file")


def test_a_backup_that_fails_leaves_no_file(filled: str, tmp_path: Path) -> None:
    with psycopg.connect(filled) as connection:
        connection.execute("ALTER TABLE notes ENABLE ROW LEVEL SECURITY")
        connection.execute("CREATE ROLE reader LOGIN PASSWORD 'reader'")
    try:
        with pytest.raises(Unavailable, match=r"The backup failed: .*permission denied"):
            backup(make_conninfo(filled, user="reader", password="reader"), tmp_path / "file")
    finally:
        with psycopg.connect(filled) as connection:
            connection.execute("DROP ROLE reader")
    assert list(tmp_path.iterdir()) == []


async def test_a_database_that_is_not_empty_is_refused(filled: str, database: str, tmp_path: Path) -> None:
    backup(filled, tmp_path / "file")
    with psycopg.connect(database) as connection:
        connection.execute("DELETE FROM notes")
    with pytest.raises(Conflict, match="is not empty"):
        await restore(database, tmp_path / "file")
    assert notes(database) == []


async def test_a_file_that_was_cut_short_changes_nothing(filled: str, empty: str, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    backup(filled, whole)
    cut = tmp_path / "cut"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 9 // 10])
    with pytest.raises(InvalidField, match="cut was not restored, and nothing was changed"):
        await restore(empty, cut)
    assert tables(empty) == 0


async def test_a_file_that_is_no_backup_or_is_missing_is_refused(empty: str, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("not a backup")
    with pytest.raises(InvalidField, match="other was not restored"):
        await restore(empty, tmp_path / "other")
    with pytest.raises(NotFound, match="missing"):
        await restore(empty, tmp_path / "missing")
