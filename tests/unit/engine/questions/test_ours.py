"""Questions of `ask_human`, from the SDK's own value to the SDK's own answer."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from langgraph_world import State, Thread, graph_of
from questions_world import ANN, decided

from handrail.core import errors
from handrail.core.holds import Action, Kind
from handrail.engine.questions import read
from handrail_sdk.holds import Who
from handrail_sdk.langgraph import Action as AskedAction
from handrail_sdk.langgraph import ask_human

VALUE: dict[str, Any] = {"handrail": 1, "kind": "approval", "title": "Pay?", "action": {"name": "pay", "args": {}}}


async def test_the_way_there_and_back() -> None:
    def node(state: State) -> dict[str, Any]:
        action = AskedAction("pay", {"amount": 5}, "bank")
        return {"out": ask_human("review", "Pay?", action, evidence={"bill": 7}, task={"risk": "high"}, expires_in=60)}

    thread = Thread(graph_of(node))
    [question] = await thread.start()
    asked = read(question.value)
    [opening] = asked.openings
    assert (opening.kind, opening.title, opening.action) == (Kind.review, "Pay?", Action("pay", {"amount": 5}, "bank"))
    assert (opening.evidence, opening.task, opening.expires_in) == (
        {"bill": 7},
        {"risk": "high"},
        timedelta(seconds=60),
    )
    hold = decided(opening, amended=Action("pay", {"amount": 4}, "bank"), reason="a discount")
    await thread.resume(asked.answer([hold], {ANN: "Ann"}))
    answer = await thread.out()
    assert answer.approved and answer.action == AskedAction("pay", {"amount": 4}, "bank")
    assert (answer.reason, answer.by) == ("a discount", Who(str(ANN), "Ann", "person"))
    assert answer.hold_id == str(UUID(int=3))


def test_without_names_the_id_is_said() -> None:
    asked = read(VALUE)
    answer: Any = asked.answer([decided(asked.openings[0])])
    assert answer["by"] == {"id": str(ANN), "name": str(ANN)}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"handrail": 2}, "handrail"),
        ({"kind": "order"}, "kind"),
        ({"title": 5}, "title"),
        ({"title": "x" * 501}, "title"),
        ({"title": " "}, "title"),
        ({"action": "pay"}, "action"),
        ({"action": {"name": "pay", "args": {"a": 2**60}}}, "2^53"),
        ({"action": {"name": "pay", "args": {"a": object()}}}, "action.args.a"),
        ({"expires_in": -1}, "expires_in"),
        ({"expires_in": float("nan")}, "expires_in"),
        ({"unknown": 1}, "unknown"),
        ({"kind": "input", "schema": {"type": "nothing"}}, "schema"),
        ({"schema": {"type": "string"}}, "only an input"),
        ({"context": {"a": "\x00"}}, "NUL"),
        ({"evidence": "x" * 2**21}, "too large"),
    ],
)
def test_a_malformed_one_fails_the_run_and_says_where(change: dict[str, Any], place: str) -> None:
    with pytest.raises(errors.QuestionUnusable, match=place.replace("^", r"\^")):
        read({**VALUE, **change})
