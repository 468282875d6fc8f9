"""Signs of fatigue: each shows where it should, and not in the reviews of somebody who reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from unit.core.samples import LEAD, LEAD_2, MEDIUM, T0, TECH, opened, question

from handrail.core import transitions
from handrail.core.holds import Hold, Verdict
from handrail.core.ids import HoldId
from handrail.core.risk import FiredRule, Level
from handrail.hindsight import fatigue
from handrail.hindsight.fatigue import ENOUGH, STREAK, Finding
from handrail.hindsight.wording import words
from handrail.store.reviews import Said

PEOPLE: dict[UUID, frozenset[str]] = {LEAD.id: LEAD.roles, LEAD_2.id: LEAD_2.roles, TECH.id: TECH.roles}
# read in 30 s at the least
LONG = {"summary": "word " * 200}
HOUR = 3600.0


def said(
    n: int,
    after: float = 600.0,
    verdict: str = "approve",
    reason: str | None = None,
    who: UUID = LEAD.id,
    gap: float = HOUR,
) -> Said:
    """The n-th hold, opened `gap` after the one before, and what somebody said so many seconds later."""
    hold = replace(opened(), id=HoldId(UUID(int=1000 + n)), number=n, opened_at=T0 + timedelta(seconds=n * gap))
    hold = replace(hold, question=question(evidence=LONG), run_id=None)
    return Said(who, hold.opened_at + timedelta(seconds=after), verdict, reason or f"reason {n}", hold)


def signs(found: Iterable[Finding]) -> dict[str, Finding]:
    return {one.sign: one for one in found}


def test_somebody_who_reads_and_refuses_now_and_then_shows_nothing() -> None:
    reviews = [said(n, verdict="reject" if n % 10 == 0 else "approve") for n in range(30)]
    others = [said(n, who=LEAD_2.id, verdict="reject" if n % 10 == 0 else "approve") for n in range(30)]
    assert fatigue.of_people([*reviews, *others], PEOPLE) == []


def test_decided_sooner_than_it_can_be_read() -> None:
    """B9."""
    slow = [said(n, verdict="reject") for n in range(10)]
    quick = [said(10 + n, after=20) for n in range(5)]
    found = signs(fatigue.of_people([*slow, *quick], PEOPLE))["quick"]
    assert (found.person, found.count, found.of, found.figure) == (LEAD.id, 5, 15, 20.0)
    assert {hold.number for hold in found.examples} == {10, 11, 12, 13, 14}
    enough = [said(10 + n, after=40) for n in range(5)]
    assert "quick" not in signs(fatigue.of_people([*slow, *enough], PEOPLE)), "they need 31 s"


def test_a_short_question_may_be_decided_quickly() -> None:
    brief = [replace(one, hold=replace(one.hold, question=question())) for one in (said(n, after=6) for n in range(9))]
    assert "quick" not in signs(fatigue.of_people(brief, PEOPLE))


def test_it_is_the_pack_that_was_on_their_screen_which_takes_time_to_read() -> None:
    """A short question with a pack of 400 words, which nobody reads in less than a minute."""
    plain = [replace(one, hold=replace(one.hold, question=question())) for one in (said(n) for n in range(5))]
    at_once = [replace(one, shown_at=one.at - timedelta(seconds=50), words=400) for one in plain]
    assert signs(fatigue.of_people(at_once, PEOPLE))["quick"].figure == 50.0
    read = [replace(one, shown_at=one.at - timedelta(seconds=70), words=400) for one in plain]
    assert "quick" not in signs(fatigue.of_people(read, PEOPLE))
    short = [replace(one, words=10) for one in at_once]
    assert "quick" not in signs(fatigue.of_people(short, PEOPLE))


def test_an_amended_hold_was_read_before() -> None:
    again = [replace(one, hold=replace(one.hold, revision=2)) for one in (said(n, after=6) for n in range(9))]
    assert "quick" not in signs(fatigue.of_people(again, PEOPLE))


def test_approvals_in_a_row() -> None:
    row = [said(n, after=HOUR, gap=3) for n in range(STREAK)]
    found = signs(fatigue.of_people(row, PEOPLE))["streak"]
    assert (found.count, found.figure) == (STREAK, 3.0 * (STREAK - 1))
    assert words(found, "Jon") == "Jon approved 5 holds in a row within 12 s, faster than each can be read."
    broken = [replace(one, verdict="reject") if n == 2 else one for n, one in enumerate(row)]
    assert "streak" not in signs(fatigue.of_people(broken, PEOPLE)), "a no in between ends it"
    apart = [said(n, after=HOUR, gap=40) for n in range(STREAK)]
    assert "streak" not in signs(fatigue.of_people(apart, PEOPLE))


def test_nearly_everything_approved() -> None:
    yes = [said(n) for n in range(ENOUGH)]
    assert signs(fatigue.of_people(yes, PEOPLE))["always_yes"].figure == 1.0
    assert "always_yes" not in signs(fatigue.of_people(yes[:-1], PEOPLE)), "so few say nothing"
    one_no = [*yes[:-1], replace(yes[-1], verdict="reject")]
    assert "always_yes" not in signs(fatigue.of_people(one_no, PEOPLE))


def test_reasons_that_are_missing_or_copied() -> None:
    silent = [replace(said(n), reason=" ") for n in range(ENOUGH)]
    assert signs(fatigue.of_people(silent, PEOPLE))["no_reason"].count == ENOUGH
    copied = [said(n, reason=("ok,  Verified", "ok, verified")[n % 2]) for n in range(ENOUGH)]
    found = signs(fatigue.of_people(copied, PEOPLE))
    assert found["copied_reason"].count == ENOUGH and "no_reason" not in found
    assert "ok, verified" in words(found["copied_reason"], "You")


def test_more_than_a_fair_share_of_what_others_could_have_decided() -> None:
    mine = [said(n, verdict="reject") for n in range(45)]
    theirs = [said(100 + n, verdict="reject", who=LEAD_2.id) for n in range(5)]
    found = fatigue.of_people([*mine, *theirs], PEOPLE)
    assert [one.sign for one in found] == [], "1.8 times what each of two would give"
    few: dict[UUID, frozenset[str]] = {LEAD.id: LEAD.roles, TECH.id: TECH.roles}
    alone = fatigue.of_people(mine, few)
    assert [one.sign for one in alone] == [], "nobody else could"
    third: dict[UUID, frozenset[str]] = {**PEOPLE, UUID(int=77): LEAD.roles}
    assert [(one.sign, one.person) for one in fatigue.of_people([*mine, *theirs], third)] == [("share", LEAD.id)]


def refusable(n: int, verdict: Verdict, rule: str = "deploy-staging") -> Hold:
    terms = replace(MEDIUM, rules=(FiredRule(rule, Level.medium, "staging"), FiredRule("minor", Level.low, "")))
    hold = replace(opened(assessment=terms), id=HoldId(UUID(int=n)), number=n, run_id=None)
    return transitions.review(hold, LEAD, verdict, T0, reason="so").hold


def test_a_rule_that_asks_and_is_never_refused() -> None:
    """B9."""
    asked = [refusable(n, Verdict.approve) for n in range(ENOUGH)]
    (found,) = fatigue.of_rules(asked)
    assert (found.rule, found.count) == ("deploy-staging", ENOUGH), "and not the rule that did not decide"
    assert found.call is not None and found.call.action == "deploy"
    assert fatigue.of_rules([*asked[:-1], refusable(99, Verdict.reject)]) == []
