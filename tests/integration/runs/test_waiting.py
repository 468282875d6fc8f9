"""Runs that wait for a worker: built-in workflows from the first moment, others once one has been served."""

from __future__ import annotations

from datetime import timedelta

from holds_world import Add
from runs_world import engine, publish, started

from handrail.core.canonical import JsonObject
from handrail.core.runs import RunStatus
from handrail.engine import kinds, reading
from handrail.engine.starting import Start, start
from handrail.holds.context import Context
from handrail.store import workflows

TASK: JsonObject = {"task": {"operation": "read", "environment": "development"}, "description": "Look", "payload": None}


async def shift(context: Context, by: timedelta) -> None:
    async with context.database.transaction() as conn:
        await conn.execute("UPDATE clock SET shift = %s", (by,))


async def test_what_is_built_in_can_be_started_before_any_worker_has_begun(context: Context, add: Add) -> None:
    mara = await add("mara")
    await kinds.announce(context.database, engine(context).kinds)

    run = await start(engine(context), mara, Start("task", TASK))

    assert run.status is RunStatus.queued
    said = await reading.hint(context, run)
    assert said is not None and "No worker serves 'task'" in said and "handrail worker" in said


async def test_what_a_worker_said_of_a_workflow_outlives_the_next_start_of_a_server(context: Context) -> None:
    await publish(context.database, "task", version="v7")
    await kinds.announce(context.database, engine(context).kinds)

    async with context.database.connection() as conn:
        known = await workflows.get(conn, "task")
    assert known is not None and known.version == "v7"


async def test_a_hint_is_given_only_while_no_worker_says_that_it_is_there(context: Context, add: Add) -> None:
    mara = await add("mara")
    await publish(context.database)
    run = await started(context, mara)
    assert await reading.hint(context, run) is None, "a worker has just published it"

    await shift(context, timedelta(minutes=1))
    assert await reading.hint(context, run) is not None

    async with context.database.transaction() as conn:
        await workflows.beat(conn, ["deploy", "of another file"])
    assert await reading.hint(context, run) is None
