"""What happens to a hold besides reviews: amend, withdraw, redeem, result, cancel, escalate, expire."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.core.samples import (
    AGENT,
    BOTH,
    CRITICAL,
    CTO,
    DEPLOY,
    HIGH,
    LEAD,
    LEAD_2,
    LOW,
    MEDIUM,
    MINUTE,
    ONE_LEAD,
    STARTER,
    T0,
    TECH,
    TECH_AND_CTO,
    TWO_OF_THREE,
    asked,
    batch,
    opened,
    question,
)

from handrail.core import errors
from handrail.core.amendments import changes
from handrail.core.canonical import Json
from handrail.core.holds import Action, Hold, Kind, Redemption, Result, Status, Verdict
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal
from handrail.core.risk import Assessment, Requirements
from handrail.core.transitions import (
    Step,
    amend,
    cancel,
    escalate,
    expire,
    open_,
    record_result,
    review,
    withdraw,
)
from handrail.core.transitions import redeem as redeem_with

NOW = T0 + MINUTE
LATER = NOW + MINUTE
SMALLER = Action("deploy", {"version": "2.13"}, "staging")
HIGH_BY_ONE = replace(HIGH, requirements=replace(TWO_OF_THREE, approvals=1))
MAY_DECIDE = replace(ONE_LEAD, requester_may_decide=True)
ANY_LEAD = Requirements(1, frozenset({"team_lead", "tech_lead"}))


def redeem(hold: Hold, who: PrincipalId, digest: str, key: str, current: Assessment, now: datetime) -> Step:
    """While every approver still has the roles that they approved with."""
    return redeem_with(hold, who, digest, key, current, now, roles_now=hold.approvers)


def approve(hold: Hold, who: Principal, reason: str | None = None) -> Hold:
    return review(hold, who, Verdict.approve, NOW, digest=hold.digest, reason=reason).hold


def approved(kind: Kind = Kind.approval, assessment: Assessment = MEDIUM, *by: Principal) -> Hold:
    hold = opened(kind, assessment)
    for who in by or (LEAD,):
        hold = approve(hold, who)
    assert hold.status is Status.approved
    return hold


def types(step: Step) -> list[str]:
    return [event.type for event in step.events]


# Amending


def test_an_amendment_is_the_next_revision_with_its_own_digest() -> None:
    before = approve(opened(assessment=HIGH), LEAD)
    step = amend(before, CTO, SMALLER, HIGH, NOW, digest=before.digest, reason="the older one")
    after = step.hold
    assert (after.revision, after.question.action) == (2, SMALLER)
    assert after.digest == after.question.digest() != before.digest
    assert after.approvers == {CTO.id: CTO.roles}
    assert types(step) == ["hold.amended"]
    assert step.events[0].actor == CTO.id
    assert step.events[0].data == {
        "revision": 2, "digest": after.digest, "previous_digest": before.digest, "reason": "the older one",
        "changes": [{"path": "args.version", "from": "2.14", "to": "2.13"}], "counts_as_approval": True,
        "credential": None, "risk": "high", "rules": [], "policy_version": 0,
    }  # fmt: skip


def test_an_amendment_never_approves_by_itself_and_the_amender_may_then_approve_it() -> None:
    for assessment in (MEDIUM, LOW):
        amended = amend(opened(), LEAD, SMALLER, assessment, NOW).hold
        assert (amended.status, amended.decision) == (Status.pending, None)
        step = review(amended, LEAD, Verdict.approve, LATER, digest=amended.digest)
        assert step.hold.status is Status.approved
        assert types(step) == ["hold.reviewed", "hold.decided"]


def test_another_person_completes_what_the_amender_began() -> None:
    amended = amend(opened(assessment=HIGH), CTO, SMALLER, HIGH, NOW).hold
    assert approve(amended, CTO).status is Status.pending
    assert approve(amended, LEAD).status is Status.approved


@pytest.mark.parametrize(
    ("before", "after", "who", "counts"),
    [
        (MEDIUM, MEDIUM, LEAD, True),
        (MEDIUM, LOW, LEAD, True),
        (MEDIUM, HIGH, LEAD, False),
        (HIGH, HIGH, CTO, True),
        (HIGH, replace(HIGH, requirements=replace(TWO_OF_THREE, approvals=3)), CTO, False),
        (HIGH, CRITICAL, CTO, False),
    ],
)
def test_it_counts_unless_level_or_requirements_rose(
    before: Assessment, after: Assessment, who: Principal, counts: bool
) -> None:
    step = amend(opened(assessment=before), who, SMALLER, after, NOW, reason="smaller")
    assert (who.id in step.hold.approvers) is counts
    assert step.events[0].data["counts_as_approval"] is counts


def test_four_eyes_are_not_amended_away() -> None:
    """One approver cannot amend the labels until fewer people have to say yes."""
    hold = opened(assessment=CRITICAL)
    for after in (HIGH, MEDIUM, LOW):
        hold = amend(
            hold, CTO, replace(SMALLER, target=after.level.value), after, NOW, digest=hold.digest, reason="x"
        ).hold
        assert hold.assessment.level is CRITICAL.level
        assert hold.assessment.requirements.approvals >= TECH_AND_CTO.approvals
        assert hold.assessment.requirements.justification
        assert not hold.assessment.auto_approve
        assert approve(hold, CTO, "again").status is Status.pending
    back = amend(hold, CTO, DEPLOY, MEDIUM, NOW, digest=hold.digest, reason="x").hold
    assert back.assessment.rules[0].rule == "earlier-revision"


def test_what_was_met_by_an_amended_hold_is_no_less_than_every_revision_asked_for() -> None:
    hold = amend(opened(assessment=HIGH), CTO, SMALLER, MEDIUM, NOW).hold
    hold = approve(approve(hold, LEAD), CTO)
    assert hold.status is Status.approved
    lost = {who: roles for who, roles in hold.approvers.items() if who != CTO.id}
    step = redeem_with(hold, AGENT.id, hold.digest, "k", MEDIUM, LATER, roles_now=lost)
    assert (step.hold.status, step.events[0].data["cause"]) == (Status.pending, "standing")
    assert step.hold.assessment.level is HIGH.level


def test_amending_to_the_same_content_is_refused() -> None:
    with pytest.raises(errors.Unchanged):
        amend(opened(), LEAD, DEPLOY, MEDIUM, NOW)


def test_an_amendment_says_what_it_changed() -> None:
    before = Action("pay", {"to": {"name": "Ada", "iban": "A"}, "amount": 5, "note": None}, "bank")
    after = Action("pay", {"to": {"name": "Ada", "iban": "B"}, "amount": 5, "tags": []}, None)
    assert changes(before, after) == (
        {"path": "target", "from": "bank", "to": None},
        {"path": "args.to.iban", "from": "A", "to": "B"},
        {"path": "args.note", "from": None, "to": None},
        {"path": "args.tags", "from": None, "to": []},
    )


def test_what_carries_no_action_is_neither_amended_nor_redeemed() -> None:
    hold = open_(asked(question(Kind.confirmation, action=None))).hold
    with pytest.raises(errors.WrongVerdict):
        amend(hold, LEAD, DEPLOY, MEDIUM, NOW)
    done = approve(hold, STARTER)
    assert done.status is Status.approved
    with pytest.raises(errors.NothingToRedeem):
        redeem(done, AGENT.id, done.digest, "k", MEDIUM, LATER)


def test_an_approver_who_lost_the_role_or_is_gone_no_longer_counts_when_it_is_used() -> None:
    hold = approved()
    for roles_now in ({}, {LEAD.id: frozenset({"developer"})}):
        step = redeem_with(hold, AGENT.id, hold.digest, "k", MEDIUM, LATER, roles_now=roles_now)
        assert (step.hold.status, step.hold.reviews) == (Status.pending, ())
        assert step.events[0].data["cause"] == "standing"


def test_earlier_approvals_are_of_the_earlier_revision_even_where_the_amender_s_does_not_count() -> None:
    before = approve(opened(assessment=HIGH), CTO)
    assert amend(before, LEAD, SMALLER, CRITICAL, NOW, reason="bigger").hold.reviews == ()


def test_earlier_rejections_are_of_the_earlier_revision() -> None:
    lenient = replace(MEDIUM, requirements=replace(ONE_LEAD, rejections=2))
    once = review(opened(assessment=lenient), LEAD, Verdict.reject, NOW).hold
    amended = amend(once, LEAD_2, SMALLER, lenient, NOW).hold
    assert review(amended, LEAD, Verdict.reject, NOW, digest=amended.digest).hold.status is Status.pending


def test_after_an_amendment_the_digest_must_be_sent() -> None:
    first = opened()
    amended = amend(first, LEAD, SMALLER, MEDIUM, NOW).hold
    with pytest.raises(errors.DigestRequired) as refused:
        review(amended, LEAD_2, Verdict.approve, NOW)
    assert refused.value.data == {"digest": amended.digest, "revision": 2}
    with pytest.raises(errors.StaleDigest):
        review(amended, LEAD_2, Verdict.approve, NOW, digest=first.digest)
    with pytest.raises(errors.StaleDigest):
        amend(amended, LEAD_2, DEPLOY, MEDIUM, NOW, digest=first.digest)
    with pytest.raises(errors.DigestRequired):
        amend(amended, LEAD_2, DEPLOY, MEDIUM, NOW)


def test_the_requester_amends_neither_into_nor_out_of_what_others_must_decide() -> None:
    low = opened(Kind.confirmation, replace(LOW, auto_approve=False))
    assert STARTER.id in amend(low, STARTER, SMALLER, LOW, NOW).hold.approvers
    assert amend(low, STARTER, SMALLER, MEDIUM, NOW).hold.approvers == {}
    for assessment in (MEDIUM, HIGH_BY_ONE):
        with pytest.raises(errors.OwnRequest):
            amend(opened(Kind.confirmation, assessment), STARTER, SMALLER, LOW, NOW)


def test_an_amendment_needs_the_justification_of_what_it_becomes() -> None:
    with pytest.raises(errors.JustificationRequired):
        amend(opened(assessment=HIGH), CTO, SMALLER, CRITICAL, NOW)


def test_inputs_and_batches_are_not_amended() -> None:
    for hold in (opened(Kind.input), batch()):
        with pytest.raises(errors.WrongVerdict):
            amend(hold, LEAD, SMALLER, MEDIUM, NOW)


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (Action("", {}), errors.InvalidField),
        (Action("deploy", {"n": float("nan")}), errors.NumberOutOfRange),
        (Action("deploy", {}, "a\x00"), errors.NulByte),
    ],
)
def test_an_amended_action_is_checked_like_an_opened_one(action: Action, error: type[errors.Rejected]) -> None:
    with pytest.raises(error):
        amend(opened(), LEAD, action, MEDIUM, NOW)


def test_an_amendment_gets_the_deadlines_of_its_assessment_and_the_one_asked_for_stays() -> None:
    timed = replace(MEDIUM, timeout=10 * MINUTE, escalate_after=5 * MINUTE)
    hold = opened(assessment=timed, asked_expiry=T0 + 8 * MINUTE)
    hold = escalate(hold, T0 + 5 * MINUTE).hold
    amended = amend(hold, LEAD, SMALLER, timed, T0 + 6 * MINUTE).hold
    assert (amended.expires_at, amended.escalate_at) == (T0 + 8 * MINUTE, T0 + 11 * MINUTE)
    assert amended.escalated_at is None


# Withdrawing


def test_a_withdrawn_approval_opens_the_hold_again() -> None:
    step = withdraw(approved(), LEAD, LATER, "wrong window")
    assert (step.hold.status, step.hold.decision, step.hold.reviews) == (Status.pending, None, ())
    assert types(step) == ["hold.withdrawn", "hold.reopened"]
    assert step.events[0].data == {"digest": step.hold.digest, "reason": "wrong window"}
    assert step.events[1].data == {"cause": "withdrawn", "digest": step.hold.digest}
    assert approve(step.hold, LEAD_2).status is Status.approved


def test_any_of_the_approvers_may_withdraw_and_the_others_stay() -> None:
    hold = withdraw(approved(Kind.approval, HIGH, LEAD, CTO), CTO, LATER).hold
    assert hold.approvers == {LEAD.id: LEAD.roles}
    assert approve(hold, TECH).status is Status.approved


def test_a_decision_does_not_stand_on_the_approvals_that_are_left() -> None:
    amended = amend(opened(), LEAD, SMALLER, MEDIUM, NOW).hold
    hold = withdraw(approve(amended, LEAD_2), LEAD_2, LATER).hold
    assert (hold.status, list(hold.approvers)) == (Status.pending, [LEAD.id])
    assert approve(hold, LEAD).status is Status.approved


def test_an_approval_of_a_pending_hold_is_withdrawn_too() -> None:
    step = withdraw(approve(opened(assessment=HIGH), LEAD), LEAD, LATER)
    assert (step.hold.status, step.hold.reviews, types(step)) == (Status.pending, (), ["hold.withdrawn"])


def test_there_must_be_an_own_approval_that_stands() -> None:
    rejected = review(opened(), LEAD, Verdict.reject, NOW).hold
    by_policy = open_(asked(question(), LOW)).hold
    half_then_expired = expire(approve(opened(assessment=HIGH), LEAD), NOW).hold
    for hold, who in [
        (opened(), LEAD),
        (approved(), LEAD_2),
        (approved(), AGENT),
        (rejected, LEAD),
        (by_policy, LEAD),
        (half_then_expired, LEAD),
    ]:
        with pytest.raises(errors.NothingToWithdraw):
            withdraw(hold, who, LATER)


def test_a_redeemed_approval_is_not_withdrawn() -> None:
    hold = approved()
    used = redeem(hold, AGENT.id, hold.digest, "k", MEDIUM, LATER).hold
    with pytest.raises(errors.AlreadyRedeemed):
        withdraw(used, LEAD, LATER)


# Redeeming


def test_an_approval_is_redeemed_once_and_the_same_key_gets_the_same_answer() -> None:
    hold = approved()
    step = redeem(hold, AGENT.id, hold.digest, "k", MEDIUM, LATER)
    assert step.hold == replace(hold, redemption=Redemption("k", AGENT.id, LATER))
    assert [(event.type, event.actor) for event in step.events] == [("hold.redeemed", AGENT.id)]
    assert redeem(step.hold, AGENT.id, hold.digest, "k", CRITICAL, LATER + MINUTE) == Step(step.hold, ())
    with pytest.raises(errors.AlreadyRedeemed):
        redeem(step.hold, AGENT.id, hold.digest, "other", MEDIUM, LATER)
    with pytest.raises(errors.StaleDigest):
        redeem(step.hold, AGENT.id, "0" * 64, "k", MEDIUM, LATER)


def test_a_changed_digest_is_refused() -> None:
    with pytest.raises(errors.StaleDigest):
        redeem(approved(), AGENT.id, "0" * 64, "k", MEDIUM, LATER)


def test_only_an_approved_hold_is_redeemed() -> None:
    answered = review(opened(Kind.input), LEAD, Verdict.answer, NOW, answer="yes").hold
    for hold in (
        opened(),
        answered,
        review(opened(), LEAD, Verdict.reject, NOW).hold,
        expire(opened(), NOW).hold,
        cancel(opened(), AGENT.id, NOW).hold,
        withdraw(approved(), LEAD, NOW).hold,
    ):
        with pytest.raises(errors.NotApproved) as refused:
            redeem(hold, AGENT.id, hold.digest, "k", MEDIUM, LATER)
        assert refused.value.data == {"status": hold.status.value}


def test_an_approval_by_policy_is_redeemed_while_policy_still_gives_it() -> None:
    hold = open_(asked(question(), LOW)).hold
    assert redeem(hold, AGENT.id, hold.digest, "k", LOW, LATER).hold.redemption is not None
    step = redeem(hold, AGENT.id, hold.digest, "k", MEDIUM, LATER)
    assert (step.hold.status, step.hold.redemption, step.hold.assessment) == (Status.pending, None, MEDIUM)


STRICTER = {
    "more people": replace(MEDIUM, requirements=replace(ONE_LEAD, approvals=2)),
    "other roles": replace(MEDIUM, requirements=Requirements(1, frozenset({"cto"}))),
    "a required group": replace(MEDIUM, requirements=replace(ANY_LEAD, required=(frozenset({"tech_lead"}),))),
    "a justification": replace(MEDIUM, requirements=replace(ONE_LEAD, justification=True)),
    "a higher level that asks for more": HIGH,
}


@pytest.mark.parametrize("what", STRICTER)
def test_a_policy_that_became_stricter_voids_the_approval(what: str) -> None:
    current = replace(STRICTER[what], timeout=10 * MINUTE, escalate_after=5 * MINUTE, policy_version=2)
    hold = approved()
    step = redeem(hold, AGENT.id, hold.digest, "k", current, LATER)
    assert (step.hold.status, step.hold.decision, step.hold.redemption) == (Status.pending, None, None)
    assert step.hold.assessment == current
    assert (step.hold.expires_at, step.hold.escalate_at) == (LATER + 10 * MINUTE, LATER + 5 * MINUTE)
    assert types(step) == ["hold.reopened"]
    assert step.events[0].actor is None
    assert step.events[0].data["cause"] == "policy"
    assert step.events[0].data["policy_version"] == 2


@pytest.mark.parametrize(
    "current",
    [
        LOW,
        replace(MEDIUM, policy_version=9),
        replace(MEDIUM, requirements=ANY_LEAD),
        replace(HIGH, requirements=ONE_LEAD),
    ],
)
def test_a_policy_that_asks_for_no_more_than_was_given_does_not(current: Assessment) -> None:
    hold = approved()
    assert redeem(hold, AGENT.id, hold.digest, "k", current, LATER).hold.redemption is not None


def test_what_was_given_still_counts_after_the_void() -> None:
    hold = approved()
    reopened = redeem(hold, AGENT.id, hold.digest, "k", HIGH, LATER).hold
    assert list(reopened.approvers) == [LEAD.id]
    assert approve(reopened, CTO).status is Status.approved


def test_a_requester_s_own_yes_does_not_survive_a_rise() -> None:
    hold = approved(Kind.confirmation, replace(MEDIUM, requirements=MAY_DECIDE), STARTER)
    reopened = redeem(hold, AGENT.id, hold.digest, "k", replace(HIGH, requirements=MAY_DECIDE), LATER).hold
    assert (reopened.status, reopened.reviews) == (Status.pending, ())
    two = redeem(hold, AGENT.id, hold.digest, "k", HIGH, LATER).hold
    assert approve(two, CTO).status is Status.pending


def test_a_yes_without_a_justification_is_given_again_with_one() -> None:
    hold = approved()
    reopened = redeem(hold, AGENT.id, hold.digest, "k", STRICTER["a justification"], LATER).hold
    with pytest.raises(errors.JustificationRequired):
        approve(reopened, LEAD)
    assert approve(reopened, LEAD, "checked").status is Status.approved


def test_a_confirmation_is_not_redeemed_on_policy_alone() -> None:
    hold = approved(Kind.confirmation)
    asks_cto = replace(LOW, requirements=Requirements(1, frozenset({"cto"})))
    assert redeem(hold, AGENT.id, hold.digest, "k", asks_cto, LATER).hold.status is Status.pending


# Results


Outcome = Literal["succeeded", "failed", "unknown"]


@pytest.mark.parametrize("outcome", ["succeeded", "failed", "unknown"])
@pytest.mark.parametrize("detail", [None, {"rows": 3}])
def test_a_result_is_recorded_once(outcome: Outcome, detail: Json) -> None:
    hold = approved()
    with pytest.raises(errors.NotRedeemed):
        record_result(hold, AGENT.id, Result(outcome, LATER, detail))
    used = redeem(hold, AGENT.id, hold.digest, "k", MEDIUM, LATER).hold
    result = Result(outcome, LATER, detail)
    step = record_result(used, AGENT.id, result)
    assert step.hold == replace(used, result=result)
    assert step.events[0].type == "hold.resulted"
    assert step.events[0].data == {"outcome": outcome, "detail": detail, "digest": hold.digest}
    assert record_result(step.hold, AGENT.id, replace(result, at=LATER + MINUTE)) == Step(step.hold, ())
    with pytest.raises(errors.ResultRecorded):
        record_result(step.hold, AGENT.id, replace(result, detail="another"))


# Cancelling


def test_the_requester_no_longer_asks() -> None:
    step = cancel(approve(opened(assessment=HIGH), LEAD), AGENT.id, NOW, "obsolete")
    assert step.hold.status is Status.cancelled
    assert step.hold.decision is not None
    assert (step.hold.decision.basis, step.hold.decision.by, step.hold.decision.reason) == (
        "requester", AGENT.id, "obsolete",
    )  # fmt: skip
    assert [(event.type, event.actor) for event in step.events] == [("hold.decided", AGENT.id)]


# The clock

TIMED = replace(MEDIUM, timeout=20 * MINUTE, escalate_after=5 * MINUTE, escalate_to=frozenset({"cto", "team_lead"}))


@pytest.mark.parametrize(
    ("minutes", "due"), [(0, None), (4.99, None), (5, "escalate"), (9, "escalate"), (20, "escalate"), (600, "escalate")]
)
def test_escalation_comes_before_expiry_however_late_it_is(minutes: float, due: str | None) -> None:
    hold = opened(assessment=TIMED)
    assert hold.due(T0 + minutes * MINUTE) == due


@pytest.mark.parametrize(("minutes", "due"), [(5, None), (19.99, None), (20, "expire"), (600, "expire")])
def test_then_it_expires(minutes: float, due: str | None) -> None:
    hold = escalate(opened(assessment=TIMED), T0 + 5 * MINUTE).hold
    assert hold.due(T0 + minutes * MINUTE) == due


def test_without_deadlines_or_with_a_decision_nothing_is_due() -> None:
    assert opened().due(T0 + 10**6 * MINUTE) is None
    assert approve(opened(assessment=TIMED), LEAD).due(T0 + 600 * MINUTE) is None
    assert opened(assessment=replace(TIMED, escalate_after=None)).due(T0 + 20 * MINUTE) == "expire"


def test_escalation_adds_approvers_and_lowers_nothing() -> None:
    step = escalate(opened(assessment=TIMED), T0 + 5 * MINUTE)
    hold = step.hold
    assert hold.assessment.requirements == replace(ONE_LEAD, roles=frozenset({"team_lead", "cto"}))
    assert hold.escalated_at == T0 + 5 * MINUTE
    assert hold.expires_at == T0 + 20 * MINUTE
    assert [(event.type, event.actor) for event in step.events] == [("hold.escalated", None)]
    assert step.events[0].data == {
        "added_roles": ["cto"], "digest": hold.digest, "expires_at": "2026-01-01T12:20:00+00:00",
    }  # fmt: skip
    assert escalate(hold, T0 + 7 * MINUTE) == Step(hold, ())
    with pytest.raises(errors.AlreadyDecided):
        escalate(approve(opened(assessment=TIMED), LEAD), T0 + 6 * MINUTE)


@pytest.mark.parametrize(
    ("timeout", "asked_for", "told", "expires"),
    [
        (20, None, 5, 20),
        (20, None, 6, 21),
        (20, None, 19, 34),
        (20, None, 600, 615),
        (12, None, 5, 15),
        (12, None, 600, 610),
        (600, 40, 5, 40),
        (600, 40, 100, 135),
        (600, 8, 5, 15),
        (None, 40, 100, 135),
        (None, None, 100, None),
    ],
)
def test_those_whom_an_escalation_adds_have_the_time_that_was_meant_for_them(
    timeout: int | None, asked_for: int | None, told: int, expires: int | None
) -> None:
    timed = replace(TIMED, timeout=timeout and timeout * MINUTE)
    hold = opened(assessment=timed, asked_expiry=asked_for and T0 + asked_for * MINUTE)
    assert hold.due(T0 + told * MINUTE) == "escalate"
    escalated = escalate(hold, T0 + told * MINUTE).hold
    assert escalated.expires_at == (expires and T0 + expires * MINUTE)


def test_an_expiry_that_was_to_come_before_the_escalation_is_not_put_off_by_it() -> None:
    for asked_for in (4, 5):
        hold = opened(assessment=TIMED, asked_expiry=T0 + asked_for * MINUTE)
        assert hold.due(T0 + 600 * MINUTE) == "expire"


def test_until_the_overdue_escalation_is_told_the_hold_is_decided_on_as_before() -> None:
    late = T0 + 600 * MINUTE
    assert review(opened(assessment=TIMED), LEAD, Verdict.approve, late).hold.status is Status.approved
    assert cancel(opened(assessment=TIMED), AGENT.id, late).hold.status is Status.cancelled
    with pytest.raises(errors.WrongRole):
        review(opened(assessment=TIMED), CTO, Verdict.approve, late)


minutes = st.integers(1, 1000)


@given(timeout=st.none() | minutes, wait=minutes, asked_for=st.none() | minutes, late=st.integers(0, 5000))
def test_nobody_is_asked_by_an_escalation_and_then_not_let_answer(
    timeout: int | None, wait: int, asked_for: int | None, late: int
) -> None:
    timed = replace(TIMED, timeout=timeout and timeout * MINUTE, escalate_after=wait * MINUTE)
    hold = opened(assessment=timed, asked_expiry=asked_for and T0 + asked_for * MINUTE)
    told = T0 + (wait + late) * MINUTE
    if hold.due(told) != "escalate":
        assert hold.expires_at is not None and hold.expires_at <= T0 + wait * MINUTE
        return
    after = escalate(hold, told).hold
    assert (after.expires_at is None) is (hold.expires_at is None)
    if hold.expires_at is None or after.expires_at is None:
        return
    assert after.expires_at >= hold.expires_at, "never earlier"
    left = after.expires_at - told
    assert left >= 10 * MINUTE
    assert left >= hold.expires_at - (T0 + wait * MINUTE), "the distance that was meant"
    assert after.due(after.expires_at - MINUTE / 60) is None
    assert after.due(after.expires_at) == "expire"


def test_an_escalated_role_approves_and_its_approval_is_redeemed() -> None:
    with pytest.raises(errors.WrongRole):
        approve(opened(assessment=TIMED), CTO)
    hold = approve(escalate(opened(assessment=TIMED), NOW).hold, CTO)
    assert hold.status is Status.approved
    assert redeem(hold, AGENT.id, hold.digest, "k", TIMED, LATER).hold.redemption is not None


def test_an_escalated_role_does_not_count_where_the_policy_no_longer_escalates_to_it() -> None:
    hold = approve(escalate(opened(assessment=TIMED), NOW).hold, CTO)
    current = replace(TIMED, escalate_to=frozenset({"tech_lead"}))
    reopened = redeem(hold, AGENT.id, hold.digest, "k", current, LATER).hold
    assert (reopened.status, reopened.reviews, reopened.escalated_at) == (Status.pending, (), None)


def test_a_role_that_would_be_added_by_escalation_does_not_count_without_one() -> None:
    hold = approved(Kind.approval, replace(MEDIUM, requirements=Requirements(1, frozenset({"cto"}))), BOTH)
    current = replace(TIMED, escalate_to=frozenset({"cto"}))
    assert redeem(hold, AGENT.id, hold.digest, "k", current, LATER).hold.status is Status.pending


@pytest.mark.parametrize(("on_expiry", "outcome"), [("expire", Status.expired), ("reject", Status.rejected)])
def test_expiry_decides_as_the_hold_says(on_expiry: str, outcome: Status) -> None:
    step = expire(approve(opened(assessment=HIGH, on_expiry=on_expiry), LEAD), NOW)
    assert step.hold.status is outcome
    assert step.hold.decision is not None
    assert (step.hold.decision.basis, step.hold.decision.by, step.hold.decision.at) == ("expiry", None, NOW)
    assert [(event.type, event.actor) for event in step.events] == [("hold.decided", None)]
