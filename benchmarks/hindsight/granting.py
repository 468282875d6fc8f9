"""What live grants cost those who open holds that none of them covers, and those that one covers."""

from __future__ import annotations

import time
from datetime import timedelta

from benchmarks.holds.world import World, world
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Action, Kind
from handrail.holds import granting
from handrail.holds.granting import Wish
from handrail.holds.opening import Opening, open_hold
from handrail.store import clock

GRANTS = 10_000
ROUNDS, EACH = 20, 40


async def measure() -> dict[str, float]:
    """In turns, so that a busy machine slows all three; the least of each is what it takes."""
    async with world() as bare, world() as at:
        await _grant(at)
        none, many, covered = list[float](), list[float](), list[float]()
        for warm in (True, *[False] * ROUNDS):
            took = await _seconds(bare, "other"), await _seconds(at, "other"), await _seconds(at, "v1.2")
            if not warm:
                for times, seconds in zip((none, many, covered), took, strict=True):
                    times.append(seconds)
    return {
        "open_without_grants_ms": min(none) / EACH * 1000,
        "open_with_10,000_live_grants_ms": min(many) / EACH * 1000,
        "with_10,000_grants_against_none": min(many) / min(none),
        "open_under_a_grant_ms": min(covered) / EACH * 1000,
    }


async def _seconds(at: World, version: str) -> float:
    began = time.perf_counter()
    for _ in range(EACH):
        await open_hold(at.context, at.agent, _call(version))
    return time.perf_counter() - began


def _call(version: str) -> Opening:
    return Opening(Kind.approval, "Deploy it", Action("deploy", {"version": version}, "staging"))


async def _grant(at: World) -> None:
    """One for the action that is measured, and the others for other actions of the same agent, copied as rows."""
    hold = await open_hold(at.context, at.agent, _call("v1.1"))
    wish = Wish({"version": {"prefix": "v1."}}, {"exact": "staging"})
    caller = Caller(at.person, frozenset({Scope.decide}))
    made = await granting.propose(at.context, caller, hold.id, hold.digest, wish, None)
    async with at.context.database.transaction() as conn:
        until = await clock.now(conn) + timedelta(days=7)
        await conn.execute(
            """
            WITH copied AS (
              INSERT INTO holds (id, kind, status, level, title, action, opener_id, audience_id, opened_at, decided_at,
                urgency, due_at, search, state)
              SELECT gen_random_uuid(), kind, status, level, title, 'deploy_' || n, opener_id, audience_id, opened_at,
                decided_at, urgency, due_at, search, state FROM holds, generate_series(2, %s) AS n WHERE id = %s
              RETURNING id, action
            )
            INSERT INTO grants (hold_id, owner_id, agent_id, action, expires_at)
            SELECT id, %s, %s, action, %s FROM copied
            """,
            (GRANTS, made.grant.id, at.person.id, at.agent.id, until),
        )
    async with at.context.database.connection() as conn:
        await conn.execute("ANALYZE grants")
