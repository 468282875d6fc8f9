"""Migrations: in order, once each, whole or not at all."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from database import Clones

from handrail.core.errors import Misconfigured
from handrail.store.migrate import FOLDER, migrate

BOT = UUID(int=99)


@pytest.fixture
def empty(clones: Clones) -> Generator[str]:
    with clones.database("template1") as dsn:
        yield dsn


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "[migrations]"
    folder.mkdir()
    (folder / "0001_first.sql").write_text("CREATE TABLE seen (by text);\nINSERT INTO seen VALUES ('first');\n")
    (folder / "0002_second.sql").write_text("INSERT INTO seen SELECT by || ' and second' FROM seen;\n")
    return folder


def seen(dsn: str) -> list[str]:
    with psycopg.connect(dsn) as connection:
        return [by for (by,) in connection.execute("SELECT by FROM seen ORDER BY by").fetchall()]


async def test_migrating_prints_nothing(empty: str, capfd: pytest.CaptureFixture[str]) -> None:
    """yoyo prints what a statement gives: before the JSON of `handrail up --json`."""
    await migrate(empty)
    assert capfd.readouterr().out == ""


async def test_files_are_applied_in_the_order_of_their_names_and_once(empty: str, folder: Path) -> None:
    await migrate(empty, folder)
    await migrate(empty, folder)
    assert seen(empty) == ["first", "first and second"]


async def test_a_later_start_applies_what_was_added(empty: str, folder: Path) -> None:
    await migrate(empty, folder)
    (folder / "0003_third.sql").write_text("DELETE FROM seen WHERE by = 'first';")
    await migrate(empty, folder)
    assert seen(empty) == ["first and second"]


async def test_a_file_that_fails_is_undone_and_tried_again(empty: str, folder: Path) -> None:
    third = folder / "0003_third.sql"
    third.write_text("INSERT INTO seen VALUES ('third');\nSELECT 1 / 0;\n")
    with pytest.raises(psycopg.errors.DivisionByZero):
        await migrate(empty, folder)
    assert seen(empty) == ["first", "first and second"]

    third.write_text("INSERT INTO seen VALUES ('third');")
    await migrate(empty, folder)
    assert seen(empty) == ["first", "first and second", "third"]


async def test_a_function_body_is_one_statement(empty: str, folder: Path) -> None:
    (folder / "0003_function.sql").write_text(
        """CREATE FUNCTION note(name text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO seen VALUES (name); -- one; two
            INSERT INTO seen VALUES (name || '%');
        END $$;
        SELECT note('x');
        """
    )
    await migrate(empty, folder)
    assert seen(empty) == ["first", "first and second", "x", "x%"]


async def test_a_file_and_the_mark_that_it_was_applied_are_one_commit(empty: str, folder: Path) -> None:
    await migrate(empty, folder)
    with psycopg.connect(empty) as connection:
        connection.execute("ALTER TABLE _yoyo_migration ADD CONSTRAINT full_up CHECK (migration_id < '0003')")
    (folder / "0003_third.sql").write_text("INSERT INTO seen VALUES ('third');")
    with pytest.raises(psycopg.errors.CheckViolation):
        await migrate(empty, folder)
    assert seen(empty) == ["first", "first and second"]


async def test_a_url_that_is_none_is_refused_without_showing_it(folder: Path) -> None:
    with pytest.raises(Misconfigured, match="HANDRAIL_DATABASE_URL") as refused:
        await migrate("postgres//user:hunter2@host", folder)
    assert "hunter2" not in refused.value.message


NUMBERING = "0017_short_ids.sql"


async def test_rows_that_are_there_get_short_ids_in_the_order_of_time(empty: str, tmp_path: Path) -> None:
    older = tmp_path / "older"
    older.mkdir()
    for file in FOLDER.glob("*.sql"):
        if file.name < NUMBERING:
            (older / file.name).write_text(file.read_text())
    await migrate(empty, older)
    with psycopg.connect(empty) as connection:
        connection.execute(
            "INSERT INTO principals (id, name, kind, created_at) SELECT %s, 'bot', 'agent', now()", (BOT,)
        )
        connection.execute("INSERT INTO audiences (roles) VALUES ('{cto}')")
        for hour in (3, 1, 2):
            a_run(connection, hour)
            a_hold(connection, hour)

    await migrate(empty)

    with psycopg.connect(empty) as connection:
        a_run(connection, 0)
        a_hold(connection, 0)
        numbers = connection.execute("SELECT extract(hour FROM created_at)::int, number FROM runs ORDER BY number")
        assert numbers.fetchall() == [(1, 1), (2, 2), (3, 3), (0, 4)]
        numbers = connection.execute(
            "SELECT extract(hour FROM opened_at)::int, number, run_number FROM holds ORDER BY 2"
        )
        assert numbers.fetchall() == [(1, 1, 1), (2, 2, 2), (3, 3, 3), (0, 4, None)]


def a_run(connection: psycopg.Connection[Any], hour: int) -> None:
    connection.execute(
        """
        INSERT INTO runs (id, workflow, status, input, starter_id, agent_id, max_steps, max_seconds, created_at,
          active_at)
        VALUES (%(id)s, 'w', 'queued', '{}', %(bot)s, %(bot)s, 1, 1, %(at)s, %(at)s)
        """,
        {"id": run_id(hour), "bot": BOT, "at": datetime(2026, 1, 1, hour, tzinfo=UTC)},
    )


def a_hold(connection: psycopg.Connection[Any], hour: int) -> None:
    connection.execute(
        """
        INSERT INTO holds (id, kind, status, level, title, run_id, opener_id, audience_id, opened_at, urgency, due_at,
          search, state)
        SELECT gen_random_uuid(), 'approval', 'pending', 'low', 't', %s, %s, max(id), %s, 3, 'infinity', '', '{}'
        FROM audiences
        """,
        (run_id(hour), BOT, datetime(2026, 1, 1, hour, tzinfo=UTC)),
    )


def run_id(hour: int) -> UUID:
    return UUID(int=hour + 1)
