"""LangChain's middleware: values and answers in both modes; what it really sends is in the tests of whole agents."""

from __future__ import annotations

from typing import Any

import pytest
from questions_world import decided

from handrail.core import errors
from handrail.core.holds import Action, Kind
from handrail.engine.questions import Inquiry, read

SEND = {"name": "send_email", "args": {"to": "ann@example.org", "big": 2**60}, "description": "Please look"}
SHOWN = Action("send_email", {"to": "ann@example.org", "big": str(2**60)})
EVERY = ["approve", "edit", "reject", "respond"]


def batch(*allowed: list[str], requests: list[Any] | None = None) -> Inquiry:
    wanted = requests or [SEND for _ in allowed]
    configs = [{"action_name": r["name"], "allowed_decisions": a} for r, a in zip(wanted, allowed, strict=True)]
    return read({"action_requests": wanted, "review_configs": configs})


def call(allowed: list[str], edit: Any = None) -> Inquiry:
    """A schema as pydantic makes it of the middleware's types."""
    action = {"properties": {"name": {"const": "send_email"}, "args": edit or {"type": "object"}}}
    decisions = {
        "approve": {"properties": {"type": {"const": "approve"}}, "required": ["type"]},
        "reject": {"properties": {"type": {"const": "reject"}, "message": {"type": "string"}}, "required": ["type"]},
        "respond": {"properties": {"type": {"const": "respond"}}, "required": ["type", "message"]},
        "edit": {"properties": {"type": {"const": "edit"}, "edited_action": action}, "required": ["type"]},
    }
    chosen = {name: decisions[name] for name in allowed}
    references = [{"$ref": f"#/$defs/{name}"} for name in chosen]
    schema: Any = {"$defs": chosen, "oneOf": references} if len(allowed) > 1 else chosen[allowed[0]]
    return read({"type": "tool_approval", "tool_call_id": "c-1", **SEND}, schema)


def test_a_batch_is_one_approval_a_call_titled_by_what_it_does() -> None:
    other = {"name": "delete_file", "args": {"path": "/etc/passwd", "password": "hunter2"}}
    asked = batch(EVERY, ["approve", "reject"], requests=[SEND, other])
    first, second = asked.openings
    assert (first.kind, first.title) == (Kind.approval, f"Send email: to ann@example.org, big {2**60}")
    assert (first.action, first.description) == (SHOWN, "Please look")
    assert second.title == "Delete file: path /etc/passwd, password …"
    assert isinstance(first.context, dict)
    assert (first.context["binding"], first.context["call"]) == ("not bound to arguments", "1 of 2")
    assert (first.takes_response, second.takes_response) == (True, False)


def test_who_wrote_the_graph_wants_a_person_to_look_whatever_the_policy_thinks() -> None:
    assert batch(EVERY).openings[0].task == {"risk": "medium"}


AMENDED = Action("send_email", {"to": "bob@example.org", "big": str(2**60)})
TABLE: list[tuple[list[str], dict[str, Any], dict[str, Any]]] = [
    (EVERY, {}, {"type": "approve"}),
    (["edit", "reject"], {}, {"type": "edit", "edited_action": {"name": "send_email", "args": SEND["args"]}}),
    (
        EVERY,
        {"amended": AMENDED},
        {"type": "edit", "edited_action": {"name": "send_email", "args": {"to": "bob@example.org", "big": 2**60}}},
    ),
    (
        EVERY,
        {"outcome": "answered", "answer": "sent it myself"},
        {"type": "respond", "message": "sent it myself"},
    ),
    (EVERY, {"outcome": "rejected"}, {"type": "reject"}),
    (EVERY, {"outcome": "rejected", "reason": "too late"}, {"type": "reject", "message": "too late"}),
    (EVERY, {"outcome": "expired"}, {"type": "reject", "message": "expired: nobody decided in time"}),
    (EVERY, {"outcome": "cancelled"}, {"type": "reject", "message": "cancelled"}),
    (["approve", "respond"], {"outcome": "rejected", "reason": "no"}, {"type": "respond", "message": "no"}),
    (["respond"], {"outcome": "answered", "answer": "42"}, {"type": "respond", "message": "42"}),
    (["reject"], {"outcome": "answered", "answer": "never"}, {"type": "reject", "message": "never"}),
]


