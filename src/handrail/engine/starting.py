"""Start a run: check what is asked, write it; once for each idempotency key."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from handrail.core import canonical, errors, ids
from handrail.core.canonical import Json, JsonObject
from handrail.core.ids import RunId
from handrail.core.people import Principal
from handrail.core.risk import Level
from handrail.core.run_events import RunStarted
from handrail.core.runs import Budget, Run, RunStatus
from handrail.engine import admitting, agents, inputs
from handrail.engine.context import Engine
from handrail.engine.kinds import Kind, Submission
from handrail.holds.context import check_brakes, claims_trusted
from handrail.store import brakes, clock, events, holds, runs, workflows
from handrail.store.database import Connection
from handrail.store.workflows import WorkflowListing


@dataclass(frozen=True, slots=True)
class BudgetRequest:
    """The budget that a caller wants; nothing: the most that the settings allow."""

    steps: int | None = None
    seconds: float | None = None
    cost: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """`operation` is what the caller asked for: an idempotency key means nothing to another one."""

    workflow: str
    input: Json
    mode: str | None = None
    budget: BudgetRequest = BudgetRequest()
    operation: str = "start_run"


async def start(engine: Engine, who: Principal, asked: Start, key: str | None = None) -> Run:
    """The new run, ready for a worker; or the one that the same principal started with this key and the same body."""
    async with engine.context.database.transaction() as conn:
        run = await start_within(engine, conn, who, asked, key)
    engine.context.poke()
    engine.context.wake()
    return run


async def start_within(engine: Engine, conn: Connection, who: Principal, asked: Start, key: str | None = None) -> Run:
    """The same in the caller's transaction: the run is there where that commits. `context.poke()` and `wake()` come
    after it."""
    canonical.check(asked.input, "input")
    budget = within(asked.budget, engine.most_of(asked.workflow))
    run_id = RunId(ids.fresh())
    if key is not None:
        earlier = await _claim(conn, who, asked, key, run_id)
        if earlier is not None:
            return earlier
    workflow = await _served(conn, asked.workflow)
    inputs.check(workflow.input_schema, asked.input)
    engine.context.database.space.check()
    kind = engine.kinds.of(workflow.name)
    await admitting.admit(conn, kind, who.id)
    agent = await agents.of_workflow(conn, workflow.name, who.id)
    await brakes.stand_back(conn)
    for stopped in (who, agent):
        await check_brakes(conn, stopped.id)
    now = await clock.now(conn)
    run = Run(
        id=run_id,
        workflow=workflow.name,
        status=RunStatus.queued,
        input=asked.input,
        starter=who.id,
        agent=agent.id,
        budget=budget,
        created_at=now,
        active_at=now,
        version=workflow.version,
        mode=asked.mode,
        risk=await _risk(engine, conn, who, kind, asked.input),
    )
    run = await runs.insert(conn, run)
    started = RunStarted(actor=who.id, workflow=run.workflow, mode=run.mode)
    await events.append(conn, [started], now, events.of_run(run))
    return run


async def _risk(engine: Engine, conn: Connection, who: Principal, kind: Kind, given: Json) -> Level | None:
    if kind.risk is None:
        return None
    asked = Submission(given, who, trusted=await claims_trusted(conn, who.id, None))
    return kind.risk(asked, await engine.context.policies.in_force(conn))


def within(asked: BudgetRequest, most: Budget) -> Budget:
    """The budget asked for; refused where it is more than the settings allow."""
    limits = {"steps": most.steps, "seconds": most.seconds, "cost": most.cost}
    for name, limit in limits.items():
        wanted = getattr(asked, name)
        if wanted is not None and limit is not None and wanted > limit:
            raise errors.InvalidField(
                f"`budget.{name}` is {wanted}; the most allowed here is {limit}", field=f"budget.{name}"
            )
    return Budget(
        asked.steps if asked.steps is not None else most.steps,
        asked.seconds if asked.seconds is not None else most.seconds,
        asked.cost if asked.cost is not None else most.cost,
    )


async def _claim(conn: Connection, who: Principal, asked: Start, key: str, run_id: RunId) -> Run | None:
    """The run that this key was used for before, if any."""
    body_hash = canonical.sha256(_body(asked))
    claim = await holds.claim_key(conn, who.id, asked.operation, key, body_hash, run_id)
    if claim.fresh:
        return None
    if claim.body_hash != body_hash:
        raise errors.IdempotencyConflict(run_id=str(claim.subject_id))
    existing = await runs.get(conn, claim.subject_id)
    assert existing is not None, "a key and its run are written together"
    return existing


def _body(asked: Start) -> JsonObject:
    budget = asked.budget
    return {
        "workflow": asked.workflow,
        "input": asked.input,
        "mode": asked.mode,
        "budget": [budget.steps, budget.seconds, None if budget.cost is None else str(budget.cost)],
    }


async def _served(conn: Connection, name: str) -> WorkflowListing:
    found = await workflows.get(conn, name)
    if found is None:
        known = [workflow.name for workflow in await workflows.all_(conn)]
        served = f"Available: {', '.join(known)}." if known else "No worker has registered a workflow. Is one running?"
        raise errors.UnknownWorkflow(f"no workflow is called {name!r}. {served}", known=known)
    if found.error is not None:
        last = found.error.strip().splitlines()[-1]
        raise errors.BrokenWorkflow(f"the workflow {name!r} cannot run: {last}", error=found.error)
    return found
