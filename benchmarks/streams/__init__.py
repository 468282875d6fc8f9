"""Ten thousand clients of one server: how soon each event reaches the ten that follow its run, and what they cost.

Half of them are of server-sent events, half WebSockets.

Server, clients and the writer of events are three processes on the same cores. Time runs from the commit to the arrival
in the clients' process. The same is measured with ten clients before, so that what the others cost shows as a ratio.
A stream that hears nothing gets a heartbeat every 15 s and has its caller checked every 60 s; that is included, as is
the sequencer, which runs in the server's process. `connected per second` is how fast they came: each is identified
twice, and its run is looked up.
On a busy machine, a real-time priority keeps other work out: `chrt -r 1`, as for these figures.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import psutil

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from server import ServerProcess, running

from handrail.core.run_events import MessageCompleted
from handrail.feed.sequencer import poking
from handrail.store import events, runs, workflows
from handrail.store.database import Database, opened
from handrail.store.embedded import Server
from handrail.store.workflows import WorkflowListing

CLIENTS = 10_000
EACH = 10
EVENTS = 300
PAUSE_SECONDS = 0.05
PATIENCE_SECONDS = 600
SETTINGS = {
    "HANDRAIL_MAX_CONNECTIONS": str(CLIENTS + 1_000),
    # one address has half of the connections, but for proxies
    "HANDRAIL_TRUSTED_PROXIES": "127.0.0.1",
    # nothing happens in a run but what is written here
    "HANDRAIL_CONCURRENCY": "0",
    "HANDRAIL_LOG_LEVEL": "warning",
}


def run() -> dict[str, float]:
    return asyncio.run(_run())


async def _run() -> dict[str, float]:
    with running("serve", **SETTINGS) as server:
        user = Server(server.data)
        try:
            async with opened(user.start()) as database:
                return await _measured(server, database)
        finally:
            user.stop()


async def _measured(server: ServerProcess, database: Database) -> dict[str, float]:
    names = await _started(server, database, CLIENTS // EACH)
    async with listening(server, names[:1] * EACH) as listeners:
        few = await _latencies(database, names[:1], listeners)
    process = psutil.Process(server.pid)
    before = process.memory_info().rss
    began = time.perf_counter()
    async with listening(server, names * EACH) as listeners:
        took = time.perf_counter() - began
        during = process.memory_info().rss
        many = await _latencies(database, names, listeners)
        used = process.cpu_times()
        await asyncio.sleep(30)
        idle = process.cpu_times()
    return {
        "clients": CLIENTS,
        "clients_of_an_event": EACH,
        "connected_per_second": CLIENTS / took,
        "p50_ms_with_10_clients": few[0],
        "p99_ms_with_10_clients": few[1],
        f"p50_ms_with_{CLIENTS}_clients": many[0],
        f"p99_ms_with_{CLIENTS}_clients": many[1],
        "p50_of_many_over_few": many[0] / few[0],
        "p99_of_many_over_few": many[1] / few[1],
        "kib_per_client": (during - before) / CLIENTS / 1024,
        "cores_of_idle_clients": (idle.user + idle.system - used.user - used.system) / 30,
    }


async def _started(server: ServerProcess, database: Database, count: int) -> list[str]:
    async with database.transaction() as conn:
        await workflows.publish(conn, [WorkflowListing("story", version="v1", input_schema=None)])
    headers = {"Authorization": f"Bearer {server.admin_token}"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers, trust_env=False, timeout=60) as http:
        body: dict[str, Any] = {"workflow": "story", "input": {}}
        return [(await http.post("/api/runs", json=body)).raise_for_status().json()["id"] for _ in range(count)]


@asynccontextmanager
async def listening(server: ServerProcess, names: Sequence[str]) -> AsyncGenerator[Process]:
    """A client for each of the runs, once all are connected."""
    words = ("-m", "benchmarks.streams.listeners")
    process = await asyncio.create_subprocess_exec(sys.executable, *words, stdin=PIPE, stdout=PIPE, limit=64 << 20)
    assert process.stdin and process.stdout
    try:
        at = urlsplit(server.url)
        asked = {"host": at.hostname, "port": at.port, "token": server.admin_token, "runs": names}
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await process.stdout.readline() == f"{len(names)}\n".encode()
        yield process
    finally:
        process.kill()
        await process.wait()


async def _latencies(database: Database, names: Sequence[str], listeners: Process) -> tuple[float, float]:
    """p50 and p99 in milliseconds over all arrivals."""
    committed: dict[str, float] = {}
    async with poking(database.dsn) as poke:
        for number in range(EVENTS):
            await asyncio.sleep(PAUSE_SECONDS)
            async with database.transaction() as conn:
                # spread over all: a prime to the number of runs
                found = await runs.get(conn, UUID(names[number * 7 % len(names)]))
                assert found is not None
                said = MessageCompleted(
                    message_id="m", attempt=1, role="ai", node=None, content=f"e={number}=e", reasoning=None
                )
                await events.append(conn, [said], None, events.of_run(found))
            committed[f"e={number}=e"] = time.time()
            poke()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while int(await _asked(listeners, "count")) < EVENTS * EACH:  # noqa: ASYNC110 - another process's figure
            await asyncio.sleep(0.1)
    arrived: dict[str, list[float]] = json.loads(await _asked(listeners, "done"))
    cuts = quantiles((1000 * (at - committed[name]) for name, times in arrived.items() for at in times), n=100)
    return cuts[49], cuts[98]


async def _asked(listeners: Process, word: str) -> bytes:
    assert listeners.stdin and listeners.stdout
    listeners.stdin.write(f"{word}\n".encode())
    return await listeners.stdout.readline()
