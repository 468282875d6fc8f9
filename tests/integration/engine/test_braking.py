"""The emergency brake stops runs: none is taken up, and those at work begin no further step."""

from __future__ import annotations

import asyncio
from collections.abc import Generator

import engine_graphs
import pytest
from engine_world import GRAPHS, go, look, principal, said, start
from holds_world import shift_clock
from langgraph.runtime import RunControl

from handrail.core.callers import Caller, Scope
from handrail.core.ids import PrincipalId
from handrail.core.runs import Run, RunStatus
from handrail.engine.driver import Seat, drive
from handrail.engine.stopping import stop_runs, stop_runs_now
from handrail.holds.braking import lift_brake, set_brake
from handrail.holds.context import Context
from handrail.store import claims
from handrail.store.claims import LEASE_SECONDS, Claim


@pytest.fixture(autouse=True)
def nothing_yet() -> Generator[None]:
    engine_graphs.gate = engine_graphs.Gate()
    yield
    engine_graphs.done.clear()


@pytest.fixture
async def boss(context: Context) -> Caller:
    return Caller(await principal(context.database, "boss", "administrator", "cto"), frozenset(Scope))


async def take(context: Context, at_most: int = 1) -> list[Run]:
    async with context.database.connection() as conn:
        return await claims.claim(conn, "w", GRAPHS, at_most)


def whom(run: Run, name: str) -> PrincipalId | None:
    return {"agent": run.agent, "starter": run.starter, "all": None}[name]


async def at_work(seat: Seat, run: Run) -> asyncio.Task[bool]:
    """The run, claimed and driven until its first slow node."""
    (claimed,) = await take(seat.context)
    assert claimed.id == run.id
    driving = asyncio.create_task(drive(seat, claimed, RunControl()))
    await engine_graphs.gate.arrived()
    return driving


@pytest.mark.parametrize("stopped", ["agent", "starter", "all"])
async def test_a_run_that_a_brake_stops_is_not_claimed_until_that_is_lifted(
    context: Context, boss: Caller, stopped: str
) -> None:
    run = await start(context.database, "walk")
    await set_brake(context, boss, whom(run, stopped), "freeze", "fire")
    assert await take(context) == []
    await lift_brake(context, boss, whom(run, stopped), "out")
    assert [each.id for each in await take(context)] == [run.id]


async def test_a_brake_leaves_the_runs_of_others_alone(context: Context, boss: Caller) -> None:
    stopped, free = await start(context.database, "walk"), await start(context.database, "asking")
    await set_brake(context, boss, stopped.agent, "deny", "fire")
    await stop_runs(context)
    assert [each.id for each in await take(context, 10)] == [free.id]
    assert (await look(context.database, stopped)).status is RunStatus.cancelled


async def test_no_run_is_claimed_after_the_brake_was_set_however_many_workers_claim(
    context: Context, boss: Caller
) -> None:
    for _ in range(120):
        await start(context.database, "walk")
    under_way, is_set = asyncio.Event(), asyncio.Event()

    async def worker() -> None:
        while not is_set.is_set():
            await take(context)
            under_way.set()
        await take(context)

    workers = [asyncio.create_task(worker()) for _ in range(6)]
    await under_way.wait()
    await set_brake(context, boss, None, "freeze", "fire")
    async with context.database.connection() as conn:
        found = await conn.execute("SELECT count(*) AS n FROM runs WHERE status = 'running'")
        at_set = await found.fetchone()
        is_set.set()
        await asyncio.gather(*workers)
        found = await conn.execute("SELECT count(*) AS n FROM runs WHERE status = 'running'")
        assert await found.fetchone() == at_set
    assert at_set is not None and at_set["n"] < 120


@pytest.mark.parametrize("workflow", ["gated", "gated_inside"])
@pytest.mark.parametrize("stopped", ["agent", "starter", "all"])
async def test_a_graph_of_slow_nodes_that_asks_nobody_pauses_at_its_next_checkpoint_and_goes_on_when_lifted(
    seat: Seat, boss: Caller, workflow: str, stopped: str
) -> None:
    context = seat.context
    run = await start(context.database, workflow)
    driving = await at_work(seat, run)
    await set_brake(context, boss, whom(run, stopped), "freeze", "fire")
    engine_graphs.gate.open()
    assert await driving
    paused = await look(context.database, run)
    assert (paused.status, paused.worker, paused.attempts) == (RunStatus.paused, None, 0)
    # what the step did is kept, and the next was not begun
    told = await said(context.database, run)
    assert [kind for kind, _ in told] == ["run.step_completed", "run.paused"]
    assert told[-1][1] == {"holds": [], "braked": True}
    assert await take(context) == []
    await lift_brake(context, boss, whom(run, stopped), "out")
    engine_graphs.gate.open()
    ended = await go(seat, run)
    assert (ended.status, ended.result) == (RunStatus.completed, {"steps": ["first", "second"]})
    assert [kind for kind, _ in await said(context.database, run)][2] == "run.resumed"


