"""Behind a real PgBouncer in transaction mode: commands share few sessions and leave nothing in them."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import database as databases
import psycopg
import pytest
import server as servers

from deploy.tests import debian
from deploy.tests.test_restore import free_port, postgres
from handrail.store.database import Database, opened
from handrail.store.embedded import programs

NOBODY = 65534
CONFIGURATION = """
[databases]
handrail = host=127.0.0.1 port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own_port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {folder}/users.txt
auth_user = postgres
pool_mode = transaction
default_pool_size = 2
"""


@dataclass(frozen=True)
class Pooled:
    """The same database twice."""

    pooled: str
    direct: str


@pytest.fixture(scope="module")
def pooler() -> Generator[Pooled]:
    folder = databases.new_folder()
    # PostgreSQL and PgBouncer run as other users where we are root
    folder.chmod(0o777)
    port, own_port = free_port(), free_port()
    programs.run("initdb", "-D", str(folder / "cluster"), "--username", "postgres", "--auth=trust", "--encoding=UTF8")
    with (folder / "cluster" / "postgresql.conf").open("a") as file:
        file.write(f"listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = ''\n")
    (folder / "users.txt").write_text('"postgres" "unused"\n"handrail" "of this test"\n')
    (folder / "pgbouncer.ini").write_text(CONFIGURATION.format(port=port, own_port=own_port, folder=folder))
    for name in ("users.txt", "pgbouncer.ini"):
        (folder / name).chmod(0o644)
    with postgres(folder / "cluster"):
        with psycopg.connect(f"postgresql://postgres@127.0.0.1:{port}/postgres", autocommit=True) as connection:
            connection.execute("CREATE ROLE handrail LOGIN CREATEROLE PASSWORD 'of this test'")
            connection.execute("CREATE DATABASE handrail OWNER handrail")
        libraries = debian.unpack("libc-ares2", "libevent-2.1-7") / "usr" / "lib" / f"{os.uname().machine}-linux-gnu"
        with (folder / "pgbouncer.log").open("wb") as log:
            process = subprocess.Popen(
                [debian.program("pgbouncer", "pgbouncer"), folder / "pgbouncer.ini"],
                env={"LD_LIBRARY_PATH": str(libraries)},
                stdout=log,
                stderr=log,
                user=NOBODY if os.geteuid() == 0 else None,
            )
        try:
            found = Pooled(
                *(f"postgresql://handrail:of%20this%20test@127.0.0.1:{n}/handrail" for n in (own_port, port))
            )
            _answers(found.pooled, folder / "pgbouncer.log")
            yield found
        finally:
            process.terminate()
            process.wait()
    shutil.rmtree(folder, ignore_errors=True)


def _answers(dsn: str, log: Path) -> None:
    deadline = time.monotonic() + servers.START_SECONDS
    while True:
        try:
            psycopg.connect(dsn).close()
        except psycopg.OperationalError:
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        else:
            return


async def _often(database: Database) -> None:
    # psycopg prepares what it has seen five times
    for number in range(20):
        async with database.transaction() as connection:
            row = await (await connection.execute("SELECT %s::int AS n, now() AS at", (number,))).fetchone()
            assert row is not None
            assert (row["n"], row["at"].tzname()) == (number, "UTC")


async def test_commands_of_many_share_few_sessions(pooler: Pooled) -> None:
    async with opened(pooler.pooled) as one, opened(pooler.pooled) as other:
        await asyncio.gather(*(_often(database) for database in (one, other) for _ in range(8)))
        async with one.connection() as connection:
            left = await connection.execute(
                "SELECT current_setting('idle_in_transaction_session_timeout') AS timeout, "
                "(SELECT count(*) FROM pg_prepared_statements) AS prepared"
            )
            assert await left.fetchone() == {"timeout": "0", "prepared": 0}


def test_everything_works_through_it(pooler: Pooled) -> None:
    """Opening, deciding, the feed, and runs in processes with a login of their own."""
    given = {"HANDRAIL_DATABASE_URL": pooler.pooled, "HANDRAIL_DIRECT_DATABASE_URL": pooler.direct}
    with servers.running("up", HANDRAIL_CONCURRENCY="1", **given) as server:
        server.serves("demo-deploy")
        demo = server.run("demo", "--quiet", token=server.admin_token)
        assert demo.exit == 0, demo.err
        servers.until(lambda: len(server.run("pending", "--quiet", token=server.admin_token).out.split()) == 3)
        healthy = server.run("doctor", **given, HANDRAIL_DATA=str(server.data))
        assert "LISTEN" not in healthy.out
        sick = server.run("doctor", HANDRAIL_DATABASE_URL=pooler.pooled, HANDRAIL_DATA=str(server.data))
        assert sick.exit == 1
        assert "HANDRAIL_DIRECT_DATABASE_URL" in sick.out
