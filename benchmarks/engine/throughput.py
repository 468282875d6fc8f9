"""How many runs a second are started and come to their question."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psutil

from benchmarks.engine import bare
from benchmarks.engine.world import HANDRAIL, WORKFLOWS, environment, running, start
from handrail.core.runs import Run
from handrail.store.database import Database, opened
from handrail.store.embedded import Server

RUNS = 300
WARM = 20


async def measure() -> dict[str, float]:
    figures: dict[str, float] = {}
    with running("serve") as server:
        user = Server(server.data)
        try:
            async with opened(user.start()) as database:
                async with bare.compiled(database.dsn) as graph:
                    figures["bare_paused_per_second"] = await _bare(graph)
                for workers in (1, 2):
                    with _working(server.folder, server.data, workers):
                        figures[f"paused_per_second_with_{workers}_workers"] = await _paused(database)
        finally:
            user.stop()
    figures["paused_over_bare_with_1_worker"] = (
        figures["paused_per_second_with_1_workers"] / figures["bare_paused_per_second"]
    )
    return figures


async def _bare(graph: object) -> float:
    began = time.perf_counter()
    for _ in range(RUNS):
        await graph.ainvoke({}, bare.thread(), durability="sync")  # type: ignore[attr-defined]
    return RUNS / (time.perf_counter() - began)


async def _paused(database: Database) -> float:
    run = await start(database, "bench", {})
    # both workers have their processes, and those their connections
    await _queue(database, run, WARM)
    began = time.perf_counter()
    await _queue(database, run, RUNS)
    return RUNS / (time.perf_counter() - began)


async def _queue(database: Database, run: Run, count: int) -> None:
    """So many runs like this one are put into the queue at once, and waited for until they ask."""
    before = await _waiting(database)
    async with database.transaction() as conn:
        await conn.execute(
            """
            INSERT INTO runs OVERRIDING USER VALUE
            SELECT (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(),
              'status', 'queued', 'epoch', 0, 'ready_at', handrail_now()))).*
            FROM runs AS one, generate_series(1, %s) WHERE one.id = %s
            """,
            (count, run.id),
        )
    async with database.connection() as conn:
        await conn.execute("NOTIFY handrail_runs")
    while await _waiting(database) < before + count:  # noqa: ASYNC110 - another process's doing
        await asyncio.sleep(0.02)


async def _waiting(database: Database) -> int:
    async with database.connection() as conn:
        row = await (await conn.execute("SELECT count(*) AS n FROM runs WHERE status = 'paused'")).fetchone()
    assert row is not None
    return row["n"]


@contextmanager
def _working(folder: Path, data: Path, workers: int) -> Generator[None]:
    processes = [
        subprocess.Popen(
            [HANDRAIL, "worker", "--data", data, "--concurrency", "2"],
            env=environment(folder, HANDRAIL_WORKFLOWS_FILE=str(WORKFLOWS), HANDRAIL_LOG_LEVEL="warning"),
            stdout=sys.stderr,
        )
        for _ in range(workers)
    ]
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
        psutil.wait_procs([psutil.Process(process.pid) for process in processes], 30)
