"""What the operations send, and what they make of the answers."""

from __future__ import annotations

import json

import pytest
from sdk_wire import AGENT, HOLD_ID, comment, drive, hold, problem, response

from handrail_sdk import (
    Action,
    AlreadyDecided,
    Comment,
    DigestRequired,
    Invalid,
    ItemDecision,
    NotFound,
    NotJson,
    Unavailable,
    confirmations,
)
from handrail_sdk.exchange import Lost, Response
from handrail_sdk.operations import Operations

OPERATIONS = Operations(retry_for=30)
DIGEST = "0" * 64
CUT = Lost("cut", sent=True)
REFUSED = Lost("refused", sent=False)
ACTION = Action("agent", {"affected_items": ["a"]})


def test_opening_sends_what_is_given_and_nothing_else() -> None:
    flow = OPERATIONS.open("input", "Which?", Action("choose", {"n": 1}), schema={"type": "string"}, expires_in=60)
    opened, [request] = drive(flow, response(201, hold()))
    assert opened.id == HOLD_ID
    assert json.loads(request.content() or b"") == {
        "kind": "input",
        "title": "Which?",
        "action": {"name": "choose", "args": {"n": 1}},
        "schema": {"type": "string"},
        "expires_in": 60,
    }
    assert "Idempotency-Key" not in request.headers


def test_opening_without_a_key_is_not_repeated_where_it_may_have_happened() -> None:
    with pytest.raises(Unavailable) as raised:
        drive(OPERATIONS.open("approval", "t", ACTION), CUT)
    assert raised.value.may_have_happened


def test_opening_without_a_key_is_repeated_where_it_surely_did_not_happen() -> None:
    opened, sent = drive(OPERATIONS.open("approval", "t", ACTION), REFUSED, response(429), response(201, hold()))
    assert opened.pending
    assert len(sent) == 3


def test_opening_with_a_key_is_repeated_with_the_same_key_and_body() -> None:
    flow = OPERATIONS.open("approval", "t", ACTION, idempotency_key="k 1")
    _, sent = drive(flow, CUT, response(503), response(201, hold()))
    assert sent[0] == sent[1] == sent[2]
    assert sent[0].headers["Idempotency-Key"] == "k 1"


@pytest.mark.parametrize("key", ["", " a", "a\nb", "ü"])
def test_a_key_that_no_header_can_carry_is_refused(key: str) -> None:
    with pytest.raises(Invalid, match="idempotency key"):
        drive(OPERATIONS.open("approval", "t", ACTION, idempotency_key=key))


def test_nothing_is_sent_that_is_not_json() -> None:
    with pytest.raises(NotJson, match=r"`context`\.when"):
        drive(OPERATIONS.open("approval", "t", ACTION, context={"when": object()}))


def test_retrying_ends_when_its_time_is_up() -> None:
    with pytest.raises(Unavailable):
        drive(Operations(retry_for=0).get(HOLD_ID), REFUSED)


def test_waiting_goes_on_through_all_that_passes() -> None:
    outcomes = (REFUSED, CUT, response(500), response(502), response(503), response(429), response(200, hold()))
    # no time passes here, so that a limit of any length would end it
    decided, sent = drive(Operations(retry_for=0).wait(HOLD_ID), *outcomes, response(200, hold("rejected")))
    assert decided.status == "rejected"
    assert {(request.path, request.query["timeout"]) for request in sent} == {(f"/api/holds/{HOLD_ID}/wait", "30")}


def test_waiting_ends_where_it_is_no_use() -> None:
    with pytest.raises(NotFound):
        drive(OPERATIONS.wait(HOLD_ID), response(404, problem("not_found")))


def test_waiting_with_a_limit_comes_back_undecided() -> None:
    undecided, [request] = drive(OPERATIONS.wait(HOLD_ID, timeout=0), response(200, hold()))
    assert undecided.pending
    assert request.query["timeout"] == "0"


def said(*comments: dict[str, object]) -> Response:
    return response(200, {"comments": list(comments)})


def test_a_reply_is_sent_again_until_it_is_there_and_then_waiting_goes_on() -> None:
    operations = Operations(retry_for=0)
    heard = list[str]()

    def answer(asked: Comment) -> str:
        heard.append(asked.text)
        return "Two."

    decided, sent = drive(
        operations.wait(HOLD_ID, on_comment=answer),
        response(200, hold()),
        CUT,
        said(comment(7, "How many?")),
        CUT,
        response(201, comment(8, "Two.", AGENT, 7)),
        response(200, hold("approved")),
        said(comment(8, "Two.", AGENT, 7), comment(9, "Thanks.")),
        response(201, comment(10, "Two.", AGENT, 9)),
    )
    assert decided.approved
    assert heard == ["How many?", "Thanks."]
    assert [request.body for request in sent if request.body] == [
        {"text": "Two.", "reply_to": 7},
        {"text": "Two.", "reply_to": 7},
        {"text": "Two.", "reply_to": 9},
    ]
    polls = [request.query["comments_after"] for request in sent if request.path.endswith("/wait")]
    assert polls == ["0", "7"]


def test_a_comment_is_passed_on_once_in_the_life_of_a_client_and_not_at_all_where_it_is_answered() -> None:
    operations = Operations(retry_for=0)
    heard = list[int]()
    first = said(comment(1, "a"), comment(2, "b"), comment(3, "to a", AGENT, 1), comment(4, "my own", AGENT))
    for answers in [(response(200, hold()), first), (response(200, hold()), said(comment(5, "c")))]:
        drive(operations.wait(HOLD_ID, timeout=0, on_comment=lambda asked: heard.append(asked.id)), *answers)
    assert heard == [2, 5]


