"""A response in place of yes or no: where it is taken, whose it is, what it settles, and that nothing runs on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from unit.core.samples import (
    AGENT,
    CRITICAL,
    CTO,
    DEVELOPER,
    HIGH,
    LEAD,
    LEAD_2,
    MEDIUM,
    MINUTE,
    ONE_LEAD,
    STARTER,
    T0,
    TECH,
    asked,
    batch,
    opened,
    question,
)

from handrail.core import agreement, errors, questions
from handrail.core.agreement import Agreement, Record
from handrail.core.credentials import Credential, Provenance
from handrail.core.holds import GRANT, Action, Hold, Kind, Status, Verdict
from handrail.core.people import Principal
from handrail.core.risk import Assessment
from handrail.core.transitions import LONGEST_RESPONSE, Step, amend, open_, redeem, review, withdraw

NOW = T0 + MINUTE


def taking(kind: Kind = Kind.approval, terms: Assessment = MEDIUM, **fields: Any) -> Hold:
    return opened(kind, terms, takes_response=True, **fields)


def respond(hold: Hold, who: Principal = LEAD, text: object = "wait for Monday", **more: Any) -> Step:
    return review(hold, who, Verdict.respond, NOW, answer=text, **more)  # type: ignore[arg-type] - also what is no JSON text


@pytest.mark.parametrize("kind", [Kind.approval, Kind.confirmation, Kind.review])
def test_a_response_settles_the_hold_with_words_and_nothing_can_be_redeemed(kind: Kind) -> None:
    hold, events = respond(taking(kind))
    assert (hold.status, hold.decision and hold.decision.answer) == (Status.answered, "wait for Monday")
    assert [event.type for event in events] == ["hold.reviewed", "hold.decided"]
    assert (events[0].data["verdict"], events[0].data["reason"]) == ("respond", "wait for Monday")
    assert (events[1].data["outcome"], events[1].data["answer"]) == ("answered", "wait for Monday")
    assert not hold.approvers
    with pytest.raises(errors.NotApproved):
        redeem(hold, AGENT.id, hold.digest, "k", MEDIUM, NOW, roles_now={})
    with pytest.raises(errors.NothingToWithdraw):
        withdraw(hold, LEAD, NOW)


@pytest.mark.parametrize("kind", Kind)
def test_nobody_responds_where_the_opener_takes_no_words(kind: Kind) -> None:
    with pytest.raises(errors.WrongVerdict) as refused:
        respond(opened(kind))
    assert "respond" not in refused.value.data["allowed"]


def test_what_is_answered_anyway_takes_no_response_in_addition() -> None:
    for what in (question(Kind.input), batch().question):
        with pytest.raises(errors.InvalidField) as refused:
            questions.check_response(what)
        assert refused.value.data == {"field": "takes_response"}
    questions.check_response(question(Kind.confirmation, action=None))


def test_it_is_not_part_of_the_digest() -> None:
    assert taking().digest == opened().digest


@pytest.mark.parametrize(
    ("who", "error"),
    [
        (AGENT, errors.NotAPerson),
        (DEVELOPER, errors.WrongRole),
        (STARTER, errors.OwnRequest),
        (replace(LEAD, active=False), errors.Forbidden),
    ],
)
def test_who_may_not_reject_may_not_respond(who: Principal, error: type[errors.Rejected]) -> None:
    for verdict in (Verdict.reject, Verdict.respond):
        with pytest.raises(error):
            review(taking(), who, verdict, NOW, answer="x" if verdict is Verdict.respond else None)


def test_like_a_rejection_it_needs_neither_justification_nor_ones_own_credential() -> None:
    lent = Credential("token", UUID(int=7), frozenset(), Provenance(made_by=CTO.id))
    strict = replace(CRITICAL, requirements=replace(CRITICAL.requirements, own_credential=True, passkey=True))
    hold = taking(terms=strict)
    with pytest.raises(errors.CredentialNotOwn):
        review(hold, TECH, Verdict.approve, NOW, reason="seen", credential=lent)
    assert respond(hold, TECH, credential=lent).hold.status is Status.answered


def test_one_person_is_enough_where_one_rejection_is() -> None:
    assert respond(taking(terms=HIGH), LEAD).hold.status is Status.answered


def test_it_counts_as_one_rejection_where_several_are_needed() -> None:
    terms = replace(MEDIUM, requirements=replace(ONE_LEAD, rejections=2))
    hold, events = respond(taking(terms=terms))
    assert hold.pending and [event.type for event in events] == ["hold.reviewed"]
    assert [(r.verdict, r.reason) for r in hold.reviews] == [(Verdict.respond, "wait for Monday")]
    assert respond(hold) == Step(hold, ())
    other_words = respond(hold, text="or Tuesday").hold
    assert [r.reason for r in other_words.reviews] == ["or Tuesday"]
    answered = respond(hold, LEAD_2, "never").hold
    assert answered.decision is not None
    assert (answered.status, answered.decision.reason, answered.decision.answer) == (Status.answered, None, "never")
    rejected = review(hold, LEAD_2, Verdict.reject, NOW, reason="no").hold
    assert rejected.decision is not None
    assert (rejected.status, rejected.decision.reason, rejected.decision.answer) == (Status.rejected, "no", None)


def test_a_response_replaces_ones_own_approval() -> None:
    yes = review(taking(terms=HIGH), LEAD, Verdict.approve, NOW).hold
    assert yes.pending and LEAD.id in yes.approvers
    back = respond(yes).hold
    assert (back.status, back.approvers) == (Status.answered, {})


@pytest.mark.parametrize("text", [None, "", "  \n", 3, ["wait"], {"message": "wait"}, "x" * (LONGEST_RESPONSE + 1)])
def test_only_words_are_a_response(text: object) -> None:
    with pytest.raises(errors.AnswerMismatch):
        respond(taking(), text=text)


def test_a_response_says_nothing_twice() -> None:
    with pytest.raises(errors.InvalidField) as refused:
        respond(taking(), reason="because")
    assert refused.value.data == {"field": "reason"}


def test_it_answers_exactly_the_revision_that_was_seen() -> None:
    hold = taking()
    amended = amend(hold, LEAD, Action("deploy", {"version": "2.15"}, "staging"), MEDIUM, NOW).hold
    with pytest.raises(errors.StaleDigest):
        respond(amended, LEAD_2, digest=hold.digest)
    with pytest.raises(errors.DigestRequired):
        respond(amended, LEAD_2)
    assert respond(amended, LEAD_2, digest=amended.digest).hold.status is Status.answered


def test_the_second_answer_is_told_who_was_first() -> None:
    done = respond(taking()).hold
    for verdict in (Verdict.approve, Verdict.reject, Verdict.respond):
        with pytest.raises(errors.AlreadyDecided) as refused:
            review(done, LEAD_2, verdict, NOW, answer="late")
        assert (refused.value.data["outcome"], refused.value.data["decided_by"]) == ("answered", str(LEAD.id))


def test_a_grants_terms_take_no_words() -> None:
    terms = question(action=Action(GRANT, {}))
    with pytest.raises(errors.WrongVerdict):
        respond(open_(asked(terms, origin="grant")).hold)


def test_row_and_events_agree_on_a_response() -> None:
    opening = open_(asked(question(), takes_response=True))
    settled = respond(opening.hold)
    said = [(opening, T0), (settled, NOW)]
    records = [Record.of(e.type, e.actor, at, e.data) for step, at in said for e in step.events]
    assert agreement.compare(settled.hold, records) == Agreement()
    forged = replace(settled.hold, status=Status.approved)
    assert [each.what for each in agreement.compare(forged, records).differences] == ["status"]
