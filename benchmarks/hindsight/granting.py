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
ROUNDS, EACH = 10, 40


async def measure() -> dict[str, float]:
    async with world() as at:
        await _seconds(at, "warm")
        none = [await _seconds(at, "other") for _ in range(ROUNDS)]
        await _grant(at)
        many = [await _seconds(at, "other") for _ in range(ROUNDS)]
        covered = [await _seconds(at, "v1.2") for _ in range(ROUNDS)]
    fastest, slowest, used = min(none), min(many), min(covered)
    return {
        "open_without_grants_ms": fastest / EACH * 1000,
        "open_with_10,000_live_grants_ms": slowest / EACH * 1000,
        "with_10,000_grants_against_none": slowest / fastest,
        "open_under_a_grant_ms": used / EACH * 1000,
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
