"""A secret answer comes to a run with its claim, from who has the key, and is in nothing that the run tells."""

from __future__ import annotations

from dataclasses import replace

from engine_world import GRAPHS, answer, go, look, said, start
from langgraph.runtime import RunControl

from handrail.core.runs import Run, RunStatus
from handrail.core.sealing import MARK, Sealer
from handrail.engine.driver import Seat, drive
from handrail.store import claims, sealed

SECRET = "open sesame"


async def claimed(seat: Seat) -> Run:
    """As a supervisor claims it, which has the key."""
    sealer = seat.context.sealer
    assert sealer is not None
    async with seat.context.database.transaction() as conn:
        (run,) = await claims.claim(conn, "w", GRAPHS)
        boxes = await sealed.of_runs(conn, [run.id])
    return replace(run, answers={box.hold_id: sealer.open(box.hold_id, box.box, box.schema) for box in boxes})


async def test_a_run_that_was_claimed_before_its_secret_answer_came_is_given_back_and_comes_with_it(seat: Seat) -> None:
    seat = replace(seat, context=replace(seat.context, sealer=Sealer(bytes(32))))
    database = seat.context.database
    run = await start(database, "signing")
    assert (await go(seat, run)).status is RunStatus.paused
    await answer(seat.context, run, "The password?", SECRET)
    given_back = await go(seat, run)
    assert (given_back.status, given_back.attempts) == (RunStatus.queued, 0)
    await drive(seat, await claimed(seat), RunControl())
    ended = await look(database, run)
    assert ended.status is RunStatus.completed
    assert str(ended.result).startswith(f"{{'steps': ['it is {MARK}")
    assert SECRET not in str(await said(database, run))
    async with database.transaction() as conn:
        assert await sealed.delete_used(conn) == 1
