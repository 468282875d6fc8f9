"""From a decision to the code that waits for it, and what waiting costs."""

from __future__ import annotations

import httpx

from benchmarks.engine import bare
from benchmarks.engine.world import WORKFLOWS, memory, percentiles, resumed, running, served
from handrail.store.database import Database, opened
from handrail.store.embedded import Server

TIMES = 100
WARM = 10
PAUSED = (1_000, 100_000)


async def measure() -> dict[str, float]:
    variables = {"HANDRAIL_WORKFLOWS_FILE": str(WORKFLOWS), "HANDRAIL_CONCURRENCY": "2"}
    variables |= {"HANDRAIL_OPEN_HOLDS": str(2 * PAUSED[-1]), "HANDRAIL_OPEN_MEGABYTES": "1000000"}
    with running("up", **variables) as server:
        person = server.token_of("reviewer", "team_lead")
        user = Server(server.data)
        try:
            async with (
                opened(user.start()) as database,
                _http(server.url, server.admin_token) as asker,
                _http(server.url, person) as decider,
            ):
                await served(asker)
                figures = await _side_by_side(database, asker, decider)
                return figures | await _with_many(server.pid, database, asker, decider)
        finally:
            user.stop()


async def _side_by_side(database: Database, asker: httpx.AsyncClient, decider: httpx.AsyncClient) -> dict[str, float]:
    ours: list[float] = []
    decided: list[float] = []
    plain: list[float] = []
    polled: list[float] = []
    async with bare.compiled(database.dsn) as graph:
        for number in range(TIMES + WARM):
            took, answered = await resumed(asker, decider)
            floor = await bare.resumed(graph)
            if number >= WARM:
                ours.append(took)
                decided.append(answered)
                plain.append(floor)
        for _ in range(TIMES // 4):
            polled.append(await bare.polled(graph))
    figures = percentiles("resume", ours) | percentiles("bare_resume", plain) | percentiles("decide", decided)
    figures |= percentiles("polled_resume", polled)
    for cut in ("p50", "p99"):
        figures[f"resume_over_bare_{cut}"] = figures[f"resume_{cut}_ms"] / figures[f"bare_resume_{cut}_ms"]
        figures[f"resume_over_polled_{cut}"] = figures[f"resume_{cut}_ms"] / figures[f"polled_resume_{cut}_ms"]
    return figures


async def _with_many(
    pid: int, database: Database, asker: httpx.AsyncClient, decider: httpx.AsyncClient
) -> dict[str, float]:
    figures = {"memory_mib_with_none_paused": memory(pid)}
    there = 0
    for paused in PAUSED:
        await _pause(database, paused - there)
        there = paused
        took = [(await resumed(asker, decider))[0] for _ in range(TIMES // 2)]
        figures |= percentiles(f"resume_with_{paused}_paused", took)
    figures[f"memory_mib_with_{there}_paused"] = memory(pid)
    return figures


async def _pause(database: Database, more: int) -> None:
    """As many more runs that wait, each with its hold and its checkpoint, copies of one that did."""
    async with database.transaction() as conn:
        await conn.execute(
            "CREATE TEMP TABLE more ON COMMIT DROP AS SELECT gen_random_uuid() AS id, gen_random_uuid() "
            "AS hold FROM generate_series(1, %s)",
            (more,),
        )
        found = await conn.execute("SELECT id FROM runs WHERE status = 'completed' LIMIT 1")
        row = await found.fetchone()
        assert row is not None
        for table, key, value in (
            ("runs", "id", "more.id"),
            ("checkpoints", "thread_id", "more.id::text"),
            ("checkpoint_writes", "thread_id", "more.id::text"),
        ):
            await conn.execute(
                f"INSERT INTO {table} OVERRIDING USER VALUE "  # pyright: ignore[reportArgumentType] - our own words
                f"SELECT (jsonb_populate_record(one, jsonb_build_object('{key}', {value}))).* "
                f"FROM {table} AS one, more WHERE one.{key} = %s",
                (row["id"] if table == "runs" else str(row["id"]),),
            )
        await conn.execute(
            "UPDATE runs SET status = 'paused', ready_at = NULL, ended_at = NULL FROM more WHERE runs.id = more.id"
        )
        await conn.execute(
            """
            INSERT INTO holds OVERRIDING USER VALUE
            SELECT (jsonb_populate_record(one, jsonb_build_object('id', more.hold, 'run_id', more.id,
              'status', 'pending', 'alarm_at', null))).* FROM holds AS one, more WHERE one.run_id = %s
            """,
            (row["id"],),
        )
    async with database.connection() as conn:
        await conn.execute("ANALYZE")


def _http(url: str, token: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60, trust_env=False)