async def test_a_brake_that_denies_cancels_runs_in_every_state_and_what_they_still_write_does_not_count(
    seat: Seat, boss: Caller
) -> None:
    context = seat.context
    waiting = await start(context.database, "asking")
    await go(seat, waiting)
    running = await start(context.database, "gated")
    driving = await at_work(seat, running)
    queued = await start(context.database, "walk")
    await set_brake(context, boss, None, "deny", "fire")
    await asyncio.gather(*(stop_runs(context) for _ in range(3)))
    engine_graphs.gate.open()
    assert not await driving
    for run in (waiting, running, queued):
        assert (await look(context.database, run)).status is RunStatus.cancelled
        told = [data for kind, data in await said(context.database, run) if kind == "run.cancelled"]
        assert told == [{"by": str(boss.principal.id), "reason": "fire", "braked": True}]
    await lift_brake(context, boss, None, "out")
    assert await take(context) == []


async def test_a_run_whose_row_is_locked_for_a_moment_is_cancelled_when_the_brake_is_answered(
    context: Context, boss: Caller
) -> None:
    run = await start(context.database, "walk")
    async with context.database.transaction() as conn:
        await conn.execute("SELECT FROM runs WHERE id = %s FOR NO KEY UPDATE", (run.id,))
        await set_brake(context, boss, None, "deny", "fire")
        stopping = asyncio.create_task(stop_runs_now(context))
        await stop_runs(context)
        assert (await look(context.database, run)).status is RunStatus.queued
    await stopping
    assert (await look(context.database, run)).status is RunStatus.cancelled


async def test_no_call_to_the_world_outside_begins_under_a_brake_and_it_is_made_once_when_lifted(
    seat: Seat, boss: Caller
) -> None:
    context = seat.context
    run = await start(context.database, "gated_effect")
    driving = await at_work(seat, run)
    await set_brake(context, boss, run.agent, "freeze", "fire")
    engine_graphs.gate.open()
    assert await driving
    assert ((await look(context.database, run)).status, engine_graphs.done) == (RunStatus.paused, [])
    await lift_brake(context, boss, run.agent, "out")
    engine_graphs.gate.open()
    assert (await go(seat, run)).status is RunStatus.completed
    assert len(engine_graphs.done) == 1


async def test_a_run_whose_worker_died_under_a_brake_is_paused_and_nobody_takes_it(
    context: Context, boss: Caller
) -> None:
    run = await start(context.database, "walk")
    (claimed,) = await take(context)
    await set_brake(context, boss, run.agent, "freeze", "fire")
    await stop_runs(context)
    assert (await look(context.database, run)).status is RunStatus.running
    await shift_clock(context.database, LEASE_SECONDS + 1)
    await asyncio.gather(*(stop_runs(context) for _ in range(3)))
    assert (await look(context.database, run)).status is RunStatus.paused
    assert [kind for kind, _ in await said(context.database, run)] == ["run.paused"]
    async with context.database.transaction() as conn:
        assert await claims.renew(conn, [(Claim.of(claimed), 1.0)]) == {}
    assert await take(context) == []
    await lift_brake(context, boss, run.agent, "out")
    (again,) = await take(context)
    assert (again.id, again.attempts) == (run.id, 1)


async def test_a_supervisor_learns_which_of_its_runs_a_brake_stops(context: Context, boss: Caller) -> None:
    await start(context.database, "walk")
    await start(context.database, "asking")
    taken = await take(context, 2)
    await set_brake(context, boss, taken[0].agent, "freeze", "fire")
    async with context.database.transaction() as conn:
        kept = await claims.renew(conn, [(Claim.of(run), 1.0) for run in taken])
    assert kept == {Claim.of(taken[0]): True, Claim.of(taken[1]): False}
