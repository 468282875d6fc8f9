"""A run that waits on an approval which a backup brought back asks again, and goes on with the new answer."""

from __future__ import annotations

import psycopg
from engine_world import confirm, go, holds_of, start

from handrail.core.runs import RunStatus
from handrail.engine.driver import Seat
from handrail.store import restoring


async def test_a_run_whose_approval_a_restore_made_void_asks_again_and_is_not_lost(seat: Seat) -> None:
    context = seat.context
    run = await start(context.database, "gating")
    assert (await go(seat, run)).status is RunStatus.paused
    ((title, asked),) = (await holds_of(context, run)).items()
    await confirm(context, run, title)
    with psycopg.connect(context.database.dsn, autocommit=True) as conn:
        restoring.begin(conn)
        restoring.finish(conn)
    assert (await go(seat, run)).status is RunStatus.paused
    assert (await holds_of(context, run))[title].id == asked.id
    await confirm(context, run, title)
    assert (await go(seat, run)).status is RunStatus.completed
