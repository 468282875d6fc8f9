"""Agent Inbox's interrupts and the responses that its documentation describes."""

from __future__ import annotations

from typing import Any

import pytest
from questions_world import decided

from handrail.core.holds import Action, Kind
from handrail.engine.questions import Inquiry, read

SENT = {"action": "send_email", "args": {"to": "ann@example.org", "copies": 2}}
AMENDED = Action("send_email", {"to": "bob@example.org", "copies": 2})
EVERY = ("accept", "edit", "respond", "ignore")


def value(*allowed: str) -> dict[str, Any]:
    config = {f"allow_{verb}": verb in allowed for verb in EVERY}
    return {"action_request": SENT, "config": config, "description": "# Please *look*"}


def answered(asked: Inquiry, **decision: Any) -> Any:
    return asked.answer([decided(opening, **decision) for opening in asked.openings])


def test_an_action_to_accept_or_edit_is_an_approval() -> None:
    [opening] = read(value(*EVERY)).openings
    assert (opening.kind, opening.title) == (Kind.approval, "Send email: to ann@example.org, copies 2")
    assert opening.action is not None
    assert (opening.action.args, opening.description) == (SENT["args"], "# Please *look*")
    assert opening.task == {"risk": "medium"}
    assert opening.takes_response
    assert not read(value("accept", "ignore")).openings[0].takes_response


TABLE: list[tuple[tuple[str, ...], dict[str, Any], dict[str, Any]]] = [
    (EVERY, {}, {"type": "accept", "args": SENT}),
    (("edit",), {}, {"type": "edit", "args": SENT}),
    (
        EVERY,
        {"amended": AMENDED},
        {"type": "edit", "args": {"action": "send_email", "args": {"to": "bob@example.org", "copies": 2}}},
    ),
    (EVERY, {"outcome": "answered", "answer": "shorter"}, {"type": "response", "args": "shorter"}),
    (EVERY, {"outcome": "rejected", "reason": "shorter"}, {"type": "response", "args": "shorter"}),
    (EVERY, {"outcome": "rejected"}, {"type": "ignore", "args": None}),
    (("accept", "ignore"), {"outcome": "rejected", "reason": "no"}, {"type": "ignore", "args": None}),
    (("accept",), {"outcome": "rejected"}, {"type": "ignore", "args": None}),
    (EVERY, {"outcome": "expired"}, {"type": "ignore", "args": None}),
    (EVERY, {"outcome": "cancelled", "reason": "x"}, {"type": "ignore", "args": None}),
    (("accept", "ignore"), {"amended": AMENDED}, {"type": "ignore", "args": None}),
    (("respond", "ignore"), {"outcome": "answered", "answer": "at noon"}, {"type": "response", "args": "at noon"}),
    (("respond", "ignore"), {"outcome": "answered", "answer": None}, {"type": "ignore", "args": None}),
]


@pytest.mark.parametrize(("allowed", "decision", "expected"), TABLE)
@pytest.mark.parametrize("listed", [True, False])
def test_responses(listed: bool, allowed: tuple[str, ...], decision: dict[str, Any], expected: dict[str, Any]) -> None:
    asked = read([value(*allowed)] if listed else value(*allowed))
    assert answered(asked, **decision) == [expected]


def test_a_list_of_several_has_a_hold_and_a_response_for_each() -> None:
    asked = read([value(*EVERY), value("respond")])
    first, second = asked.openings
    assert (first.kind, second.kind) == (Kind.approval, Kind.input)
    answer = asked.answer([decided(first, "rejected"), decided(second, "answered", answer="ok")])
    assert answer == [{"type": "ignore", "args": None}, {"type": "response", "args": "ok"}]


def test_a_question_to_respond_to_takes_text_or_nothing() -> None:
    [opening] = read(value("respond", "ignore")).openings
    assert opening.schema == {
        "anyOf": [{"title": "Respond", "type": "string", "minLength": 1}, {"title": "Ignore", "type": "null"}]
    }
