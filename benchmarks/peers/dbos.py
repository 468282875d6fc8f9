"""DBOS: a workflow that awaits a message in one process, and a program that takes the decision over HTTP in another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg
from psycopg import conninfo

from benchmarks.peers import installing
from benchmarks.peers.side import Side, client, free_port, moment, started

VERSION = "3.3.0"
PROGRAM = Path(__file__).parent / "programs" / "receiving.py"
DATABASE = "dbos_peer"


class Dbos(Side):
    def __init__(self, door: httpx.AsyncClient, worker: httpx.AsyncClient) -> None:
        self._door = door
        self._worker = worker

    async def resumed(self) -> float:
        key = str(uuid4())
        (await self._worker.post(f"/ask/{key}")).raise_for_status()
        # until it waits for its message, which nothing outside it tells
        await asyncio.sleep(0.1)
        began = moment()
        (await self._door.post(f"/decide/{key}")).raise_for_status()
        answer = await self._worker.get(f"/result/{key}")
        return (answer.raise_for_status().json() - began) / 1000


@asynccontextmanager
async def side(dsn: str) -> AsyncGenerator[Dbos]:
    python = installing.python("dbos", [f"dbos=={VERSION}", "uvicorn==0.38.0", "starlette==0.49.3"])
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
        await conn.execute(f"CREATE DATABASE {DATABASE}")
    door, worker = free_port(), free_port()
    given = installing.variables() | {"DATABASE_URL": _url(dsn)}
    # the worker is first: it makes the tables
    async with (
        started([python, PROGRAM, "worker", str(worker)], given, f"http://127.0.0.1:{worker}/health"),
        started([python, PROGRAM, "door", str(door)], given, f"http://127.0.0.1:{door}/health"),
        client(door) as to_door,
        client(worker) as to_worker,
    ):
        yield Dbos(to_door, to_worker)


def _url(dsn: str) -> str:
    parts = conninfo.conninfo_to_dict(dsn)
    user, password = parts.get("user"), parts.get("password")
    return f"postgresql://{user}:{password}@/{DATABASE}?host={parts.get('host')}&port={parts.get('port', 5432)}"
