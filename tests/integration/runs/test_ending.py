"""Cancelling and retrying runs: who may, what becomes of their holds, what a crash in between leaves."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest
from holds_world import Add, inbox
from runs_world import MOST, ask, engine, publish, row, settle, started

from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Status, Verdict
from handrail.core.people import Principal
from handrail.core.runs import Budget, Run, RunStatus
from handrail.engine.cancelling import cancel, sweep
from handrail.engine.retrying import retry
from handrail.engine.starting import BudgetRequest
from handrail.holds import reading
from handrail.holds.braking import set_brake
from handrail.holds.context import Context
from handrail.holds.deciding import Say, review
from handrail.store import clock, runs


@pytest.fixture
async def mara(add: Add) -> Principal:
    return await add("mara")


@pytest.fixture
async def run(context: Context, mara: Principal) -> Run:
    await publish(context.database)
    return await started(context, mara)


async def later(context: Context) -> datetime:
    async with context.database.connection() as conn:
        return await clock.now(conn)


async def types(context: Context) -> list[str]:
    return [event["type"] for event in await inbox(context.database)]


async def test_cancelling_ends_the_run_its_claim_and_its_holds(context: Context, run: Run, mara: Principal) -> None:
    first, second = await ask(context, run), await ask(context, run, "And the shop?")
    await settle(context.database, run.id, "paused", worker="w1")
    cancelled = await cancel(context, mara, run.id, "not today")
    assert cancelled == await row(context.database, run.id)
    assert (cancelled.status, cancelled.epoch, cancelled.worker) == (RunStatus.cancelled, run.epoch + 1, None)
    assert cancelled.ended_at is not None
    for hold in (first, second):
        decision = (await reading.get(context, mara, hold.id)).decision
        assert decision is not None
        assert (decision.outcome, decision.by, decision.reason) == (Status.cancelled, mara.id, "not today")
    # holds that are decided wake no run that has ended
    assert (await row(context.database, run.id)).status is RunStatus.cancelled
    said = next(event for event in await inbox(context.database) if event["type"] == "run.cancelled")
    assert said["data"] == {"by": str(mara.id), "reason": "not today"}


@pytest.mark.parametrize("status", ["completed", "failed", "expired", "cancelled"])
async def test_a_run_that_has_ended_cannot_be_cancelled(
    context: Context, run: Run, mara: Principal, status: str
) -> None:
    await settle(context.database, run.id, status)
    with pytest.raises(errors.RunEnded, match=f"the run is already {status}"):
        await cancel(context, mara, run.id, None)
    assert "run.cancelled" not in await types(context)


async def test_who_may_cancel(context: Context, run: Run, add: Add) -> None:
    auditor, stranger, boss = await add("axel", "auditor"), await add("otto"), await add("boss", "administrator")
    with pytest.raises(errors.NotFound):
        await cancel(context, stranger, run.id, None)
    with pytest.raises(errors.Forbidden, match="only whoever started"):
        await cancel(context, auditor, run.id, None)
    assert (await cancel(context, boss, run.id, None)).status is RunStatus.cancelled


async def test_what_a_crash_left_between_run_and_holds_is_swept(context: Context, run: Run, mara: Principal) -> None:
    hold = await ask(context, run)
    assert (await sweep(context))[1] == 0
    async with context.database.transaction() as conn:
        await runs.end(conn, run.id, RunStatus.cancelled)
    assert (await sweep(context, since=await later(context)))[1] == 0
    assert (await sweep(context))[1] == 1
    decision = (await reading.get(context, mara, hold.id)).decision
    assert decision is not None and (decision.outcome, decision.reason) == (Status.cancelled, "its run has ended")
    assert (await sweep(context))[1] == 0


async def test_a_decision_and_a_cancellation_at_once_both_end(
    context: Context, run: Run, mara: Principal, add: Add
) -> None:
    lead = await add("lena", "team_lead")
    for _ in range(10):
        another = await started(context, mara)
        hold = await ask(context, another)
        await settle(context.database, another.id, "paused")
        approve = review(context, lead, hold.id, Say(Verdict.approve, hold.digest))
        decided, cancelled = await asyncio.gather(
            approve, cancel(context, mara, another.id, None), return_exceptions=True
        )
        assert isinstance(cancelled, Run)
        assert not isinstance(decided, BaseException) or isinstance(decided, errors.AlreadyDecided)
        assert (await row(context.database, another.id)).status is RunStatus.cancelled
        assert not (await reading.get(context, mara, hold.id)).pending


async def test_a_failed_run_is_queued_again(context: Context, run: Run, mara: Principal) -> None:
    failure = {"code": "failed", "message": "ZeroDivisionError"}
    await settle(context.database, run.id, "failed", error=failure, attempts=2, steps=3, epoch=4)
    again = await retry(engine(context), mara, run.id)
    assert (again.status, again.error, again.ended_at, again.attempts) == (RunStatus.queued, None, None, 0)
    assert (again.usage.steps, again.epoch) == (3, 4)
    async with context.database.connection() as conn:
        ready = await (await conn.execute("SELECT FROM runs WHERE ready_at <= handrail_now()")).fetchall()
    assert len(ready) == 1
    said = (await inbox(context.database))[-1]
    assert (said["type"], said["data"]) == ("run.retried", {"by": str(mara.id), "failure": failure})


@pytest.mark.parametrize("status", ["queued", "running", "paused", "completed", "cancelled", "expired"])
async def test_only_a_failed_run_is_retried(context: Context, run: Run, mara: Principal, status: str) -> None:
    await settle(context.database, run.id, status)
    with pytest.raises(errors.NotFailed, match=f"the run is {status}"):
        await retry(engine(context), mara, run.id)


async def test_a_budget_that_is_used_up_needs_a_larger_one(context: Context, run: Run, mara: Principal) -> None:
    await settle(context.database, run.id, "failed", error={}, steps=10, max_steps=10)
    with pytest.raises(errors.Conflict, match="used up its budget of steps"):
        await retry(engine(context), mara, run.id)
    with pytest.raises(errors.InvalidField, match="the most allowed here is 1000"):
        await retry(engine(context), mara, run.id, BudgetRequest(steps=1001))
    assert (await retry(engine(context), mara, run.id, BudgetRequest(steps=20))).budget == Budget(20, MOST.seconds)


async def test_a_brake_refuses_a_retry_and_never_a_cancellation(
    context: Context, run: Run, mara: Principal, add: Add
) -> None:
    await settle(context.database, run.id, "failed", error={})
    other = await started(context, mara)
    boss = Caller(await add("boss", "administrator"), frozenset(Scope))
    await set_brake(context, boss, run.agent, "freeze", "smoke")
    with pytest.raises(errors.Braked):
        await retry(engine(context), mara, run.id)
    assert (await cancel(context, mara, other.id, None)).status is RunStatus.cancelled
