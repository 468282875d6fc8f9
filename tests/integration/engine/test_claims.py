"""Runs are taken by one worker at a time, and only that worker's writes count."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest
from engine_world import look, start
from holds_world import shift_clock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handrail.core.runs import Run, RunStatus
from handrail.engine.checkpoints import FencedSaver, connect
from handrail.engine.scribe import Scribe
from handrail.holds.context import Context
from handrail.store import claims, runs
from handrail.store.claims import LEASE_SECONDS, Claim, Lost
from handrail.store.database import Database


async def take(database: Database, worker: str = "w", at_most: int = 1) -> list[Run]:
    async with database.transaction() as conn:
        return await claims.claim(conn, worker, ["walk"], at_most)


async def test_concurrent_claimers_never_get_the_same_run(context: Context) -> None:
    started = {(await start(context.database, "walk")).id for _ in range(40)}
    taken: Counter[UUID] = Counter()

    async def worker(name: str) -> None:
        while got := await take(context.database, name, 2):
            taken.update(run.id for run in got)

    await asyncio.gather(*(worker(f"w{n}") for n in range(8)))
    assert set(taken) == started
    assert set(taken.values()) == {1}


async def test_a_run_of_a_workflow_that_is_not_served_stays_in_the_queue(context: Context) -> None:
    run = await start(context.database, "swim")
    assert await take(context.database) == []
    assert (await look(context.database, run)).status is RunStatus.queued


async def test_the_lease_keeps_a_run_until_it_lapses_and_a_lapse_counts_as_an_attempt(context: Context) -> None:
    await start(context.database, "walk")
    (run,) = await take(context.database)
    assert (run.status, run.epoch, run.attempts, run.worker) == (RunStatus.running, 1, 0, "w")
    assert await take(context.database) == []
    await shift_clock(context.database, LEASE_SECONDS - 1)
    async with context.database.transaction() as conn:
        assert await claims.renew(conn, [(Claim.of(run), 2.0)]) == {Claim.of(run): False}
    await shift_clock(context.database, LEASE_SECONDS - 1)
    assert await take(context.database) == []
    await shift_clock(context.database, 2)
    (again,) = await take(context.database, "v")
    assert (again.id, again.epoch, again.attempts, again.usage.seconds) == (run.id, 2, 1, 2.0)
    async with context.database.transaction() as conn:
        assert await claims.renew(conn, [(Claim.of(run), 3.0)]) == {}


async def test_a_run_given_back_is_ready_and_costs_no_attempt(context: Context) -> None:
    await start(context.database, "walk")
    (run,) = await take(context.database)
    async with context.database.transaction() as conn:
        assert await claims.give_back(conn, Claim.of(run))
        assert not await claims.give_back(conn, Claim.of(run))
    (again,) = await take(context.database)
    assert again.attempts == 0


Losing = Callable[[Database, Run], Awaitable[None]]


async def cancel(database: Database, run: Run) -> None:
    async with database.transaction() as conn:
        await conn.execute("UPDATE runs SET status = 'cancelled', epoch = epoch + 1 WHERE id = %s", (run.id,))


async def lapse(database: Database, _run: Run) -> None:
    await shift_clock(database, LEASE_SECONDS + 1)
    assert await take(database, "another")


async def give_back(database: Database, run: Run) -> None:
    async with database.transaction() as conn:
        await claims.give_back(conn, Claim.of(run))


@pytest.mark.parametrize("lose", [cancel, lapse, give_back])
async def test_nothing_that_a_former_worker_writes_counts(context: Context, lose: Losing) -> None:
    await start(context.database, "walk")
    (run,) = await take(context.database)
    conn = await connect(context.database.dsn)
    saver = FencedSaver(conn, Claim.of(run), Scribe(context, run))
    at = {"configurable": {"thread_id": str(run.id), "checkpoint_ns": "", "checkpoint_id": "1"}}
    async with conn:
        await saver.aput_writes(at, [("n", 1)], "task")  # pyright: ignore[reportArgumentType] - a plain dict
        await lose(context.database, run)
        with pytest.raises(Lost):
            await saver.aput_writes(at, [("n", 2)], "task")  # pyright: ignore[reportArgumentType] - a plain dict
        # the connection is as good as before
        written = await conn.execute("SELECT count(*) AS n FROM checkpoint_writes")
        assert await written.fetchone() == {"n": 1}
    with pytest.raises(Lost):
        async with claims.fenced(context.database, Claim.of(run)):
            raise AssertionError("inside the fence")
    with pytest.raises(Lost):
        async with claims.settling(context.database, Claim.of(run)):
            raise AssertionError("inside the fence")


async def test_a_run_cannot_be_taken_while_its_worker_writes(context: Context) -> None:
    await start(context.database, "walk")
    (run,) = await take(context.database)
    await shift_clock(context.database, LEASE_SECONDS + 1)
    async with claims.fenced(context.database, Claim.of(run)):
        assert await take(context.database) == []
    assert await take(context.database)


steps = st.lists(st.sampled_from(["claim", "renew", "lapse", "give_back", "let_go", "pause", "wake"]), max_size=25)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
async def test_whatever_happens_one_claim_holds_a_run_at_most(context: Context, steps: list[str]) -> None:
    """Every claim ever made tries to renew after each step: at most the newest succeeds, and epochs only rise."""
    database = context.database
    async with database.transaction() as conn:
        await conn.execute("UPDATE runs SET ready_at = NULL, status = 'failed'")
    run = await start(database, "walk")
    made: list[Claim] = []
    for step in steps:
        match step:
            case "claim":
                made += [Claim.of(taken) for taken in await take(database)]
            case "lapse":
                await shift_clock(database, LEASE_SECONDS + 1)
            case "pause" if made and (await look(database, run)).status is RunStatus.running:
                async with claims.settling(database, made[-1]) as conn:
                    await claims.settle(conn, run.id, RunStatus.paused, worked=0)
            case "wake":
                async with database.transaction() as conn:
                    await runs.wake(conn, run.id)
            case "give_back" | "let_go" if made:
                async with database.transaction() as conn:
                    await (claims.give_back if step == "give_back" else claims.let_go)(conn, made[-1])
            case _:
                pass
        async with database.transaction() as conn:
            kept = await claims.renew(conn, [(claim, 0.0) for claim in made]) if step == "renew" else {}
        assert set(kept) <= set(made[-1:])
    assert [claim.epoch for claim in made] == sorted({claim.epoch for claim in made})
