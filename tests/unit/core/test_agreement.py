"""A hold's row and its events: what agrees, and what is found where somebody changed the row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from unit.core.samples import AGENT, CTO, DEPLOY, LEAD, MEDIUM, MINUTE, T0, asked, question

from handrail.core import agreement, transitions
from handrail.core.agreement import Agreement, Record
from handrail.core.hold_events import HoldOpened
from handrail.core.holds import Action, Decision, Hold, Kind, Redemption, Review, Status, Verdict
from handrail.core.risk import Level
from handrail.core.transitions import Step


class Story:
    """A hold and what was recorded of it, a minute a step."""

    def __init__(self, kind: Kind = Kind.approval, **fields: Any) -> None:
        self.minute = 0
        self.said: list[Record] = []
        self.hold = asked(question(kind, **fields), MEDIUM)
        self.take(lambda now: transitions.open_(self.hold))

    def take(self, command: Callable[[Any], Step]) -> Story:
        now = T0 + self.minute * MINUTE
        step = command(now)
        self.said += [Record.of(event.type, event.actor, now, event.data) for event in step.events]
        self.hold, self.minute = step.hold, self.minute + 1
        return self

    def approve(self) -> Story:
        return self.take(lambda now: transitions.review(self.hold, LEAD, Verdict.approve, now))

    def redeem(self) -> Story:
        hold, standing = self.hold, self.hold.approvers
        return self.take(
            lambda now: transitions.redeem(hold, AGENT.id, hold.digest, "k", MEDIUM, now, roles_now=standing)
        )

    def differences(self, row: Hold | None = None) -> list[str]:
        return [found.what for found in agreement.compare(row or self.hold, self.said).differences]


APPROVED = {
    "status": Status.approved,
    "decision": Decision(Status.approved, "people", T0, LEAD.id),
    "reviews": (Review(LEAD.id, LEAD.roles, Verdict.approve, T0),),
}


def test_a_hold_agrees_with_its_events_at_every_step() -> None:
    story = Story()
    assert story.differences() == []
    assert story.approve().differences() == []
    assert story.redeem().differences() == []


def test_a_row_set_to_approved_is_found_with_the_person_who_never_said_so() -> None:
    story = Story()
    forged = replace(story.hold, **APPROVED)
    found = agreement.compare(forged, story.said)
    assert [difference.what for difference in found.differences] == ["status", "decision", "reviews"]
    assert "status: the row says approved, the log says pending" in map(str, found.differences)
    assert str(LEAD.id) in str(found.differences[2])
    assert found.same_question


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"question": question(action=Action("deploy", {"version": "6.66"}, "staging"))}, ["content"]),
        ({"digest": "0" * 64}, ["digest"]),
        ({"revision": 2}, ["revision"]),
        ({"opener": CTO.id}, ["opening"]),
        ({"assessment": replace(MEDIUM, level=Level.low)}, ["risk"]),
    ],
)
def test_another_question_than_was_opened_is_found(changed: dict[str, Any], what: list[str]) -> None:
    story = Story().approve()
    found = agreement.compare(replace(story.hold, **changed), story.said)
    assert [difference.what for difference in found.differences] == what
    assert not found.same_question


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"redemption": Redemption("k", AGENT.id, T0)}, ["use"]),
        ({"reviews": (Review(CTO.id, CTO.roles, Verdict.approve, T0),)}, ["decision", "reviews"]),
        ({"reviews": (Review(LEAD.id, LEAD.roles | {"cto"}, Verdict.approve, T0),)}, ["reviews"]),
        ({"decision": Decision(Status.approved, "policy", T0)}, ["decision"]),
        ({"status": Status.rejected}, ["status"]),
    ],
)
def test_another_decision_or_use_than_was_recorded_is_found(changed: dict[str, Any], what: list[str]) -> None:
    story = Story().approve()
    assert story.differences(replace(story.hold, **changed)) == what


def test_a_use_that_was_taken_out_of_the_row_is_found() -> None:
    story = Story().approve().redeem()
    assert story.differences(replace(story.hold, redemption=None)) == ["use"]


def test_an_approval_that_was_taken_back_and_put_into_the_row_again_is_found() -> None:
    story = Story().approve()
    approved = story.hold
    story.take(lambda now: transitions.withdraw(story.hold, LEAD, now))
    assert story.differences(approved) == ["status", "decision", "reviews"]


def test_another_answer_is_found_and_not_told() -> None:
    story = Story(Kind.input)
    story.take(lambda now: transitions.review(story.hold, LEAD, Verdict.answer, now, answer="the blue one"))
    assert story.differences() == []
    assert story.hold.decision is not None
    forged = replace(story.hold, decision=replace(story.hold.decision, answer="the red one"))
    (found,) = agreement.compare(forged, story.said).differences
    assert found.what == "decision"
    assert "one" not in found.row


def test_a_hold_of_which_the_log_has_nothing_is_found() -> None:
    assert agreement.compare(Story().hold, []).differences[0].log == "nothing"


def test_without_the_data_of_its_events_a_hold_cannot_be_compared() -> None:
    story = Story().approve()
    pruned = [story.said[0]._replace(event=None, data={}), *story.said[1:]]
    assert agreement.compare(replace(story.hold, revision=9), pruned) == Agreement(known=False)


def test_a_record_that_makes_no_sense_proves_nothing_and_is_not_asked_about_again() -> None:
    story = Story().approve()
    opened = story.said[0]
    nonsense = Record.of(HoldOpened.type, AGENT.id, opened.at, {"digest": story.hold.digest, "risk": "harmless"})
    found = agreement.compare(story.hold, [nonsense, *story.said[1:]])
    assert (found.known, found.same_question) == (True, False)
    assert [each.what for each in found.differences] == ["record"]


def test_a_hold_that_was_opened_again_agrees_without_what_was_said_before() -> None:
    story = Story().approve()
    story.take(lambda now: transitions.reopen(story.hold, "record", now))
    assert story.hold.pending
    assert (story.hold.reviews, story.hold.question.action) == ((), DEPLOY)
    assert story.differences() == []
