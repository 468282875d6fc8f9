"""What a model gets of a long conversation, and what is made of its odd messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.utils import count_tokens_approximately

from handrail.engine.conversation import NOTHING_SAID, SHARE, check_refusal, fitting, replies, with_ids
from handrail.engine.failures import Failed


def turn(number: int, calls: int, length: int) -> list[AnyMessage]:
    """A call of tools and their results."""
    ids = [f"{number}-{n}" for n in range(calls)]
    asked = AIMessage("", tool_calls=[{"name": "look", "args": {}, "id": id_} for id_ in ids])
    return [asked, *(ToolMessage("x" * length, tool_call_id=id_) for id_ in ids)]


@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(0, 3000)), max_size=12),
    st.integers(1000, 20_000),
)
def test_what_is_kept_fits_and_no_result_is_without_its_call(turns: list[tuple[int, int]], context: int) -> None:
    rest = [message for n, (calls, length) in enumerate(turns) for message in turn(n, calls, length)]
    request = HumanMessage("Look.")
    try:
        system, first, *kept = fitting("Be brief.", [request, *rest], context)
    except Failed as failed:
        last = turn(0, *turns[-1])
        assert failed.code == "context_exceeded" and count_tokens_approximately(last) > context * SHARE / 2
        return
    assert isinstance(system, SystemMessage) and first is request
    assert kept == rest[len(rest) - len(kept) :] and bool(kept) == bool(rest)
    assert not kept or isinstance(kept[0], AIMessage)
    assert count_tokens_approximately([system, first, *kept]) <= context * SHARE + 1


def test_instructions_that_do_not_fit_are_told_with_the_setting() -> None:
    with pytest.raises(Failed, match=r"do not fit in 1000 tokens.*HANDRAIL_MODEL_CONTEXT"):
        fitting("x" * 10_000, [HumanMessage("Look.")], 1000)


def test_calls_that_are_not_json_are_answered_each_and_nothing_is_asked_for_again() -> None:
    broken = AIMessage("", invalid_tool_calls=[{"name": "look", "args": "{", "id": "1", "error": "no end"}])
    [reply] = replies(broken)
    assert isinstance(reply, ToolMessage) and reply.tool_call_id == "1" and "not JSON. no end" in reply.text
    [nudge] = replies(AIMessage(" \n"))
    assert nudge.text == NOTHING_SAID
    assert replies(AIMessage("Done.")) == []


@pytest.mark.parametrize(
    "said",
    [
        AIMessage("", additional_kwargs={"refusal": "I will not."}),
        AIMessage("I will not.", response_metadata={"stop_reason": "refusal"}),
        AIMessage("I will not.", response_metadata={"finish_reason": "SAFETY"}),
    ],
    ids=["openai", "anthropic", "google"],
)
def test_a_refusal_is_told_in_the_model_s_words(said: AIMessage) -> None:
    with pytest.raises(Failed, match=r"the model refused to continue: I will not\.") as failed:
        check_refusal(said)
    assert failed.value.code == "model_refused"
    check_refusal(AIMessage("Done.", response_metadata={"finish_reason": "stop"}))


def test_calls_without_an_id_get_one_each() -> None:
    said = AIMessage("", tool_calls=[{"name": "look", "args": {}, "id": id_} for id_ in (None, "mine", None)])
    first, mine, third = [call["id"] for call in with_ids(said).tool_calls]
    assert mine == "mine" and first and third and first != third
