"""What a changed policy would have made of a hold."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from unit.core.samples import CRITICAL, HIGH, LEAD, LOW, MEDIUM, MINUTE, T0, TECH, asked, opened, question

from handrail.core import transitions
from handrail.core.holds import Hold, Kind, Status, Verdict
from handrail.core.replay import LEAST_SECONDS, MOST_SECONDS, MOST_SLIPS, Tally, is_weaker, replay, seconds
from handrail.core.risk import Assessment

APPROVED = transitions.review(opened(), LEAD, Verdict.approve, T0).hold
REJECTED = transitions.review(opened(), LEAD, Verdict.reject, T0, reason="no").hold
CANCELLED = transitions.cancel(opened(), LEAD.id, T0).hold
EXPIRED = transitions.expire(opened(), T0).hold
BY_POLICY = transitions.open_(asked(question(), LOW)).hold
OBSERVED = transitions.open_(asked(question(), MEDIUM), observed=True).hold
GRANTED = transitions.open_(asked(question(), MEDIUM), grant=uuid4()).hold
TWO = opened(assessment=HIGH)
BY_TWO = transitions.review(transitions.review(TWO, LEAD, Verdict.approve, T0).hold, TECH, Verdict.approve, T0).hold


@pytest.mark.parametrize(
    ("hold", "would", "change", "asked_then", "would_ask"),
    [
        (APPROVED, MEDIUM, "same", True, True),
        (APPROVED, LOW, "unasked", True, False),
        (EXPIRED, LOW, "unasked", True, False),
        (REJECTED, LOW, "slips", True, False),
        (CANCELLED, LOW, "slips", True, False),
        (REJECTED, MEDIUM, "same", True, True),
        (BY_POLICY, LOW, "same", False, False),
        (BY_POLICY, MEDIUM, "asked", False, True),
        (OBSERVED, MEDIUM, "same", False, True),
        (OBSERVED, LOW, "unasked", False, False),
        (GRANTED, MEDIUM, "same", False, False),
        (GRANTED, CRITICAL, "weaker", False, True),
        (GRANTED, LOW, "unasked", False, False),
        (APPROVED, HIGH, "weaker", True, True),
        (BY_TWO, MEDIUM, "weaker", True, True),
        (TWO, CRITICAL, "stricter", True, True),
        (opened(Kind.confirmation, LOW), LOW, "same", True, True),
    ],
)
def test_how_a_hold_would_have_changed(
    hold: Hold, would: Assessment, change: str, asked_then: bool, would_ask: bool
) -> None:
    found = replay(hold, would)
    assert (found.change, found.asked, found.would_ask) == (change, asked_then, would_ask)
    assert found.observed is (hold is OBSERVED and would_ask)


def test_more_roles_are_weaker_and_fewer_are_stricter() -> None:
    few = replace(MEDIUM.requirements, roles=frozenset({"cto"}))
    many = replace(MEDIUM.requirements, roles=frozenset({"cto", "team_lead"}))
    assert (is_weaker(few, many), is_weaker(many, few), is_weaker(few, few)) == (True, False, False)
    assert not is_weaker(few, many, added=frozenset({"team_lead"})), "an escalation had added them"
    for name in ("justification", "own_credential", "passkey"):
        assert is_weaker(replace(few, **{name: True}), few) and not is_weaker(few, replace(few, **{name: True}))
    narrow, wide = HIGH.requirements, replace(HIGH.requirements, required=())
    assert is_weaker(narrow, wide) and not is_weaker(wide, narrow)


def test_who_approved_may_no_longer_be_enough() -> None:
    assert replay(APPROVED, MEDIUM).enough
    assert not replay(APPROVED, HIGH).enough
    assert replay(APPROVED, LOW).enough, "nobody would be asked"
    assert not replay(BY_TWO, CRITICAL).enough
    assert replay(replace(BY_TWO, reviews=()), LOW).enough


def test_reading_takes_its_time() -> None:
    short, long = opened(), replace(opened(), description="word " * 1000)
    assert seconds(short) == LEAST_SECONDS
    assert 300 < seconds(long) < 310
    assert seconds(replace(opened(), description="word " * 10_000)) == MOST_SECONDS


def test_tallies_of_parts_add_up_to_that_of_the_whole() -> None:
    past = [
        (APPROVED, LOW),
        (REJECTED, LOW),
        (BY_POLICY, MEDIUM),
        (BY_TWO, MEDIUM),
        (TWO, CRITICAL),
        (APPROVED, MEDIUM),
    ]
    whole, parts = Tally(), [Tally(), Tally()]
    for number, (hold, would) in enumerate(past * 30):
        at = replace(hold, opened_at=T0 + number * MINUTE)
        whole.add(at, would)
        parts[number % 2].add(at, would)
    merged = Tally()
    for part in parts:
        merged.merge(part)
    assert merged == whole
    assert (whole.holds, whole.changes["slips"], whole.looser, len(whole.slips)) == (180, 30, 90, 30)
    assert (whole.asked, whole.would_ask) == (150, 120)
    assert whole.slips[0].opened_at == max(one.opened_at for one in whole.slips)
    assert whole.slips[0].outcome is Status.rejected


def test_those_that_slip_through_are_shown_up_to_a_number() -> None:
    tally = Tally()
    for number in range(MOST_SLIPS + 5):
        tally.add(replace(REJECTED, opened_at=T0 + timedelta(hours=number)), LOW)
    assert (tally.changes["slips"], len(tally.slips)) == (MOST_SLIPS + 5, MOST_SLIPS)
    assert tally.slips[0].opened_at == T0 + timedelta(hours=MOST_SLIPS + 4)
