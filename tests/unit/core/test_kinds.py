"""What sets the kinds of holds apart: each row is one kind, each column something that people notice."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from unit.core.samples import DEPLOY, HIGH, ITEMS, LEAD, LOW, STARTER, T0, asked, opened, question

from handrail.core import authority, errors, questions, transitions
from handrail.core.holds import Kind, Question, Status, Verdict
from handrail.core.transitions import open_
from handrail.policy import assess, default_policy


@dataclass(frozen=True)
class Row:
    without_action: bool
    with_schema: bool
    with_items: bool
    approved_by_policy: bool
    deadlines_of_policy: bool
    verdicts: set[Verdict]
    requester_decides: bool


YES_NO = {Verdict.approve, Verdict.reject, Verdict.amend}
TABLE = {
    Kind.confirmation: Row(True, False, True, False, False, YES_NO, False),
    Kind.approval: Row(False, False, False, True, True, YES_NO, False),
    Kind.input: Row(True, True, False, False, False, {Verdict.answer}, True),
    Kind.review: Row(False, False, False, False, False, YES_NO, False),
}


def accepted(asked: Question) -> bool:
    try:
        questions.check(asked)
    except errors.Rejected:
        return False
    return True


def takes(kind: Kind, verdict: Verdict) -> bool:
    try:
        transitions.review(opened(kind), LEAD, verdict, T0, answer="blue" if verdict is Verdict.answer else None)
    except errors.WrongVerdict:
        return False
    except errors.MissingField:
        # an amendment is taken, and says what it lacks
        return True
    return True


@pytest.mark.parametrize("kind", Kind)
def test_a_kind_is_what_its_row_says(kind: Kind) -> None:
    deadlines = assess(default_policy(), kind=kind, action=replace(DEPLOY, target="production")).timeout
    found = Row(
        without_action=accepted(question(kind, action=None)),
        with_schema=accepted(question(kind, schema={"type": "string"})),
        with_items=accepted(question(kind, items=ITEMS)),
        approved_by_policy=open_(asked(question(kind), LOW)).hold.status is Status.approved,
        deadlines_of_policy=deadlines is not None,
        verdicts={verdict for verdict in Verdict if takes(kind, verdict)},
        requester_decides=authority.refusal(STARTER, opened(kind, HIGH)) is None,
    )
    assert found == TABLE[kind]
