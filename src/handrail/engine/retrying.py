"""Retry a failed run from its last good step."""

from __future__ import annotations

from uuid import UUID

from handrail.core import errors
from handrail.core.people import Principal
from handrail.core.run_events import RunRetried
from handrail.core.runs import Budget, Run, RunStatus, Usage
from handrail.engine.cancelling import controlled
from handrail.engine.context import Engine
from handrail.engine.starting import BudgetRequest, within
from handrail.holds.context import check_brakes
from handrail.store import brakes, clock, events, runs


async def retry(engine: Engine, who: Principal, run_id: UUID, asked: BudgetRequest | None = None) -> Run:
    """The run, queued again: steps that were completed stay so. A budget that is used up needs a larger one."""
    context = engine.context
    async with context.database.transaction() as conn:
        await brakes.stand_back(conn)
        run = await controlled(conn, who, run_id)
        final = engine.kinds.of(run.workflow).final
        if final is not None:
            raise final
        if run.status is not RunStatus.failed:
            raise errors.NotFailed(
                f"the run is {run.status}; only a failed run can be retried", status=run.status.value
            )
        for stopped in (who.id, run.agent):
            await check_brakes(conn, stopped)
        budget = run.budget if asked is None else within(asked, engine.most_of(run.workflow))
        _check_left(budget, run.usage)
        await runs.requeue(conn, run_id, budget)
        retried = RunRetried(actor=who.id, by=who.id, failure=run.error)
        await events.append(conn, [retried], await clock.now(conn), events.of_run(run))
        queued = await runs.get(conn, run_id)
        assert queued is not None
    context.poke()
    context.wake()
    return queued


def _check_left(budget: Budget, used: Usage) -> None:
    spent = {
        "steps": used.steps >= budget.steps,
        "seconds": used.seconds >= budget.seconds,
        "cost": budget.cost is not None and used.cost >= budget.cost,
    }
    for name, is_spent in spent.items():
        if is_spent:
            raise errors.Conflict(f"the run has used up its budget of {name}: retry it with a larger one")
