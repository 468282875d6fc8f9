"""The doctor finds what is wrong with a deployment and says what to do; it changes nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest
from database import Clones
from pydantic import SecretStr

from handrail.cli.checkup import Finding, findings
from handrail.core.errors import Conflict
from handrail.settings import Settings, load
from handrail.store.audit_files import KeyFile
from handrail.store.backup import mark_restored
from handrail.store.locks import Lock, take_for_connection_now

# the tests' own PostgreSQL is not durable, and says so
EXPECTED = {"durability"}


def settings_of(data: Path, dsn: str, **more: Any) -> Settings:
    data.chmod(0o700)
    return load(data=data, database_url=SecretStr(dsn), **more)


async def found(settings: Settings) -> dict[str, Finding]:
    return {each.check: each async for each in findings(settings) if each.status != "ok"}


def execute(dsn: str, statement: LiteralString) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute(statement)


async def test_a_schema_that_is_behind_or_ahead_is_said(database: str, tmp_path: Path) -> None:
    settings = settings_of(tmp_path, database)
    assert "schema" not in await found(settings)
    execute(database, "DELETE FROM _yoyo_migration WHERE migration_id = '0019_attestations'")
    assert "0019_attestations" in (await found(settings))["schema"].message
    execute(database, "UPDATE _yoyo_migration SET migration_id = '9999_future' WHERE migration_id = '0001_holds'")
    newer = (await found(settings))["schema"]
    assert "9999_future" in newer.message
    assert "Upgrade this installation" in str(newer.fix)


async def test_an_empty_database_is_no_problem_and_stays_empty(clones: Clones, tmp_path: Path) -> None:
    with clones.database("template1") as dsn:
        assert (await found(settings_of(tmp_path, dsn))).keys() <= EXPECTED
        with psycopg.connect(dsn) as connection:
            assert connection.execute("SELECT to_regclass('_yoyo_migration')").fetchone() == (None,)


async def test_a_database_that_can_lose_what_it_acknowledged_is_a_problem(database: str, tmp_path: Path) -> None:
    seen = (await found(settings_of(tmp_path, database)))["durability"]
    assert seen.status == "problem"
    assert "fsync" in seen.message


async def test_a_database_that_does_not_answer_is_a_problem(tmp_path: Path) -> None:
    seen = (await found(settings_of(tmp_path, "postgresql://nobody:secret@127.0.0.1:1/none")))["database"]
    assert seen.status == "problem"
    assert "secret" not in seen.message


async def test_another_audit_key_than_the_log_has_is_a_problem(database: str, tmp_path: Path) -> None:
    KeyFile(tmp_path / "audit" / "key.pem").create()
    execute(database, "UPDATE feed_head SET key_id = 'another'")
    seen = (await found(settings_of(tmp_path, database)))["audit key"]
    assert seen.status == "problem"
    assert "rotate-key --lost" in seen.message


async def test_a_log_that_ends_before_heads_that_were_signed_was_put_back(database: str, tmp_path: Path) -> None:
    settings = settings_of(tmp_path, database)
    settings.audit_heads.parent.mkdir()
    head = {"record": "seal", "number": 1, "seq": 40, "at": "2026-11-16T12:00:00.000000Z"}
    hexed = {"hash": "00" * 32, "previous": "00" * 32, "key_id": "k", "signature": "00" * 64}
    settings.audit_heads.write_text(json.dumps(head | hexed) + "\n")
    seen = (await found(settings))["audit log"]
    assert seen.status == "problem"
    assert "handrail restore --in-place" in str(seen.fix)


async def test_events_without_a_number_and_no_worker_are_said(database: str, tmp_path: Path) -> None:
    execute(
        database,
        "INSERT INTO event_inbox (at, type, data) VALUES (handrail_now() - interval '1 hour', 'feed.test', '{}')",
    )
    seen = await found(settings_of(tmp_path, database))
    assert (seen["feed"].status, seen["workers"].status) == ("problem", "warning")


async def test_a_data_folder_that_others_can_read_is_a_problem(database: str, tmp_path: Path) -> None:
    settings = settings_of(tmp_path, database)
    os.chmod(tmp_path, 0o755)  # noqa: PTH101 - a test may wait for the disk
    assert (await found(settings))["data folder"].fix == f"chmod go= {tmp_path}"


async def test_a_server_for_others_needs_names_and_tls(database: str, tmp_path: Path) -> None:
    named = settings_of(tmp_path, database, host="0.0.0.0", allowed_hosts=("handrail.example.com",))
    assert "HANDRAIL_PUBLIC_URL" in (await found(named))["network"].message


def test_a_database_with_a_server_on_it_is_not_marked_as_restored(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as leader:
        take_for_connection_now(leader, Lock.feed_leader)
        with pytest.raises(Conflict, match="stop all servers"):
            mark_restored(database)
    mark_restored(database)
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT FROM pg_namespace WHERE nspname = 'handrail_restoring'").rowcount == 1
