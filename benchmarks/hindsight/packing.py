"""How long a decision pack takes: with a long past of the same action, against reading the hold alone."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from statistics import quantiles

from benchmarks.holds.world import World, world
from handrail.core.holds import Action, Hold, Kind, Verdict
from handrail.holds import deciding, packing, reading
from handrail.holds.deciding import Say
from handrail.holds.opening import Opening, open_hold
from handrail.holds.packing import Packer

PAST = 10_000
ROUNDS = 300


async def measure() -> dict[str, float]:
    async with world() as at:
        await _past(at)
        hold = await open_hold(at.context, at.agent, _call("v2"))
        packer = Packer()
        packs = await _timed(lambda: packing.pack(at.context, packer, at.person, hold.id))
        reads = await _timed(lambda: reading.get(at.context, at.person, hold.id))
        found = await packing.pack(at.context, packer, at.person, hold.id)
        assert {part.state for part in found.parts} <= {"ready", "nothing"}
    return {
        "pack_p50_ms": packs[49] * 1000,
        "pack_p99_ms": packs[98] * 1000,
        "read_the_hold_p99_ms": reads[98] * 1000,
        "pack_against_reading_p50": packs[49] / reads[49],
    }


async def _timed(work: Callable[[], Awaitable[object]]) -> list[float]:
    for _ in range(10):
        await work()
    took: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        await work()
        took.append(time.perf_counter() - began)
    return quantiles(took, n=100)


def _call(version: str) -> Opening:
    return Opening(Kind.approval, "Deploy it", Action("deploy", {"version": version, "replicas": 8}, "staging"))


async def _past(at: World) -> Hold:
    """One that a person approved, copied as rows."""
    hold = await open_hold(at.context, at.agent, _call("v1"))
    hold = await deciding.review(at.context, at.person, hold.id, Say(Verdict.approve, hold.digest, "looks right"))
    async with at.context.database.transaction() as conn:
        await conn.execute(
            """
            INSERT INTO holds (id, kind, status, level, title, action, opener_id, audience_id, opened_at, decided_at,
              urgency, due_at, search, state)
            SELECT gen_random_uuid(), kind, status, level, title, action, opener_id, audience_id,
              opened_at - n * interval '1 minute', decided_at, urgency, due_at, search, state
            FROM holds, generate_series(2, %s) AS n WHERE id = %s
            """,
            (PAST, hold.id),
        )
    async with at.context.database.connection() as conn:
        await conn.execute("ANALYZE holds")
    return hold
