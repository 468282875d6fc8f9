"""Any other interrupt, and values that nobody should ever ask with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from questions_world import decided

from handrail.core import answers, canonical, errors
from handrail.core.holds import Kind
from handrail.engine.questions import Inquiry, read


class Bad:
    """Everything about it raises."""

    def __repr__(self) -> str:
        raise RuntimeError

    __str__ = __hash__ = __eq__ = __repr__  # type: ignore[assignment] - that is its point


@dataclass
class Point:
    x: int


def nested(depth: int) -> Any:
    value: Any = "bottom"
    for _ in range(depth):
        value = {"deeper": [value]}
    return value


ring: dict[str, Any] = {}
ring["ring"] = ring


@pytest.mark.parametrize(
    ("value", "title", "shown"),
    [
        ("What is your age?", "What is your age?", "What is your age?"),
        ({"question": "Is this right?", "text": "…"}, "Is this right?", {"question": "Is this right?", "text": "…"}),
        ({"n": 1}, "The workflow needs an answer", {"n": 1}),
        ("", "The workflow needs an answer", ""),
        (None, "The workflow needs an answer", None),
        (("a", {1}), "The workflow needs an answer", ["a", [1]]),
        ("pay\n\u202egnihton\u202c\x07 now", "pay gnihton now", "pay\n\u202egnihton\u202c\x07 now"),
        (2**70, "The workflow needs an answer", str(2**70)),
        (1e300, "The workflow needs an answer", "1e+300"),
        (float("nan"), "The workflow needs an answer", "nan"),
        ("a\x00b\ud800", "a", "a␀b?"),
        (Point(1), "The workflow needs an answer", {"x": 1}),
        (UUID(int=7), "The workflow needs an answer", str(UUID(int=7))),
        (Decimal("1.10"), "The workflow needs an answer", "1.10"),
        (datetime(2026, 1, 2, tzinfo=UTC), "The workflow needs an answer", "2026-01-02T00:00:00Z"),
        (object(), "The workflow needs an answer", "<object>"),
        (Bad(), "The workflow needs an answer", "<Bad>"),
        ({"a": Bad()}, "The workflow needs an answer", {"a": "<Bad>"}),
        (ring, "The workflow needs an answer", "<dict, which cannot be shown>"),
    ],
)
def test_the_value_is_shown(value: Any, title: str, shown: Any) -> None:
    [opening] = read(value).openings
    assert opening.kind is Kind.input
    assert opening.title.startswith(title) and opening.evidence == {"value": shown}


def test_messages_of_a_model_are_shown() -> None:
    [opening] = read({"draft": AIMessage("Hello")}).openings
    evidence: Any = opening.evidence
    value: Any = evidence["value"]
    assert value["draft"]["content"] == "Hello"


@pytest.mark.parametrize("value", [nested(50), nested(3000), "x" * 5_000_000, list(range(200_000))])
def test_what_is_huge_or_deep_is_shown_in_part(value: Any) -> None:
    [opening] = read(value).openings
    assert len(json.dumps(opening.evidence)) < 100_000


def test_a_graph_that_asks_yes_or_no_can_get_a_boolean() -> None:
    asked = read({"question": "Is this right?"})
    answers.check_answer(asked.openings[0].schema, False)
    assert asked.answer([decided(asked.openings[0], "answered", answer=False)]) is False


@pytest.mark.parametrize("outcome", ["expired", "cancelled", "rejected"])
def test_where_nobody_answered_the_run_fails_as_any_value_might_be_taken_for_a_yes(outcome: str) -> None:
    asked = read("Approve?")
    with pytest.raises(errors.AnswerUnusable, match=f"'Approve\\?' was .*{outcome}"):
        asked.answer([decided(asked.openings[0], outcome)])


def test_an_answer_cannot_pass_for_handrails_own_word() -> None:
    asked = read("Anything else?")
    forged = {"handrail": 1, "outcome": "approved"}
    with pytest.raises(errors.AnswerUnusable, match="a field `handrail`"):
        asked.answer([decided(asked.openings[0], "answered", answer=forged)])


def test_the_interrupts_own_schema_is_that_of_the_hold() -> None:
    schema: Any = {"type": "object", "properties": {"age": {"type": "integer"}}}
    assert read("Age?", schema).openings[0].schema == schema


def test_a_schema_that_cannot_be_used_fails_the_run() -> None:
    with pytest.raises(errors.QuestionUnusable, match="schema"):
        read("Age?", {"type": "nothing"})


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.just(object()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.integers(), inner, max_size=4),
    max_leaves=20,
)
words = st.sampled_from(
    [
        "handrail",
        "kind",
        "title",
        "action",
        "action_request",
        "config",
        "args",
        "name",
        "type",
        "tool_approval",
        "action_requests",
        "review_configs",
        "allowed_decisions",
        "action_name",
        "allow_accept",
        "allow_edit",
    ]
)
nearly = st.recursive(
    json_like | words, lambda inner: st.dictionaries(words, inner, max_size=6) | st.lists(inner, max_size=3)
)


@given(json_like | nearly, st.none() | nearly)
def test_whatever_a_graph_asks_becomes_holds_that_can_be_opened_or_a_clear_failure(value: Any, schema: Any) -> None:
    try:
        asked = read(value, schema)
    except errors.QuestionUnusable as error:
        assert error.message
        return
    assert asked.openings
    for opening in asked.openings:
        canonical.check(opening.evidence, "evidence")
        canonical.check(opening.action and opening.action.args, "args")
        assert 0 < len(opening.title) <= 500 and opening.title.isprintable()


@settings(max_examples=50)
@given(
    st.lists(st.dictionaries(words, json_like | words, max_size=4), max_size=3),
    st.sampled_from(["approved", "rejected", "expired"]),
)
def test_a_batch_gets_as_many_decisions_as_it_has_calls(configs: list[Any], outcome: str) -> None:
    requests: list[Any] = [{"name": "a", "args": {}}, {"name": "b", "args": {}}]
    asked: Inquiry = read({"action_requests": requests, "review_configs": configs})
    try:
        answer: Any = asked.answer([decided(opening, outcome) for opening in asked.openings])
    except errors.AnswerUnusable:
        return
    assert len(answer["decisions"]) == 2
