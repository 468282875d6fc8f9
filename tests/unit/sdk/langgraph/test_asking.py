"""`ask_human` in real graphs, resumed as Handrail does and as plain LangGraph does."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

import pytest
from langgraph_world import MemoryPort, State, Thread, envelope, graph_of

from handrail_sdk.errors import NotJson
from handrail_sdk.holds import Kind, Who
from handrail_sdk.langgraph import Action, Answer, UnsteadyQuestion, ask_human
from handrail_sdk.langgraph.port import current

DEPLOY = Action("deploy", {"service": "shop", "version": 3}, "production")


def asking(kind: Kind = "approval", **more: Any) -> Thread:
    def node(state: State) -> dict[str, Any]:
        return {"out": ask_human(kind, "Deploy shop?", DEPLOY, **more)}

    return Thread(graph_of(node))


async def test_the_question_is_the_whole_of_what_a_hold_needs() -> None:
    thread = asking(task={"operation": "deploy"}, evidence={"diff": "+1"}, description="why", expires_in=60)
    [question] = await thread.start()
    assert question.value == {
        "handrail": 1,
        "kind": "approval",
        "title": "Deploy shop?",
        "action": {"name": "deploy", "args": {"service": "shop", "version": 3}, "target": "production"},
        "schema": None,
        "evidence": {"diff": "+1"},
        "context": None,
        "task": {"operation": "deploy"},
        "description": "why",
        "case_id": None,
        "expires_in": 60,
        "on_expiry": None,
    }


async def test_an_envelope_becomes_a_typed_answer() -> None:
    thread = asking("review")
    [question] = await thread.start()
    amended = {"name": "deploy", "args": {"service": "shop", "version": 2}, "target": "staging"}
    await thread.resume(envelope(question.value, "approved", action=amended, reason="older is safer"))
    answer = await thread.out()
    assert answer == Answer(
        "approved",
        Action("deploy", {"service": "shop", "version": 2}, "staging"),
        reason="older is safer",
        by=Who("p-1", "Ann", "person"),
        hold_id="h-1",
    )
    assert answer.approved


@pytest.mark.parametrize("outcome", ["rejected", "expired", "cancelled"])
async def test_a_no_is_an_answer_and_not_an_error(outcome: str) -> None:
    thread = asking()
    [question] = await thread.start()
    await thread.resume(envelope(question.value, outcome, by=None))
    answer = await thread.out()
    assert (answer.outcome, answer.approved, answer.by) == (outcome, False, None)


async def test_async_nodes_ask_too() -> None:
    async def node(state: State) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"out": ask_human("input", "Which region?", schema={"enum": ["eu", "us"]}).answer}

    thread = Thread(graph_of(node))
    [question] = await thread.start()
    await thread.resume(envelope(question.value, "answered", answer="eu"))
    assert await thread.out() == "eu"


async def test_a_question_that_changed_is_asked_anew() -> None:
    amounts = iter([10, 99, 99])

    def node(state: State) -> dict[str, Any]:
        answer = ask_human("approval", "Pay?", Action("pay", {"amount": next(amounts)}))
        return {"out": answer.action and answer.action.args}

    thread = Thread(graph_of(node))
    [first] = await thread.start()
    [second] = await thread.resume(envelope(first.value))
    assert (second.id != first.id, second.value["action"]["args"]) == (True, {"amount": 99})
    assert await thread.resume(envelope(second.value)) == []
    assert await thread.out() == {"amount": 99}


async def test_a_question_that_never_settles_ends_in_an_error_that_says_how_to_mend_it() -> None:
    executions: list[int] = []

    def node(state: State) -> dict[str, Any]:
        executions.append(1)
        return {"out": ask_human("approval", f"Pay, the {len(executions)}th time?", DEPLOY).approved}

    thread = Thread(graph_of(node))
    [question] = await thread.start()
    with pytest.raises(UnsteadyQuestion, match="from the state alone"):
        for _ in range(10):
            [question] = await thread.resume(envelope(question.value))


async def test_several_questions_of_one_node_keep_their_answers() -> None:
    def node(state: State) -> dict[str, Any]:
        name = ask_human("input", "Name?").answer
        return {"out": [name, ask_human("input", f"Age of {name}?").answer]}

    thread = Thread(graph_of(node))
    [first] = await thread.start()
    [second] = await thread.resume(envelope(first.value, "answered", answer="Ann"))
    await thread.resume(envelope(second.value, "answered", answer="7"))
    assert await thread.out() == ["Ann", "7"]


EDITED = {"name": "deploy", "args": {"version": 2}}


@pytest.mark.parametrize(
    ("value", "outcome", "reason", "args"),
    [
        (True, "approved", None, DEPLOY.args),
        (False, "rejected", None, DEPLOY.args),
        ("yes", "approved", None, DEPLOY.args),
        ("  Approved. ", "approved", None, DEPLOY.args),
        ("no", "rejected", None, DEPLOY.args),
        ("not on a Friday", "rejected", "not on a Friday", DEPLOY.args),
        ("yes, but not on a Friday", "rejected", "yes, but not on a Friday", DEPLOY.args),
        ({"approved": True, "reason": "fine"}, "approved", "fine", DEPLOY.args),
        ({"approved": "yes"}, "rejected", None, DEPLOY.args),
        ({"approved": True, "action": EDITED}, "approved", None, {"version": 2}),
        ({"type": "approve"}, "approved", None, DEPLOY.args),
        ({"type": "reject", "message": "no"}, "rejected", "no", DEPLOY.args),
        ({"type": "edit", "edited_action": EDITED}, "approved", None, {"version": 2}),
        ({"decisions": [{"type": "approve"}]}, "approved", None, DEPLOY.args),
        ({"decisions": [{"type": "approve"}, {"type": "approve"}]}, "rejected", "not a yes", DEPLOY.args),
        ([{"type": "accept", "args": None}], "approved", None, DEPLOY.args),
        ([{"type": "response", "args": "later"}], "rejected", "later", DEPLOY.args),
        ([{"type": "edit", "args": {"action": "deploy", "args": {"version": 2}}}], "approved", None, {"version": 2}),
        ([{"type": "ignore", "args": None}], "rejected", None, DEPLOY.args),
        (1, "rejected", "not a yes: 1", DEPLOY.args),
        ([], "rejected", "not a yes: []", DEPLOY.args),
        ({"type": ["approve"]}, "rejected", "not a yes", DEPLOY.args),
    ],
)
async def test_a_foreign_resume_value_is_a_yes_only_where_it_plainly_is_one(
    value: Any, outcome: str, reason: str | None, args: dict[str, Any]
) -> None:
    thread = asking()
    await thread.start()
    await thread.resume(value)
    answer = await thread.out()
    assert (answer.outcome, answer.action.args, answer.hold_id) == (outcome, args, None)
    assert (answer.reason or "").startswith(reason or "") and bool(answer.reason) == bool(reason)


@pytest.mark.parametrize("kind", ["approval", "input"])
async def test_in_a_run_of_handrails_only_its_envelope_answers(kind: Kind) -> None:
    current.set(MemoryPort())
    thread = asking(kind)
    [first] = await thread.start()
    [second] = await thread.resume("yes")
    assert (second.value, second.id != first.id) == (first.value, True)
    await thread.resume(envelope(second.value))
    assert (await thread.out()).hold_id == "h-1"


@pytest.mark.parametrize("value", ["eu", {"region": "eu"}, ["eu"], False])
async def test_a_foreign_resume_value_is_the_answer_to_an_input(value: Any) -> None:
    thread = asking("input")
    await thread.start()
    await thread.resume(value)
    answer = await thread.out()
    assert (answer.outcome, answer.answer) == ("answered", value)


async def test_what_is_not_json_cannot_be_asked() -> None:
    def node(state: State) -> dict[str, Any]:
        return {"out": ask_human("approval", "Pay?", Action("pay", {"on": object()}))}

    with pytest.raises(NotJson, match="holds a object"):
        await Thread(graph_of(node)).start()


def test_the_core_of_the_sdk_imports_none_of_it() -> None:
    code = "import sys, handrail_sdk; sys.exit(any(n.split('.')[0] in {'langgraph', 'langchain'} for n in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "value",
    [
        {"type": "response", "args": "shorter"},
        [{"type": "response", "args": "shorter"}],
        {"type": "respond", "message": "shorter"},
        {"decisions": [{"type": "respond", "message": "shorter"}]},
    ],
)
async def test_words_are_a_response_where_they_are_taken_and_a_no_elsewhere(value: Any) -> None:
    for takes, said in ((True, ("answered", "shorter", None)), (False, ("rejected", None, "shorter"))):
        thread = asking(takes_response=takes)
        [question] = await thread.start()
        assert question.value.get("takes_response") == (True if takes else None)
        await thread.resume(value)
        answer = await thread.out()
        assert (answer.outcome, answer.answer, answer.reason) == said and not answer.approved
