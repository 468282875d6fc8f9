"""A stage's conversation with its model: with tool calls, with fenced text, and with one that comes to no end."""

from __future__ import annotations

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from handrail.changes import conversing
from handrail.changes.conversing import MOST_REPEATS, Call, Voice
from handrail.engine.failures import Failed
from handrail.models.scripted import ScriptedModel, Step

READ = "```read path=cart.py\n```"


def called(text: str = "", **args: str) -> AIMessage:
    return AIMessage(text, tool_calls=[{"name": "read", "args": args, "id": "c1"}])


@pytest.mark.parametrize(
    ("said", "call_id"), [(called(path="cart.py"), "c1"), (AIMessage(f"I look at it.\n{READ}\n"), None)]
)
def test_calls_are_read_from_both_kinds_of_models(said: AIMessage, call_id: str | None) -> None:
    assert conversing.calls_of(said) == [Call("read", {"path": "cart.py"}, call_id)]


def test_answers_go_back_the_way_that_the_calls_came() -> None:
    told = conversing.replies([(Call("read", {}, "c1"), "one"), (Call("read", {}, "c2"), "two")])
    assert [(each.text, getattr(each, "tool_call_id", None)) for each in told] == [("one", "c1"), ("two", "c2")]
    [written] = conversing.replies([(Call("read", {}), "one"), (Call("search", {}), "two")])
    assert isinstance(written, HumanMessage) and written.text == "read:\none\n\nsearch:\ntwo"


def test_fenced_text_that_cannot_be_read_is_answered() -> None:
    calls, told = conversing.calls_or_faults(AIMessage("```read path='cart.py\n```"))
    assert calls == [] and "quote" in told[0].text


def _round(path: str, answer: str) -> list[AnyMessage]:
    return [called(path=path), ToolMessage(answer, tool_call_id="c1")]


def test_the_same_call_with_another_answer_is_no_repetition() -> None:
    messages = [HumanMessage("go"), *_round("a.py", "1"), *_round("a.py", "2"), *_round("b.py", "2")]
    assert conversing.repeats(messages) == 0
    assert conversing.repeats([*messages, *_round("b.py", "2"), *_round("b.py", "2")]) == 2


async def test_a_model_that_repeats_itself_is_stopped() -> None:
    voice = Voice("edit", ScriptedModel(steps=[Step(say="again")] * 99), 10_000)
    messages = [HumanMessage("go"), *(_round("a.py", "gone") * (MOST_REPEATS + 1))]
    with pytest.raises(Failed, match="same calls") as stopped:
        await voice.turn("prompt", messages, [])
    assert stopped.value.code == "no_progress"


async def test_a_model_that_comes_to_no_end_is_stopped() -> None:
    voice = Voice("summary", ScriptedModel(steps=[Step(say="hm")] * 99), 100_000)
    messages = [HumanMessage("go"), *(each for n in range(40) for each in _round(f"{n}.py", "1"))]
    with pytest.raises(Failed, match="40 turns") as stopped:
        await voice.turn("prompt", messages, [])
    assert stopped.value.code == "step_limit"
