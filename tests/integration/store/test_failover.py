"""A database that fails over: several hosts, one that became a standby, and a commit that nobody answered."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from handrail.core.errors import OutcomeUnknown, Unavailable
from handrail.store import backup, migrate
from handrail.store.database import Connection, Database, opened, translated


@pytest.fixture
async def store(database: str) -> AsyncGenerator[Database]:
    async with opened(database, largest_pool=1) as store:
        async with store.connection() as connection:
            await connection.execute("CREATE TABLE seen (by text)")
        yield store


def with_one_that_is_gone(dsn: str, gone: Path) -> str:
    return make_conninfo(dsn, host=f"{gone},{conninfo_to_dict(dsn)['host']}")


async def count(connection: Connection) -> int:
    row = await (await connection.execute("SELECT count(*) AS found FROM seen")).fetchone()
    assert row is not None
    return row["found"]


async def test_a_host_that_is_gone_is_passed_over(store: Database, database: str, tmp_path: Path) -> None:
    async with opened(with_one_that_is_gone(database, tmp_path)) as other, other.connection() as connection:
        assert await count(connection) == 0


async def test_upkeep_passes_it_over_too(database: str, tmp_path: Path) -> None:
    several = with_one_that_is_gone(database, tmp_path)
    await migrate.migrate(several)
    backup.backup(several, tmp_path / "backup")
    assert (tmp_path / "backup").stat().st_size > 0


async def test_hosts_of_which_none_can_be_written_to_are_unavailable(database: str, tmp_path: Path) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        name = conninfo_to_dict(database)["dbname"]
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
    with pytest.raises(Unavailable, match="read-only"):
        async with opened(with_one_that_is_gone(database, tmp_path)):
            pass


async def test_a_session_that_became_read_only_is_unavailable_and_replaced(store: Database) -> None:
    with pytest.raises(Unavailable, match="standby"):
        async with store.connection() as connection:
            await connection.execute("SET default_transaction_read_only = on")
            await connection.execute("INSERT INTO seen VALUES ('first')")
    async with store.transaction() as connection:
        await connection.execute("INSERT INTO seen VALUES ('second')")
        assert await count(connection) == 1


def test_a_server_that_says_two_things_as_it_dies_is_unavailable() -> None:
    with pytest.raises(Unavailable), translated():
        raise psycopg.InternalError("received 2 results from command 'BEGIN'")


def test_a_defect_of_the_server_stays_one() -> None:
    with pytest.raises(psycopg.errors.DataCorrupted), translated():
        raise psycopg.errors.DataCorrupted("a page is broken")


async def test_a_connection_lost_before_the_commit_leaves_no_doubt(store: Database) -> None:
    with pytest.raises(Unavailable) as raised:
        async with store.transaction() as connection:
            await connection.execute("INSERT INTO seen VALUES ('first')")
            await connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    assert raised.value.code == "unavailable"


async def test_a_connection_lost_in_the_commit_is_an_unknown_outcome(store: Database, database: str) -> None:
    with pytest.raises(OutcomeUnknown, match="may or may not be recorded"):
        async with store.transaction() as connection:
            await connection.execute("INSERT INTO seen VALUES ('first')")
            with psycopg.connect(database) as other:
                other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.info.backend_pid])


async def test_a_commit_that_the_server_refuses_is_known_not_to_have_happened(store: Database) -> None:
    async with store.connection() as connection:
        await connection.execute("""
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
              AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = 'serialization_failure'; END $$;
            CREATE CONSTRAINT TRIGGER late AFTER INSERT ON seen DEFERRABLE INITIALLY DEFERRED
              FOR EACH ROW EXECUTE FUNCTION refuse()
        """)
    with pytest.raises(Unavailable) as raised:
        async with store.transaction() as connection:
            await connection.execute("INSERT INTO seen VALUES ('first')")
    assert raised.value.code == "unavailable"
    async with store.connection() as connection:
        assert await count(connection) == 0
