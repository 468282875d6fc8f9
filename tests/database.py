"""The tests' PostgreSQL: one server for the whole run, one database per test, cloned from a migrated template."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import LiteralString
from uuid import uuid4

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from handrail.store.embedded import Server
from handrail.store.migrate import migrate

TEMPLATE = "handrail_template"
# set by the process that pytest was started as; the workers of xdist inherit it and so share one server
FOLDER_VARIABLE = "HANDRAIL_TEST_SERVER_FOLDER"
MEMORY = Path("/dev/shm")
PREFIX = "handrail-tests-"
LOCK = "run.lock"


def begin_run() -> None:
    """Makes the run's folder, in which all its servers have their data, and clears away what killed runs left."""
    # a clone is 300 files: 15 ms in memory, up to 350 ms on a busy disk
    parent = MEMORY if has_memory() else Path(tempfile.gettempdir())
    for lock in parent.glob(f"{PREFIX}*/{LOCK}"):
        # others may be clearing away, or ending their run, at this moment
        with suppress(FileNotFoundError):
            if lock.stat().st_uid == os.geteuid() and _take(lock) is not None:
                _clear(lock.parent)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    # it has its name once it is held: a run that begins at the same moment would take it for a killed one's
    draft = folder / "draft.lock"
    _take(draft)
    draft.rename(folder / LOCK)
    os.environ[FOLDER_VARIABLE] = str(folder)


def has_memory() -> bool:
    """Whether there is a place for files in memory with room for those of a run; containers often have little."""
    return MEMORY.exists() and shutil.disk_usage(MEMORY).free > 4 << 30


def end_run() -> None:
    """Stops what still runs, also where workers were killed, and removes the run's folder."""
    _clear(Path(os.environ.pop(FOLDER_VARIABLE)))


def folder_of_run() -> Path | None:
    """Programs that are no tests have none."""
    found = os.environ.get(FOLDER_VARIABLE)
    return Path(found) if found else None


def new_folder() -> Path:
    """A temporary folder in that of the run; short, because a database's socket may lie in it."""
    return Path(tempfile.mkdtemp(prefix="handrail-", dir=os.environ.get(FOLDER_VARIABLE)))


def furnish(data: Path) -> None:
    """Gives a server's data folder a database with the schema and no rows, made once a run: a server's own first start
    works for more than a second to make the same. Where there is no run, servers do that."""
    run = folder_of_run()
    if run is None:
        return
    made = run / "furnished"
    with _alone(run / "furnished.lock"):
        if not made.exists():
            draft = run / "draft"
            user = Server(draft, durable=False)
            # the caller may have a loop of its own
            with ThreadPoolExecutor(1) as thread:
                thread.submit(asyncio.run, _furnish(user.start())).result()
            user.stop()
            draft.rename(made)
    place = data / "postgres"
    place.mkdir(mode=0o700, parents=True)
    data.chmod(0o700)
    subprocess.run(["cp", "-a", made / "postgres" / "cluster", made / "postgres" / "password", place], check=True)


def _take(lock: Path) -> int | None:
    """A lock that is held until this process ends, however it ends."""
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


@contextmanager
def _alone(lock: Path) -> Generator[None]:
    """Of all processes of the run, one at a time."""
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _clear(folder: Path) -> None:
    for pid_file in folder.rglob("postgres/cluster/postmaster.pid"):
        Server(pid_file.parents[2]).stop()
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def server() -> Generator[Clones]:
    """The run's server, with the template made."""
    folder = Path(os.environ[FOLDER_VARIABLE])
    user = Server(folder, durable=False)
    try:
        dsn = user.start()
        with psycopg.connect(dsn, autocommit=True) as connection:
            _make_template(folder, dsn, connection)
            yield Clones(dsn, connection)
    finally:
        user.stop()


class Clones:
    """Databases that are alike, one for each test."""

    def __init__(self, dsn: str, connection: psycopg.Connection) -> None:
        self._dsn = dsn
        self._connection = connection

    @contextmanager
    def database(self, template: str = TEMPLATE) -> Generator[str]:
        """The DSN of a new database."""
        name = f"test_{uuid4().hex}"
        # measured: FILE_COPY 15 ms, WAL_LOG 33 ms
        self._execute("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name, template)
        try:
            yield dsn_of(self._dsn, name)
        finally:
            self._disconnect(name)
            self._execute("DROP DATABASE {}", name)

    def _disconnect(self, name: str) -> None:
        # DROP … WITH (FORCE) looks again only after 100 ms where a session is still on its way out
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
        while self._connection.execute(others, [name]).fetchall():
            time.sleep(0.001)

    def _execute(self, statement: LiteralString, *names: str) -> None:
        self._connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def dsn_of(dsn: str, database: str) -> str:
    """The same server's other database."""
    return dsn.replace(f"/{conninfo_to_dict(dsn)['dbname']}?", f"/{database}?")


async def _furnish(dsn: str) -> None:
    # seconds of imports that tests without a database do not need
    from handrail.engine import checkpoints

    await migrate(dsn)
    await checkpoints.set_up(dsn)


def _make_template(folder: Path, dsn: str, connection: psycopg.Connection) -> None:
    with _alone(folder / "template.lock"):
        if connection.execute("SELECT FROM pg_database WHERE datname = %s", [TEMPLATE]).fetchone() is None:
            draft = f"{TEMPLATE}_draft"
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(draft)))
            asyncio.run(_furnish(dsn_of(dsn, draft)))
            # who connects first writes down what the catalogue says; the clones have it then
            psycopg.connect(dsn_of(dsn, draft)).close()
            connection.execute(
                sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(draft), sql.Identifier(TEMPLATE))
            )