def test_an_id_cannot_lead_to_another_route() -> None:
    _, [request] = drive(OPERATIONS.get("../people?x"), response(200, hold()))
    assert request.path == "/api/holds/..%2Fpeople%3Fx"


def test_a_review_is_sent_once_because_a_second_one_would_meet_its_own_decision() -> None:
    with pytest.raises(Unavailable):
        drive(OPERATIONS.review(HOLD_ID, "approve", digest=DIGEST), CUT)


def test_redeeming_and_recording_are_repeated() -> None:
    _, sent = drive(OPERATIONS.result(HOLD_ID, "failed", {"error": "E"}), CUT, response(200, hold("approved")))
    assert sent[0] == sent[1]


def test_a_confirmation_is_asked_as_the_contract_says() -> None:
    flow = confirmations.request_confirmation(OPERATIONS, "case-1", "mailer", "Send 2 mails", ["a", {"b": 1}], {"x": 1})
    _, sent = drive(flow, response(201, hold()), response(200, hold("rejected")))
    assert sent[0].body == {
        "kind": "confirmation",
        "title": "Send 2 mails",
        "case_id": "case-1",
        "evidence": {"agent_type": "mailer", "affected_items": ["a", {"b": 1}]},
        "context": {"x": 1},
    }


def test_the_server_is_told_the_timeout_and_rejects_by_it() -> None:
    flow = confirmations.request_confirmation(OPERATIONS, "c", "a", "t", [], timeout=5)
    result, [request] = drive(flow, response(201, hold("rejected")))
    assert request.body is not None
    assert (request.body["expires_in"], request.body["on_expiry"]) == (5, "reject")
    assert not result.approved


def confirmation(status: str, items: list[str], **changes: object) -> dict[str, object]:
    evidence = {"agent_type": "agent", "affected_items": items}
    return hold(status, kind="confirmation", title="t", action=None, evidence=evidence, **changes)


@pytest.mark.parametrize(
    ("status", "approved"), [("approved", True), ("rejected", False), ("expired", False), ("cancelled", False)]
)
def test_only_an_approval_is_a_yes(status: str, approved: bool) -> None:
    flow = confirmations.request_confirmation(OPERATIONS, "c", "agent", "t", ["a"])
    result, _ = drive(flow, response(201, confirmation(status, ["a"])))
    assert result.approved is approved


def test_a_yes_to_something_else_is_not_a_yes() -> None:
    flow = confirmations.request_confirmation(OPERATIONS, "c", "agent", "t", ["a", "b"])
    result, _ = drive(flow, response(201, confirmation("approved", ["a"])))
    assert not result.approved


def batch(status: str, **decided: bool) -> dict[str, object]:
    wire = hold(status, kind="confirmation", items=[{"item_id": "a"}, {"item_id": "b"}])
    wire["decision"]["items"] = [{"item_id": i, "approved": yes, "reason": None} for i, yes in decided.items()]
    return wire


def test_a_batch_has_a_decision_for_every_item_in_their_order() -> None:
    flow = confirmations.request_confirmations(OPERATIONS, "c", "a", "t", [{"item_id": "a"}, {"item_id": "b"}])
    result, _ = drive(flow, response(201, batch("answered", b=True, a=False)))
    assert result.decisions == (ItemDecision("a", False), ItemDecision("b", True))
    assert result.approved == ("b",)


def test_a_batch_that_nobody_decided_is_rejected_item_by_item() -> None:
    flow = confirmations.request_confirmations(OPERATIONS, "c", "a", "t", [{"item_id": "a"}, {"item_id": "b"}])
    result, _ = drive(flow, response(201, batch("cancelled")))
    assert result.decisions == tuple(ItemDecision(i, False, "the request was cancelled") for i in "ab")


@pytest.mark.parametrize("item", [{}, {"item_id": 3}, {"item_id": ""}])
def test_an_item_needs_an_id(item: dict[str, object]) -> None:
    with pytest.raises(Invalid, match="item_id"):
        drive(confirmations.request_confirmations(OPERATIONS, "c", "a", "t", [item]))


def test_an_answer_is_bound_to_the_revision_that_was_asked() -> None:
    flow = confirmations.resolve_confirmation(OPERATIONS, HOLD_ID, False, "no")
    _, sent = drive(flow, response(200, hold()), response(200, hold("rejected")))
    assert sent[1].body == {"verdict": "reject", "digest": hold()["digest"], "reason": "no"}


def test_an_amended_request_is_not_answered_unseen() -> None:
    flow = confirmations.resolve_confirmation(OPERATIONS, HOLD_ID, True)
    with pytest.raises(DigestRequired):
        drive(flow, response(200, hold(revision=2)))
    flow = confirmations.resolve_confirmation(OPERATIONS, HOLD_ID, True, digest=DIGEST)
    _, [request] = drive(flow, response(200, hold("approved")))
    assert request.body == {"verdict": "approve", "digest": DIGEST}


def test_the_second_answer_is_told_so() -> None:
    flow = confirmations.resolve_confirmation(OPERATIONS, HOLD_ID, True, digest=DIGEST)
    with pytest.raises(AlreadyDecided):
        drive(flow, response(409, problem("already_decided")))
