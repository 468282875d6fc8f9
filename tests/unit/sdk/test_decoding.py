"""Answers become values: strict about what is used, tolerant of what a newer server adds."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from sdk_wire import ADA, hold

from handrail_sdk import Action, Decision, Hold, ItemDecision, UnexpectedAnswer, Who
from handrail_sdk.decoding import decode, decode_list


def test_a_hold_comes_over_whole() -> None:
    wire = hold("approved", items=[{"item_id": "a", "n": 1}], action={"name": "x", "args": {"n": [1]}, "target": "t"})
    wire["decision"]["items"] = [{"item_id": "a", "approved": True, "reason": None}]
    got = decode(Hold, wire)
    at = datetime(2026, 11, 2, 10, tzinfo=UTC)
    assert got.approved
    assert not got.pending
    assert got.opened_at == at
    assert got.action == Action("x", {"n": [1]}, "t")
    assert got.items == ({"item_id": "a", "n": 1},)
    assert got.requirements.roles == ("team_lead",)
    by = Who(ADA["id"], "Ada", "person")
    assert got.decision == Decision("approved", "people", at, by, items=(ItemDecision("a", True),))


def test_the_sdk_takes_every_field_of_the_server_s_hold() -> None:
    assert hold().keys() == set(Hold.__slots__)


def test_fields_and_words_of_a_newer_server_are_no_obstacle() -> None:
    wire: dict[str, Any] = {**hold(), "mood": "good", "status": "postponed", "risk": "absurd"}
    wire["action"]["colour"] = "red"
    got = decode(Hold, wire)
    assert (got.status, got.risk) == ("postponed", "absurd")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"digest": None}, "answer.digest is a NoneType"),
        ({"revision": True}, "answer.revision is a bool"),
        ({"revision": "1"}, "answer.revision is a str"),
        ({"opened_at": "yesterday"}, "answer.opened_at is 'yesterday'"),
        ({"opened_by": {"name": "x", "kind": "y"}}, "answer.opened_by lacks `id`"),
        ({"reviews": {}}, "answer.reviews is a dict"),
        ({"items": [1]}, r"answer.items\[0\] is a int"),
    ],
)
def test_an_answer_that_does_not_fit_names_the_place(change: dict[str, Any], message: str) -> None:
    with pytest.raises(UnexpectedAnswer, match=message):
        decode(Hold, {**hold(), **change})


def test_something_else_than_an_object_is_refused() -> None:
    with pytest.raises(UnexpectedAnswer, match="answer is a list"):
        decode(Hold, [])


def test_lists_come_by_name() -> None:
    assert decode_list(Who, {"people": [ADA]}, "people") == (Who(ADA["id"], "Ada", "person"),)
    with pytest.raises(UnexpectedAnswer):
        decode_list(Who, {}, "people")
