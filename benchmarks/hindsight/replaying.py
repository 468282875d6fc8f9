"""A hundred thousand holds under a changed policy, and the floor: the assessments alone."""

from __future__ import annotations

import resource
import time
from dataclasses import replace
from datetime import datetime, timedelta

from benchmarks.holds.assessing import CALLS
from benchmarks.holds.world import World, world
from handrail.core import ids, transitions
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Action, Hold, Kind, Question
from handrail.core.ids import HoldId
from handrail.core.risk import Assessment
from handrail.holds import replaying
from handrail.policy import assess, load
from handrail.policy.loading import RULES
from handrail.store import clock, holds

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
        began, worked = time.perf_counter(), _processors()
        found = await replaying.replay(at.context, Caller(who, frozenset({Scope.read})), changed, since)
        took, worked = time.perf_counter() - began, _processors() - worked
        assert found.tally.holds == HOLDS
    policy = load(changed)
    began = time.perf_counter()
    for action in actions:
        assess(policy, kind=Kind.approval, action=action)
    bare = time.perf_counter() - began
    return {
        "replay_100,000_holds_s": took,
        "processor_time_of_that_s": worked,
        "assess_them_bare_in_one_process_s": bare,
        "replay_against_bare_assessment": took / bare,
        "holds_replayed_a_second": HOLDS / took,
    }


def _processors() -> float:
    """Seconds that this process and its children that ended have had of processors; the database is not among them."""
    used = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(each.ru_utime + each.ru_stime for each in used)


async def _fill(at: World, actions: list[Action]) -> None:
    terms = replace(assess(at.context.policy(), kind=Kind.approval, action=actions[0]), auto_approve=True)
    for start in range(0, len(actions), BATCH):
        async with at.context.database.transaction() as conn:
            now = await clock.now(conn)
            audience = await at.context.audiences.id_of(conn, terms.requirements.roles)
            async with conn.pipeline():
                for action in actions[start : start + BATCH]:
                    await holds.insert(conn, _opened(at, action, terms, now), audience)


def _opened(at: World, action: Action, terms: Assessment, now: datetime) -> Hold:
    question = Question(Kind.approval, "An ordinary call", action)
    hold = Hold(HoldId(ids.fresh()), at.agent.id, question, question.digest(), terms, now)
    return transitions.open_(hold).hold
