"""Reviews: approve, reject, answer, and the decision where the thresholds are met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from unit.core.samples import (
    AGENT,
    BOTH,
    CRITICAL,
    CTO,
    DEVELOPER,
    HIGH,
    ITEMS,
    LEAD,
    LEAD_2,
    LOW,
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

from handrail.core import errors
from handrail.core.canonical import Json
from handrail.core.holds import Action, Hold, ItemDecision, Kind, Review, Status, Verdict
from handrail.core.people import Principal
from handrail.core.risk import Requirements
from handrail.core.transitions import Step, amend, cancel, expire, open_, review

NOW = T0 + MINUTE
OTHER = Action("deploy", {"version": "2.13"}, "staging")
THREE_AGAINST = replace(MEDIUM, requirements=replace(ONE_LEAD, approvals=3, rejections=3))


def approve(hold: Hold, who: Principal, reason: str | None = None, digest: str | None = None) -> Step:
    return review(hold, who, Verdict.approve, NOW, reason=reason, digest=digest)


def reject(hold: Hold, who: Principal, reason: str | None = None) -> Step:
    return review(hold, who, Verdict.reject, NOW, reason=reason)


def types(step: Step) -> list[str]:
    return [event.type for event in step.events]


@pytest.mark.parametrize("kind", [Kind.approval, Kind.confirmation, Kind.review])
@pytest.mark.parametrize(
    ("verdict", "outcome"), [(Verdict.approve, Status.approved), (Verdict.reject, Status.rejected)]
)
def test_one_person_decides_where_one_is_enough(kind: Kind, verdict: Verdict, outcome: Status) -> None:
    hold = opened(kind)
    step = review(hold, LEAD, verdict, NOW, digest=hold.digest, reason="because")
    assert step.hold.status is outcome
    decision = step.hold.decision
    assert decision is not None
    assert (decision.outcome, decision.basis, decision.by, decision.at, decision.reason) == (
        outcome, "people", LEAD.id, NOW, "because",
    )  # fmt: skip
    assert step.hold.reviews == (Review(LEAD.id, LEAD.roles, verdict, NOW, "because"),)
    assert types(step) == ["hold.reviewed", "hold.decided"]
    assert {event.actor for event in step.events} == {LEAD.id}


def test_two_people_where_two_are_needed() -> None:
    first = approve(opened(assessment=HIGH), LEAD)
    assert (first.hold.status, types(first)) == (Status.pending, ["hold.reviewed"])
    assert (first.events[0].data["approvals"], first.events[0].data["approvals_needed"]) == (1, 2)
    same_group = approve(first.hold, LEAD_2)
    assert same_group.hold.status is Status.pending
    second = approve(same_group.hold, CTO)
    assert second.hold.status is Status.approved
    assert set(second.hold.approvers) == {LEAD.id, LEAD_2.id, CTO.id}


def test_one_person_with_two_roles_is_one_person() -> None:
    first = approve(opened(assessment=CRITICAL), BOTH, "checked").hold
    assert first.status is Status.pending
    assert approve(first, CTO, "checked too").hold.status is Status.approved


def test_roles_count_as_they_were_at_the_review() -> None:
    pending = approve(opened(assessment=HIGH), CTO).hold
    assert pending.approvers == {CTO.id: frozenset({"cto"})}
    assert approve(pending, LEAD).hold.status is Status.approved


def test_a_person_with_a_new_role_may_say_yes_again_with_it() -> None:
    pending = approve(approve(opened(assessment=HIGH), LEAD).hold, LEAD_2).hold
    promoted = replace(LEAD, roles=frozenset({"cto"}))
    step = approve(pending, promoted)
    assert step.hold.status is Status.approved
    assert step.hold.approvers == {LEAD_2.id: LEAD_2.roles, LEAD.id: promoted.roles}


def test_a_changed_role_replaces_the_review_before_a_decision_too() -> None:
    pending = approve(opened(assessment=HIGH), LEAD).hold
    promoted = replace(LEAD, roles=frozenset({"cto"}))
    step = approve(pending, promoted)
    assert step.hold.approvers == {LEAD.id: promoted.roles}
    assert types(step) == ["hold.reviewed"]


@pytest.mark.parametrize("verdict", [Verdict.approve, Verdict.reject])
def test_the_same_say_again_changes_nothing(verdict: Verdict) -> None:
    pending = review(opened(assessment=THREE_AGAINST), LEAD, verdict, NOW).hold
    assert review(pending, LEAD, verdict, NOW + MINUTE, reason="again") == Step(pending, ())


def test_a_person_may_change_their_mind_while_the_hold_is_pending() -> None:
    hold = opened(assessment=THREE_AGAINST)
    no = reject(hold, LEAD).hold
    yes = approve(no, LEAD).hold
    assert [(r.by, r.verdict) for r in yes.reviews] == [(LEAD.id, Verdict.approve)]
    back = reject(yes, LEAD).hold
    assert [(r.by, r.verdict) for r in back.reviews] == [(LEAD.id, Verdict.reject)]
    assert back.status is Status.pending


def test_rejections_need_their_own_number_of_people() -> None:
    hold = reject(reject(opened(assessment=THREE_AGAINST), LEAD).hold, LEAD).hold
    hold = reject(hold, LEAD_2).hold
    assert hold.status is Status.pending
    step = reject(hold, replace(LEAD, id=DEVELOPER.id), "third")
    assert step.hold.status is Status.rejected
    assert step.hold.decision is not None
    assert step.hold.decision.by == DEVELOPER.id


def test_approvals_of_others_do_not_shield_from_a_rejection() -> None:
    hold = approve(opened(assessment=HIGH), LEAD).hold
    assert reject(hold, CTO).hold.status is Status.rejected


@pytest.mark.parametrize("reason", [None, "", "  \n"])
def test_a_justification_is_needed_to_approve_and_not_to_reject(reason: str | None) -> None:
    hold = opened(assessment=CRITICAL)
    with pytest.raises(errors.JustificationRequired):
        approve(hold, CTO, reason)
    assert reject(hold, CTO, reason).hold.status is Status.rejected


@pytest.mark.parametrize("who", [AGENT, DEVELOPER, STARTER, replace(LEAD, active=False)])
@pytest.mark.parametrize("verdict", Verdict)
def test_who_may_not_decide_may_not_review_either(who: Principal, verdict: Verdict) -> None:
    hold = opened()
    with pytest.raises(errors.Forbidden):
        review(hold, who, verdict, NOW, digest=hold.digest)
    with pytest.raises(errors.Forbidden):
        amend(hold, who, OTHER, LOW, NOW, digest=hold.digest)


@pytest.mark.parametrize("verdict", [Verdict.approve, Verdict.reject])
def test_a_stale_digest_is_refused_and_told_the_present_one(verdict: Verdict) -> None:
    hold = opened()
    with pytest.raises(errors.StaleDigest) as refused:
        review(hold, LEAD, verdict, NOW, digest="0" * 64)
    assert refused.value.data == {"digest": hold.digest, "revision": 1}


DECIDED: dict[str, Callable[[Hold], Step]] = {
    "approved": lambda hold: approve(hold, LEAD),
    "rejected": lambda hold: reject(hold, LEAD),
    "cancelled": lambda hold: cancel(hold, AGENT.id, NOW),
    "expired": lambda hold: expire(hold, NOW),
}


@pytest.mark.parametrize("outcome", DECIDED)
def test_a_decided_hold_takes_no_further_review_and_says_who_decided_and_when(outcome: str) -> None:
    decided = DECIDED[outcome](opened()).hold
    assert decided.decision is not None
    by = str(decided.decision.by) if decided.decision.by else None
    for again in (approve, reject):
        with pytest.raises(errors.AlreadyDecided) as refused:
            again(decided, LEAD_2)
        assert refused.value.data == {
            "outcome": outcome, "decided_at": NOW.isoformat(), "decided_by": by, "basis": decided.decision.basis,
        }  # fmt: skip
    with pytest.raises(errors.AlreadyDecided):
        amend(decided, LEAD_2, OTHER, LOW, NOW)
    with pytest.raises(errors.AlreadyDecided):
        cancel(decided, AGENT.id, NOW)
    with pytest.raises(errors.AlreadyDecided):
        expire(decided, NOW)


@pytest.mark.parametrize(("on_expiry", "outcome"), [("expire", "expired"), ("reject", "rejected")])
def test_a_review_after_the_deadline_finds_the_hold_expired_before_any_sweep(on_expiry: str, outcome: str) -> None:
    hold = opened(assessment=replace(MEDIUM, timeout=MINUTE), on_expiry=on_expiry)
    assert review(hold, LEAD, Verdict.approve, NOW - MINUTE / 60).hold.status is Status.approved
    commands: list[Callable[[], Step]] = [
        lambda: approve(hold, LEAD),
        lambda: reject(hold, LEAD),
        lambda: amend(hold, LEAD, OTHER, LOW, NOW),
        lambda: cancel(hold, AGENT.id, NOW),
    ]
    for command in commands:
        with pytest.raises(errors.AlreadyDecided) as refused:
            command()
        assert refused.value.data["outcome"] == outcome
        assert refused.value.data["basis"] == "expiry"
        assert refused.value.data["decided_at"] == NOW.isoformat()


ALLOWED = {
    Kind.approval: {Verdict.approve, Verdict.reject, Verdict.amend},
    Kind.confirmation: {Verdict.approve, Verdict.reject, Verdict.amend},
    Kind.review: {Verdict.approve, Verdict.reject, Verdict.amend},
    Kind.input: {Verdict.answer},
}


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("verdict", Verdict)
def test_each_kind_takes_its_own_verdicts(kind: Kind, verdict: Verdict) -> None:
    hold = opened(kind)
    if verdict not in ALLOWED[kind]:
        with pytest.raises(errors.WrongVerdict) as refused:
            review(hold, LEAD, verdict, NOW, answer="text")
        assert refused.value.data == {"allowed": sorted(ALLOWED[kind])}
    elif verdict is Verdict.amend:
        with pytest.raises(errors.MissingField, match="amended"):
            review(hold, LEAD, verdict, NOW)
    else:
        answer = "text" if verdict is Verdict.answer else None
        assert review(hold, LEAD, verdict, NOW, answer=answer).hold.decision is not None


@pytest.mark.parametrize("verdict", [Verdict.approve, Verdict.reject])
def test_an_answer_is_not_silently_dropped(verdict: Verdict) -> None:
    with pytest.raises(errors.InvalidField):
        review(opened(), LEAD, verdict, NOW, answer="only in staging")
    with pytest.raises(errors.InvalidField):
        review(opened(), LEAD, verdict, NOW, items=[ItemDecision("a", True)])


@pytest.mark.parametrize("who", [LEAD, replace(STARTER, roles=frozenset[str]())])
@pytest.mark.parametrize(("schema", "answer"), [(None, "the night"), ({"enum": ["day", "night"]}, "night")])
def test_an_input_is_answered_by_one_person(who: Principal, schema: Json, answer: Json) -> None:
    hold = open_(asked(question(Kind.input, schema=schema), HIGH)).hold
    step = review(hold, who, Verdict.answer, NOW, answer=answer, reason="why not")
    assert step.hold.status is Status.answered
    decision = step.hold.decision
    assert decision is not None
    assert (decision.answer, decision.by, decision.basis, decision.items) == (answer, who.id, "people", ())
    assert types(step) == ["hold.reviewed", "hold.decided"]
    assert step.events[1].data["answer"] == answer


def test_an_answer_that_does_not_fit_leaves_the_hold_pending() -> None:
    hold = open_(asked(question(Kind.input, schema={"type": "integer"}))).hold
    with pytest.raises(errors.AnswerMismatch):
        review(hold, LEAD, Verdict.answer, NOW, answer="three")
    with pytest.raises(errors.InvalidField):
        review(hold, LEAD, Verdict.answer, NOW, answer=3, items=[ItemDecision("a", True)])


def items(**decisions: bool) -> list[ItemDecision]:
    return [ItemDecision(item_id, approved) for item_id, approved in decisions.items()]


def test_a_batch_is_answered_item_by_item_in_one_request() -> None:
    step = review(batch(), LEAD, Verdict.answer, NOW, items=[ItemDecision("b", False, "no"), ItemDecision("a", True)])
    assert step.hold.status is Status.answered
    assert step.hold.decision is not None
    assert step.hold.decision.items == (ItemDecision("b", False, "no"), ItemDecision("a", True))
    assert step.events[-1].data["items"] == [
        {"item_id": "b", "approved": False, "reason": "no"},
        {"item_id": "a", "approved": True, "reason": None},
    ]


@pytest.mark.parametrize(
    ("given", "error", "data"),
    [
        ([], errors.PartialBatch, {"missing": ["a", "b"]}),
        (items(a=True), errors.PartialBatch, {"missing": ["b"]}),
        (items(a=True, b=True, c=True), errors.InvalidField, {"field": "items", "unknown": ["c"]}),
        ([*items(a=True, b=True), ItemDecision("a", False)], errors.InvalidField, {"field": "items"}),
    ],
)
def test_a_batch_is_decided_whole_or_not_at_all(
    given: list[ItemDecision], error: type[errors.Rejected], data: dict[str, object]
) -> None:
    with pytest.raises(error) as refused:
        review(batch(), LEAD, Verdict.answer, NOW, items=given)
    assert refused.value.data == data


@pytest.mark.parametrize("verdict", [Verdict.approve, Verdict.reject, Verdict.amend])
def test_a_batch_takes_only_answers(verdict: Verdict) -> None:
    with pytest.raises(errors.WrongVerdict, match="a batch accepts answer"):
        review(batch(), LEAD, verdict, NOW)


def test_a_batch_takes_no_other_answer_beside_its_items() -> None:
    with pytest.raises(errors.InvalidField):
        review(batch(), LEAD, Verdict.answer, NOW, items=items(a=True, b=True), answer="all")


def test_a_batch_needs_its_justification_where_any_item_is_approved() -> None:
    strict = batch(replace(MEDIUM, requirements=replace(ONE_LEAD, justification=True)))
    with pytest.raises(errors.JustificationRequired):
        review(strict, LEAD, Verdict.answer, NOW, items=items(a=False, b=True))
    assert review(strict, LEAD, Verdict.answer, NOW, items=items(a=False, b=False)).hold.decision is not None
    assert review(strict, LEAD, Verdict.answer, NOW, items=items(a=True, b=True), reason="seen").hold.decision


def test_the_requester_cannot_decide_a_batch_of_high_level() -> None:
    assessment = replace(HIGH, requirements=Requirements(1, HIGH.requirements.roles))
    hold = open_(asked(question(Kind.confirmation, items=ITEMS), assessment)).hold
    with pytest.raises(errors.OwnRequest):
        review(hold, STARTER, Verdict.answer, NOW, items=items(a=True, b=True))
    assert review(hold, TECH, Verdict.answer, NOW, items=items(a=True, b=True)).hold.status is Status.answered
