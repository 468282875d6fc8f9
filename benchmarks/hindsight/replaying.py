"""A hundred thousand holds under a changed policy, and the floor: the assessments alone."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta

from benchmarks.holds.assessing import CALLS
from benchmarks.holds.world import World, world
from handrail.core import ids, transitions
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Action, Hold, Kind, Question
from handrail.core.ids import HoldId
from handrail.core.people import Principal
from handrail.core.risk import Assessment
from handrail.holds import replaying
from handrail.policy import assess, load
from handrail.policy.loading import RULES
from handrail.store import clock, holds
from handrail.store.database import Connection

HOLDS = 100_000
BATCH = 2000


async def measure() -> dict[str, float]:
    async with world() as at:
        actions = [CALLS[n % len(CALLS)](n) for n in range(HOLDS)]
        await _fill(at, actions)
        source = at.context.policy().source
        changed = {**source, RULES: source[RULES].replace("  medium:\n", "  medium:\n    minimum_approvers: 2\n", 1)}
        who = replace(at.person, roles=frozenset({"auditor"}))
        async with at.context.database.connection() as conn:
            since = await clock.now(conn) - timedelta(days=1)
        began = time.perf_counter()
        found = await replaying.replay(at.context, Caller(who, frozenset({Scope.read})), changed, since)
        took = time.perf_counter() - began
        assert found.tally.holds == HOLDS
    policy = load(changed)
    began = time.perf_counter()
    for action in actions:
        assess(policy, kind=Kind.approval, action=action)
    bare = time.perf_counter() - began
    return {
        "replay_100,000_holds_s": took,
        "assess_them_bare_in_one_process_s": bare,
        "replay_against_bare_assessment": took / bare,
        "holds_replayed_a_second": HOLDS / took,
    }


async def _fill(at: World, actions: list[Action]) -> None:
    policy = at.context.policy()
    first = assess(policy, kind=Kind.approval, action=actions[0])
    for start in range(0, len(actions), BATCH):
        async with at.context.database.transaction() as conn:
            for action in actions[start : start + BATCH]:
                await _insert(at, conn, at.agent, action, first)


async def _insert(at: World, conn: Connection, who: Principal, action: Action, terms: Assessment) -> None:
    question = Question(Kind.approval, "An ordinary call", action)
    now = await clock.now(conn)
    hold = Hold(HoldId(ids.fresh()), who.id, question, question.digest(), replace(terms, auto_approve=True), now)
    decided = transitions.open_(hold).hold
    await holds.insert(conn, decided, await at.context.audiences.id_of(conn, terms.requirements.roles))
