"""Three replicas that start at once on an empty database all come up."""

from __future__ import annotations

import subprocess
import sys

import psycopg
from database import Clones

REPLICA = """
import asyncio, sys
from handrail.store.database import opened
from handrail.store.migrate import migrate

async def main() -> None:
    print("ready", flush=True)
    sys.stdin.readline()
    await migrate(sys.argv[1])
    async with opened(sys.argv[1]) as database, database.connection() as connection:
        await connection.execute("SELECT FROM holds")

asyncio.run(main())
"""


def test_three_replicas_that_start_at_once_on_an_empty_database_all_come_up(clones: Clones) -> None:
    with clones.database("template1") as dsn:
        replicas = [
            subprocess.Popen(
                [sys.executable, "-c", REPLICA, dsn],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for _ in range(3)
        ]
        for replica in replicas:
            assert replica.stdout
            assert replica.stdout.readline() == "ready\n"
        for replica in replicas:
            assert replica.stdin
            replica.stdin.write("go\n")
            replica.stdin.flush()
        endings = [(replica.communicate(timeout=120)[1], replica.returncode) for replica in replicas]
        assert endings == [("", 0)] * 3
        with psycopg.connect(dsn) as connection:
            marks = connection.execute("SELECT migration_id FROM _yoyo_migration").fetchall()
        assert ("0001_holds",) in marks
