"""The same work with a thousand and with a million holds pending, and the server's memory."""

from __future__ import annotations

from typing import Any

import psutil

from .timing import timed
from .world import BODY, World, world

FEW, MANY = 1_000, 1_000_000
TIMES = 300
WARM_UP = 50


async def measure() -> dict[str, float]:
    async with world() as at:
        seed = (await at.agent_http.post("/api/holds", json=BODY)).raise_for_status().json()
        empty = _memory(at)
        await fill(at, seed["id"], FEW)
        few = await _measure(at)
        await fill(at, seed["id"], MANY - FEW)
        many = await _measure(at)
        full = _memory(at)
    figures: dict[str, float] = {}
    for name in few:
        figures[f"{name}_p50_ms_with_{FEW}_pending"] = few[name]
        figures[f"{name}_p50_ms_with_{MANY}_pending"] = many[name]
        figures[f"{name}_ratio_{MANY}_to_{FEW}"] = many[name] / few[name]
    return {
        **figures,
        "server_memory_mb_with_0_pending": empty,
        f"server_memory_mb_with_{MANY}_pending": full,
        "server_memory_ratio": full / empty,
    }


async def _measure(at: World) -> dict[str, float]:
    """Over HTTP, one request at a time: what a person feels."""
    opened: list[dict[str, Any]] = []

    async def list_(_: int) -> None:
        (await at.person_http.get("/api/holds?limit=50")).raise_for_status()

    async def open_(n: int) -> None:
        answer = await at.agent_http.post("/api/holds", json={**BODY, "title": f"Send report {n}"})
        opened.append(answer.raise_for_status().json())

    async def decide(n: int) -> None:
        body = {"verdict": "approve", "digest": opened[n]["digest"]}
        answer = await at.person_http.post(f"/api/holds/{opened[n]['id']}/reviews", json=body)
        answer.raise_for_status()

    await timed(WARM_UP, list_, tasks=1)
    return {
        "list": (await timed(TIMES, list_, tasks=1)).p50_ms,
        "open": (await timed(TIMES, open_, tasks=1)).p50_ms,
        "decide": (await timed(TIMES, decide, tasks=1)).p50_ms,
    }


async def fill(at: World, seed: str, count: int) -> None:
    """Copies of one pending hold, each with an id and a state of its own, a level and a deadline of any kind."""
    async with at.context.database.connection() as conn:
        await conn.execute(
            """
            INSERT INTO holds (id, kind, status, level, title, action, opener_id, audience_id, opened_at, urgency,
              due_at, search, state)
            SELECT made.id, kind, status, level, title, action, opener_id, audience_id, opened_at, n %% 4,
              CASE WHEN n %% 3 = 0 THEN 'infinity' ELSE opened_at + make_interval(mins => 60 + n %% 10000) END, search,
              replace(state::text, holds.id::text, made.id::text)::json
            FROM holds, LATERAL (SELECT gen_random_uuid() AS id, n FROM generate_series(1, %s) AS n) AS made
            WHERE holds.id = %s
            """,
            (count, seed),
        )
        await conn.execute("VACUUM ANALYZE holds")


def _memory(at: World) -> float:
    return psutil.Process(at.server.pid).memory_info().rss / 2**20
