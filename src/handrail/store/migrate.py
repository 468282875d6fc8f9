"""Brings the schema up to date at start, safe for any number of replicas that start at once."""
# yoyo is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import asyncio
import glob
from pathlib import Path

from yoyo import read_migrations
from yoyo.backends import PostgresqlPsycopgBackend
from yoyo.connections import DatabaseURI
from yoyo.migrations import Migration

from handrail.store import restoring
from handrail.store.address import located
from handrail.store.database import reach, translated
from handrail.store.locks import Lock, take_for_connection_now

FOLDER = Path(__file__).parent / "migrations"


def migrations() -> list[Path]:
    """The SQL files of this version."""
    return sorted(FOLDER.glob("*.sql"))


async def migrate(dsn: str, folder: Path = FOLDER) -> None:
    """Applies the folder's SQL files that the database does not have yet, in the order of their names.

    Replicas that start together wait for the first one, and find nothing left to do.
    """
    await asyncio.to_thread(_migrate, dsn, folder)


def _migrate(dsn: str, folder: Path) -> None:
    reach(dsn)
    place = DatabaseURI("postgresql+psycopg", None, None, None, None, None, {"conninfo": located(dsn)})
    with translated(), _Backend(place, "_yoyo_migration") as backend:
        take_for_connection_now(backend.connection, Lock.migrations)
        for migration in backend.to_apply(read_migrations(glob.escape(str(folder)))):
            _apply(backend, migration)
        restoring.finish(backend.connection)


def _apply(backend: _Backend, migration: Migration) -> None:
    """Steps and mark in one transaction; yoyo's own way marks afterwards, and a kill in between blocks every start."""
    with backend.transaction():
        migration.process_steps(backend, "apply")
        backend.mark_one(migration, log=False)


class _Backend(PostgresqlPsycopgBackend):
    # yoyo's lock is a row, which outlives its owner: ours takes its place
    _is_locked = True
