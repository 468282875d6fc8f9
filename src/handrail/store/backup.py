"""The whole database in one file, taken while it is in use, and put back into an empty one.

PostgreSQL's own dump does the work: one snapshot, so it is consistent, and it fits the embedded server and any other.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import subprocess
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from handrail.core.errors import Conflict, InvalidField, NotFound, Unavailable
from handrail.store import restoring
from handrail.store.address import located
from handrail.store.database import reach, translated
from handrail.store.embedded import programs
from handrail.store.locks import Lock, take_for_connection_now, try_for_connection_now
from handrail.store.migrate import migrate

OWN_TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"


def backup(dsn: str, file: Path) -> None:
    """Writes a new file that its owner alone can read; it is there whole or not at all."""
    if file.exists():
        raise Conflict(f"{file} already exists: choose another file.")
    reach(dsn)
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise InvalidField(f"{file} cannot be written: {error.strerror}.") from error
    try:
        said = _run("pg_dump", dsn, "--format=custom", f"--file={draft}")
        if said is not None:
            raise Unavailable(f"The backup failed: {said}")
        draft.rename(file)
    finally:
        draft.unlink(missing_ok=True)


def is_empty(dsn: str) -> bool:
    """Whether nothing was ever kept in the database."""
    reach(dsn)
    with translated(), psycopg.connect(located(dsn)) as connection:
        return connection.execute(OWN_TABLES).fetchone() == (0,)


async def restore(dsn: str, file: Path) -> None:
    """Puts a backup into a database that has no tables yet; where that fails, it has none afterwards either.

    Approvals that were not used, tokens, sign-in links and sign-ins come back void, and the log says that it
    was restored.
    """
    await asyncio.to_thread(_restore, dsn, file)
    # of an older version's backup too
    await migrate(dsn)


def mark_restored(dsn: str) -> None:
    """The next migration makes void what a backup brings back. `Conflict` where there is nothing, or a server runs."""
    reach(dsn)
    with translated(), psycopg.connect(located(dsn), autocommit=True) as connection:
        take_for_connection_now(connection, Lock.migrations)
        if connection.execute(OWN_TABLES).fetchone() == (0,):
            raise Conflict("The database is empty: nothing was restored.")
        if not try_for_connection_now(connection, Lock.feed_leader):
            raise Conflict("A server is running on this database: stop all servers first.")
        restoring.begin(connection)


def _restore(dsn: str, file: Path) -> None:
    if not file.is_file():
        raise NotFound(f"There is no file {file}.")
    reach(dsn)
    with translated(), psycopg.connect(located(dsn), autocommit=True) as connection:
        # a server that starts now waits with its migrations until we are done
        take_for_connection_now(connection, Lock.migrations)
        if connection.execute(OWN_TABLES).fetchone() != (0,):
            raise Conflict("The database is not empty: restore a backup into a new data folder or database.")
        restoring.begin(connection)
        said = _run("pg_restore", dsn, "--single-transaction", str(file))
        if said is not None:
            restoring.give_up(connection)
    if said is not None:
        raise InvalidField(f"{file} was not restored, and nothing was changed: {said}")


def _run(program: str, dsn: str, *arguments: str) -> str | None:
    """Runs a client program; gives what it said where it failed. The password is not among its visible words."""
    place = conninfo_to_dict(located(dsn))
    password = {"PGPASSWORD": str(place.pop("password"))} if "password" in place else {}
    # root needs no namespace here: only the server refuses to be root
    completed = subprocess.run(  # noqa: S603, our own words
        [
            str(programs.path(program)),
            *("--no-owner", "--no-privileges", "--no-password"),
            f"--dbname={make_conninfo('', **place)}",
            *arguments,
        ],
        env=os.environ | password,
        capture_output=True,
        text=True,
        check=False,
    )
    # the reason comes first; a statement that names every table may follow it
    return None if completed.returncode == 0 else " ".join(completed.stderr.split())[:1000] or "nothing"
