"""Reading runs: pages of what one may see, and one run with its steps and holds."""

from __future__ import annotations

from typing import Any

import pytest
from feed_world import number_all
from holds_world import Add
from runs_world import ask, publish, say, settle, started

from handrail.core import errors
from handrail.core.people import PrincipalKind
from handrail.core.runs import RunStatus
from handrail.engine import reading
from handrail.holds.context import Context
from handrail.store.run_pages import Filters


async def test_pages_are_newest_first_and_whole(context: Context, add: Add) -> None:
    mara = await add("mara")
    await publish(context.database)
    made = [(await started(context, mara)).id for _ in range(7)]
    found: list[object] = []
    cursor = None
    while True:
        page = await reading.page(context, mara, Filters(), cursor, 3)
        found += [run.id for run in page.runs]
        cursor = page.next
        if cursor is None:
            break
    assert found == made[::-1]
    for bad in ("x", "WyJ1IiwxXQ", "WyJyIiwieCIsInkiXQ"):
        with pytest.raises(errors.BadCursor):
            await reading.page(context, mara, Filters(), bad, 3)


async def test_one_sees_what_one_started_and_auditors_all(context: Context, add: Add) -> None:
    mara, otto, axel = await add("mara"), await add("otto"), await add("axel", "auditor")
    bot = await add("bot", kind=PrincipalKind.agent)
    await publish(context.database)
    mine, its = await started(context, mara), await started(context, bot)
    assert [run.id for run in (await reading.page(context, mara, Filters(), None, 9)).runs] == [mine.id]
    assert [run.id for run in (await reading.page(context, bot, Filters(), None, 9)).runs] == [its.id]
    assert (await reading.page(context, otto, Filters(), None, 9)).runs == []
    assert [run.id for run in (await reading.page(context, axel, Filters(), None, 9)).runs] == [its.id, mine.id]
    assert (await reading.get(context, axel, mine.id)).id == mine.id
    for stranger in (otto, bot):
        with pytest.raises(errors.NotFound):
            await reading.get(context, stranger, mine.id)


async def test_filters(context: Context, add: Add) -> None:
    mara, axel = await add("mara"), await add("axel", "auditor")
    await publish(context.database)
    await publish(context.database, "export", input_schema=None)
    failed, exported = await started(context, mara), await started(context, mara, "export")
    other = await started(context, axel)
    await settle(context.database, failed.id, "failed")

    async def listed(filters: Filters) -> list[object]:
        return [run.id for run in (await reading.page(context, axel, filters, None, 9)).runs]

    assert await listed(Filters(status=RunStatus.failed)) == [failed.id]
    assert await listed(Filters(workflow="export")) == [exported.id]
    assert await listed(Filters(starter=axel.id)) == [other.id]
    assert await listed(Filters(RunStatus.queued, "deploy", mara.id)) == []


async def test_a_run_has_its_steps_its_holds_and_the_number_to_follow_from(context: Context, add: Add) -> None:
    mara = await add("mara")
    await publish(context.database)
    run, other = await started(context, mara), await started(context, mara)
    rest: dict[str, Any] = {"task": "t", "namespace": "", "update": {}}
    for number, node in enumerate(["plan", "deploy"]):
        await say(context, run, "run.step_completed", step=number, node=node, **rest)
    await say(context, other, "run.step_completed", step=0, node="elsewhere", **rest)
    holds = [await ask(context, run, title) for title in ("One?", "Two?")]
    await ask(context, other)
    await number_all(context.database)
    found = await reading.detail(context, mara, run.id)
    assert [(step.event.step, step.event.node) for step in found.steps if step.event] == [(0, "plan"), (1, "deploy")]
    assert [hold.id for hold in found.holds] == [hold.id for hold in holds]
    assert found.seq >= found.steps[-1].seq