@pytest.mark.parametrize(("allowed", "decision", "expected"), TABLE)
@pytest.mark.parametrize("mode", ["batched", "per_call"])
def test_decisions(mode: str, allowed: list[str], decision: dict[str, Any], expected: dict[str, Any]) -> None:
    asked = batch(allowed) if mode == "batched" else call(allowed)
    answer: Any = asked.answer([decided(asked.openings[0], **decision)])
    assert (answer["decisions"] if mode == "batched" else [answer]) == [expected]


@pytest.mark.parametrize("mode", ["batched", "per_call"])
@pytest.mark.parametrize("allowed", [["approve", "reject"], ["approve", "respond"]])
def test_an_amendment_that_is_not_allowed_runs_nothing_and_says_so(mode: str, allowed: list[str]) -> None:
    asked = batch(allowed) if mode == "batched" else call(allowed)
    answer: Any = asked.answer([decided(asked.openings[0], amended=AMENDED)])
    [decision] = answer["decisions"] if mode == "batched" else [answer]
    assert decision["type"] == allowed[1] and "edits are not allowed" in decision["message"]


def test_an_edit_may_name_another_tool_in_a_batch_and_not_in_a_call() -> None:
    renamed = Action("print_email", {"to": "x"})
    asked = batch(EVERY)
    answer: Any = asked.answer([decided(asked.openings[0], amended=renamed)])
    assert answer["decisions"][0]["edited_action"] == {"name": "print_email", "args": {"to": "x"}}
    asked = call(EVERY)
    answer = asked.answer([decided(asked.openings[0], amended=renamed)])
    assert answer["type"] == "reject" and "names the tool 'print_email'" in answer["message"]


def test_an_edit_that_does_not_fit_the_tool_is_a_no_that_names_the_place() -> None:
    asked = call(EVERY, {"type": "object", "required": ["to"]})
    answer: Any = asked.answer([decided(asked.openings[0], amended=Action("send_email", {"too": "x"}))])
    assert answer["type"] == "reject" and '"to" is a required property' in answer["message"]


def test_a_target_that_a_person_added_has_no_place_in_the_call() -> None:
    asked = batch(EVERY)
    answer: Any = asked.answer([decided(asked.openings[0], amended=Action("send_email", SHOWN.args, "staging"))])
    assert answer["decisions"][0]["type"] == "reject"


def test_a_no_that_the_graph_does_not_take_fails_the_run() -> None:
    asked = batch(["approve", "edit"])
    with pytest.raises(errors.AnswerUnusable, match="allow `reject` for this tool"):
        asked.answer([decided(asked.openings[0], "rejected")])


def test_a_call_that_takes_no_yes_asks_for_text() -> None:
    [opening] = call(["respond"]).openings
    assert (opening.kind, opening.schema) == (Kind.input, None)


def test_the_call_id_is_kept_with_the_hold() -> None:
    [opening] = call(EVERY).openings
    assert isinstance(opening.context, dict) and opening.context["tool_call_id"] == "c-1"


@pytest.mark.parametrize("name", ["respond", "send_email"])
def test_an_amendment_to_the_name_respond_is_an_amendment(name: str) -> None:
    asked = batch(EVERY, requests=[{"name": name, "args": {"message": "a"}}])
    answer: Any = asked.answer([decided(asked.openings[0], amended=Action("respond", {"message": "b"}))])
    assert answer["decisions"] == [{"type": "edit", "edited_action": {"name": "respond", "args": {"message": "b"}}}]


def test_configs_are_found_by_the_name_of_the_tool_where_their_order_is_another() -> None:
    value = {
        "action_requests": [SEND],
        "review_configs": [
            {"action_name": "other", "allowed_decisions": ["approve"]},
            {"action_name": "send_email", "allowed_decisions": ["respond"]},
        ],
    }
    assert read(value).openings[0].kind is Kind.input


def test_what_cannot_be_shown_whole_cannot_be_approved() -> None:
    with pytest.raises(errors.QuestionUnusable, match="cannot be shown in full"):
        batch(EVERY, requests=[{"name": "run", "args": {"what": object()}}])
    with pytest.raises(errors.QuestionUnusable, match="too large for a person"):
        batch(EVERY, requests=[{"name": "run", "args": {"what": "x" * 2**21}}])
    with pytest.raises(errors.QuestionUnusable, match="at most 100"):
        batch(*([EVERY] * 101))
