"""Opening a hold: what may be asked, what policy approves at once, which deadlines it gets."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from unit.core.samples import (
    AGENT,
    CRITICAL,
    DEPLOY,
    HIGH,
    ITEMS,
    LOW,
    MEDIUM,
    MINUTE,
    ONE_LEAD,
    T0,
    asked,
    question,
)

from handrail.core import errors, questions
from handrail.core.holds import Kind, Question, Status
from handrail.core.risk import Assessment, FiredRule, Level, Requirements
from handrail.core.transitions import open_


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("assessment", [LOW, MEDIUM, HIGH])
def test_only_a_low_approval_is_decided_at_once(kind: Kind, assessment: Assessment) -> None:
    hold, events = open_(asked(question(kind), assessment))
    assert events[0].type == "hold.opened"
    assert events[0].actor == AGENT.id
    if kind is Kind.approval and assessment is LOW:
        assert hold.status is Status.approved
        assert hold.decision is not None
        assert (hold.decision.basis, hold.decision.by, hold.decision.at) == ("policy", None, T0)
        assert [event.type for event in events] == ["hold.opened", "hold.decided"]
        assert events[1].actor is None
        assert (hold.expires_at, hold.escalate_at) == (None, None)
    else:
        assert (hold.status, hold.decision) == (Status.pending, None)
        assert len(events) == 1


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("assessment", [LOW, MEDIUM, CRITICAL])
def test_of_an_agent_that_is_only_observed_every_approval_goes_through_and_nothing_else(
    kind: Kind, assessment: Assessment
) -> None:
    hold, events = open_(asked(question(kind), assessment), observed=True)
    if kind is not Kind.approval:
        assert (hold.status, hold.decision, len(events)) == (Status.pending, None, 1)
        return
    assert hold.decision is not None
    basis = "policy" if assessment is LOW else "observation"
    assert (hold.status, hold.decision.basis, hold.decision.by) == (Status.approved, basis, None)
    assert hold.assessment == assessment, "who would have decided is no longer known"
    assert hold.unasked is (basis == "observation")


def test_the_event_says_what_was_assessed() -> None:
    fired = FiredRule("deploy-staging", Level.medium, "deploy in staging")
    hold, events = open_(asked(question(), replace(MEDIUM, rules=(fired,), policy_version=3)))
    assert events[0].data == {
        "digest": hold.digest,
        "risk": "medium",
        "rules": ["deploy-staging"],
        "policy_version": 3,
    }


@pytest.mark.parametrize(
    ("timeout", "asked_minutes", "expires"),
    [(None, None, None), (10, None, 10), (None, 5, 5), (10, 5, 5), (10, 20, 10)],
)
def test_the_earlier_of_the_two_deadlines_stands(
    timeout: int | None, asked_minutes: int | None, expires: int | None
) -> None:
    def after(minutes: int | None) -> datetime | None:
        return None if minutes is None else T0 + minutes * MINUTE

    assessment = replace(MEDIUM, timeout=None if timeout is None else timeout * MINUTE, escalate_after=2 * MINUTE)
    hold = open_(asked(question(), assessment, asked_expiry=after(asked_minutes))).hold
    assert hold.expires_at == after(expires)
    assert hold.escalate_at == T0 + 2 * MINUTE


def test_no_time_at_all_is_not_endless_time() -> None:
    hold = open_(asked(question(), replace(MEDIUM, timeout=timedelta(0), escalate_after=timedelta(0)))).hold
    assert hold.expires_at == hold.escalate_at == T0


@pytest.mark.parametrize(
    ("bad", "error", "place"),
    [
        (question(title="  "), errors.InvalidField, "`title`"),
        (question(title="a\x00"), errors.NulByte, "`title`"),
        (question(action=replace(DEPLOY, name="")), errors.InvalidField, "`action.name`"),
        (question(action=replace(DEPLOY, args={"n": 2**53})), errors.NumberOutOfRange, "`action.args.n`"),
        (question(action=replace(DEPLOY, target="\ud800")), errors.BadUtf8, "`action.target`"),
        (question(evidence=[float("inf")]), errors.NumberOutOfRange, "`evidence[0]`"),
        (question(Kind.input, schema={"const": 2**53}), errors.NumberOutOfRange, "`schema.const`"),
        (question(Kind.input, schema={"type": "text"}), errors.BadSchema, "schema"),
        (question(Kind.confirmation, items=({"name": "first"},)), errors.InvalidField, "`items[0]`"),
        (question(Kind.confirmation, items=(ITEMS[0], {"item_id": ""})), errors.InvalidField, "`items[1]`"),
        (question(Kind.confirmation, items=(ITEMS[0], {"item_id": 1})), errors.InvalidField, "`items[1]`"),
        (question(Kind.confirmation, items=(ITEMS[0], {"item_id": None})), errors.InvalidField, "`items[1]`"),
        (question(Kind.confirmation, items=(*ITEMS, {"item_id": "a"})), errors.InvalidField, "'a'"),
        (
            question(Kind.confirmation, items=({"item_id": "a", "cost": 1e17},)),
            errors.NumberOutOfRange,
            "`items[0].cost`",
        ),
    ],
)
def test_a_question_that_cannot_be_asked(bad: Question, error: type[errors.Rejected], place: str) -> None:
    with pytest.raises(error) as refused:
        questions.check(bad)
    assert place in refused.value.message


@pytest.mark.parametrize("kind", Kind)
def test_only_a_confirmation_is_a_batch_and_only_an_input_is_a_form(kind: Kind) -> None:
    for asked_for, takes in [
        (question(kind, items=ITEMS), Kind.confirmation),
        (question(kind, schema={"type": "string"}), Kind.input),
    ]:
        if kind is takes:
            questions.check(asked_for)
        else:
            with pytest.raises(errors.InvalidField, match="only a"):
                questions.check(asked_for)


@pytest.mark.parametrize(
    "assessment",
    [
        HIGH,
        CRITICAL,
        replace(MEDIUM, requirements=Requirements(2, ONE_LEAD.roles)),
        replace(MEDIUM, requirements=replace(CRITICAL.requirements, approvals=1)),
    ],
)
def test_a_batch_that_needs_several_people_does_not_open(assessment: Assessment) -> None:
    with pytest.raises(errors.InvalidField, match="a hold for each item"):
        open_(asked(question(Kind.confirmation, items=ITEMS), assessment))
