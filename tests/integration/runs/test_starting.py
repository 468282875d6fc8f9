"""Starting runs: once for each key, with an input that fits, within the budget, unless a brake is on."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from holds_world import Add, inbox
from langgraph.graph import START, MessagesState, StateGraph
from runs_world import INPUT, MOST, engine, publish, row, started

from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.runs import Budget, RunStatus
from handrail.engine import inputs
from handrail.engine.starting import BudgetRequest, Start, start
from handrail.holds.braking import set_brake
from handrail.holds.context import Context
from handrail.store import people
from handrail.store.database import opened
from handrail.store.space import Space


async def test_a_run_starts_queued_as_the_workflows_own_agent(context: Context, add: Add) -> None:
    mara = await add("mara")
    await publish(context.database)
    woken: list[str] = []
    told = replace(context, poke=lambda: woken.append("poke"), wake=lambda: woken.append("wake"))
    run = await start(engine(told), mara, Start("deploy", INPUT, mode="autonomous"))
    kept = await row(context.database, run.id)
    assert (kept.status, kept.input, kept.version, kept.mode) == (RunStatus.queued, INPUT, "v1", "autonomous")
    assert kept.starter == mara.id
    assert kept.budget == MOST
    async with context.database.connection() as conn:
        agent = await people.get(conn, kept.agent)
        ready = await (await conn.execute("SELECT FROM runs WHERE ready_at <= handrail_now()")).fetchall()
    assert agent is not None and (agent.principal.name, agent.principal.kind) == ("workflow/deploy", "agent")
    assert len(ready) == 1
    assert woken == ["poke", "wake"]
    said = (await inbox(context.database))[-1]
    assert (said["type"], said["data"]) == ("run.started", {"workflow": "deploy", "mode": "autonomous"})
    assert (said["run_id"], said["actor_id"]) == (run.id, mara.id)
    assert (said["opener_id"], said["starter_id"]) == (kept.agent, mara.id)


async def test_all_runs_of_a_workflow_have_one_agent_even_when_the_first_start_together(
    context: Context, add: Add
) -> None:
    mara = await add("mara")
    await publish(context.database)
    made = await asyncio.gather(*(started(context, mara) for _ in range(5)))
    assert len({run.agent for run in made}) == 1
    assert [event["type"] for event in await inbox(context.database)].count("person.added") == 1


async def test_the_same_key_and_body_give_the_same_run_and_another_body_is_refused(context: Context, add: Add) -> None:
    mara, otto = await add("mara"), await add("otto")
    await publish(context.database)
    asked = Start("deploy", INPUT, budget=BudgetRequest(cost=Decimal("1.5")))
    first = await start(engine(context), mara, asked, "k1")
    again = await asyncio.gather(*(start(engine(context), mara, asked, "k1") for _ in range(3)))
    assert {run.id for run in again} == {first.id}
    assert (await start(engine(context), otto, asked, "k1")).id != first.id
    with pytest.raises(errors.IdempotencyConflict) as refused:
        await start(engine(context), mara, Start("deploy", {"service": "shop"}), "k1")
    assert refused.value.data == {"run_id": str(first.id)}


async def test_an_unknown_workflow_is_refused_with_those_that_there_are(context: Context, add: Add) -> None:
    mara = await add("mara")
    with pytest.raises(errors.UnknownWorkflow, match="No worker has registered a workflow"):
        await started(context, mara, "refund")
    await publish(context.database)
    await publish(context.database, "export")
    with pytest.raises(errors.UnknownWorkflow, match=r"no workflow is called 'refund'\. Available: deploy, export"):
        await started(context, mara, "refund")


async def test_a_workflow_whose_code_does_not_load_is_refused_with_the_reason(context: Context, add: Add) -> None:
    await publish(context.database, error="Traceback …\nImportError: no module named 'shop'\n")
    with pytest.raises(errors.BrokenWorkflow, match="cannot run: ImportError: no module named 'shop'"):
        await started(context, await add("mara"))


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, '"service" is a required property'),
        ({"service": "billing", "copies": "two"}, r"input\['copies'\]: the value is not of type"),
        ([], "not of type"),
        (None, "null cannot start a run"),
    ],
)
async def test_an_input_that_does_not_fit_is_refused_with_its_place(
    context: Context, add: Add, given: Any, complaint: str
) -> None:
    await publish(context.database)
    with pytest.raises(errors.InputMismatch, match=complaint):
        await started(context, await add("mara"), input=given)
    assert "run.started" not in [event["type"] for event in await inbox(context.database)]


def _messages_schema() -> dict[str, Any]:
    def node(state: MessagesState) -> MessagesState:
        return state

    builder = StateGraph(MessagesState)
    builder.add_node("node", node)  # pyright: ignore[reportUnknownMemberType] - its overloads
    builder.add_edge(START, "node")
    return builder.compile().get_input_jsonschema()  # pyright: ignore[reportUnknownMemberType] - its overloads


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "user", "content": "hello"}],
        [{"type": "human", "content": "hello"}],
        [["user", "hello"]],
        ["hello"],
        "hello",
    ],
    ids=str,
)
def test_messages_are_taken_in_every_form_that_langgraph_takes(messages: Any) -> None:
    inputs.check(_messages_schema(), {"messages": messages})


def test_what_is_around_messages_is_still_checked() -> None:
    with pytest.raises(errors.InputMismatch, match='"messages" is a required property'):
        inputs.check(_messages_schema(), {"mesages": []})


async def test_a_budget_is_at_most_what_the_settings_allow(context: Context, add: Add) -> None:
    mara = await add("mara")
    await publish(context.database)
    most = Budget(10, 60.0, Decimal(2))
    run = await start(engine(context, most), mara, Start("deploy", INPUT, budget=BudgetRequest(steps=5)))
    assert (await row(context.database, run.id)).budget == Budget(5, 60.0, Decimal(2))
    for asked, field in (
        (BudgetRequest(steps=11), "steps"),
        (BudgetRequest(seconds=61), "seconds"),
        (BudgetRequest(cost=Decimal(3)), "cost"),
    ):
        with pytest.raises(errors.InvalidField, match=f"`budget.{field}` is .* the most allowed here"):
            await start(engine(context, most), mara, Start("deploy", INPUT, budget=asked))


@pytest.mark.parametrize("whom", ["everybody", "the workflow", "the starter"])
async def test_a_brake_refuses_the_start(context: Context, add: Add, whom: str) -> None:
    mara, boss = await add("mara"), await add("boss", "administrator")
    await publish(context.database)
    run = await started(context, mara)
    agent = {"everybody": None, "the workflow": run.agent, "the starter": mara.id}[whom]
    await set_brake(context, Caller(boss, frozenset(Scope)), agent, "freeze", "smoke")
    with pytest.raises(errors.Braked, match="smoke"):
        await started(context, mara)


async def test_one_principal_takes_no_more_sessions_than_its_own_share(context: Context, add: Add) -> None:
    mara, otto = await add("mara"), await add("otto")
    await publish(context.database, "skill")
    shared, asked = engine(context, max_sessions_per_principal=2), Start("skill", INPUT)
    for _ in range(2):
        await start(shared, mara, asked)
    with pytest.raises(errors.TooManySessions, match="2 of your sessions are active"):
        await start(shared, mara, asked)
    await start(shared, otto, asked)


async def test_no_run_starts_where_the_disk_is_nearly_full(context: Context, add: Add, database: str) -> None:
    mara = await add("mara")
    await publish(context.database)
    async with opened(database, space=Space(Path("/"), 1 << 60)) as full:
        with pytest.raises(errors.OutOfSpace):
            await started(replace(context, database=full), mara)
