"""Deciding for somebody who is away: with their roles, within the scope, never for a requester, each word once."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.core.samples import AGENT, CTO, DEVELOPER, LEAD, LEAD_2, MINUTE, ONE_LEAD, STARTER, T0, TECH, asked, opened
from unit.core.samples import question as question_of

from handrail.core import agreement, authority, errors, transitions
from handrail.core.absences import Scope, StandIn
from handrail.core.agreement import Agreement, Record
from handrail.core.events import Event
from handrail.core.holds import Action, Hold, Kind, Status, Verdict
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal
from handrail.core.risk import Assessment, Level, Requirements
from handrail.core.transitions import review

ALLOWED = Assessment(Level.medium, replace(ONE_LEAD, stand_ins=True))
TWO = Requirements(
    2,
    frozenset({"team_lead", "tech_lead", "cto"}),
    required=(frozenset({"tech_lead", "cto"}),),
    stand_ins=True,
)
HIGH = Assessment(Level.high, TWO)


def away(who: Principal, scope: Scope = Scope(), *, own: bool = True) -> StandIn:
    return StandIn(who.id, who.name, who.roles, scope, T0 + 60 * MINUTE, own)


def standing_in(who: Principal, *absent: StandIn | Principal) -> Principal:
    return replace(who, stands_in=tuple(one if isinstance(one, StandIn) else away(one) for one in absent))


def approve(hold: Hold, who: Principal, for_: Principal | None = None) -> Hold:
    return review(hold, who, Verdict.approve, T0, on_behalf_of=for_.id if for_ else None).hold


def refused(hold: Hold, who: Principal, for_: Principal | None = None) -> errors.Rejected:
    with pytest.raises(errors.Rejected) as caught:
        approve(hold, who, for_)
    return caught.value


def test_a_stand_in_decides_with_the_roles_of_who_is_away_and_both_are_named() -> None:
    ann = standing_in(DEVELOPER, LEAD)

    hold, events = review(opened(assessment=ALLOWED), ann, Verdict.approve, T0)

    assert hold.status is Status.approved
    assert hold.reviews[0].by == ann.id
    assert hold.reviews[0].on_behalf_of == LEAD.id
    assert hold.reviews[0].roles == LEAD.roles
    assert hold.decision is not None
    assert (hold.decision.by, hold.decision.on_behalf_of) == (ann.id, LEAD.id)
    assert [event.data["on_behalf_of"] for event in events] == [str(LEAD.id)] * 2


def test_whoever_may_decide_themself_does_so_unless_they_name_who_is_away() -> None:
    both = standing_in(LEAD_2, CTO)
    hold = opened(assessment=HIGH)

    own = approve(hold, both)
    assert (own.reviews[0].on_behalf_of, own.reviews[0].roles) == (None, LEAD_2.roles)
    theirs = approve(hold, both, CTO)
    assert (theirs.reviews[0].on_behalf_of, theirs.reviews[0].roles) == (CTO.id, CTO.roles)


def test_without_a_stand_in_nothing_in_an_event_changes() -> None:
    _, events = review(opened(), LEAD, Verdict.approve, T0)
    assert all("on_behalf_of" not in event.data for event in events)


def test_who_stands_in_for_nobody_is_refused_as_before() -> None:
    assert refused(opened(assessment=ALLOWED), DEVELOPER).code == "wrong_role"
    assert refused(opened(assessment=ALLOWED), LEAD, CTO).code == "stand_in_refused"


def test_the_policy_can_allow_no_stand_in() -> None:
    error = refused(opened(), standing_in(DEVELOPER, LEAD))
    assert error.code == "stand_in_refused"
    assert LEAD.name in error.message


@pytest.mark.parametrize(
    ("scope", "covered"),
    [
        (Scope(), True),
        (Scope(frozenset({Level.medium, Level.high})), True),
        (Scope(frozenset({Level.low})), False),
        (Scope(actions=("dep*",)), True),
        (Scope(actions=("*",)), True),
        (Scope(actions=("deplo", "eploy", "d.ploy")), False),
        (Scope(cases=("case-1",)), True),
        (Scope(cases=("case-2",)), False),
        (Scope(frozenset({Level.medium}), ("deploy",), ("case-2",)), False),
    ],
)
def test_only_what_is_within_the_scope_is_decided_and_seen(scope: Scope, covered: bool) -> None:
    hold = replace(opened(assessment=ALLOWED), case_id="case-1")
    ann = standing_in(DEVELOPER, away(LEAD, scope))

    assert authority.decides(ann, hold) is covered
    assert authority.may_see(ann, hold) is covered


def test_a_scope_of_actions_leaves_out_what_has_none() -> None:
    hold = asked(question_of(Kind.confirmation, action=None), ALLOWED)
    assert not Scope(actions=("*",)).covers(hold)
    assert Scope().covers(hold)


def test_a_stand_in_has_none_of_the_rights_that_the_absent_person_lacks() -> None:
    ann = standing_in(DEVELOPER, LEAD)
    hold = opened(assessment=Assessment(Level.high, Requirements(1, frozenset({"cto"}), stand_ins=True)))
    assert refused(hold, ann).code == "wrong_role"
    assert not authority.may_see(ann, hold)


def test_neither_the_requester_stands_in_nor_anybody_for_the_requester() -> None:
    hold = opened(assessment=ALLOWED)
    asked_for_it = standing_in(STARTER, LEAD)
    assert refused(hold, asked_for_it, LEAD).code == "own_request"
    assert refused(hold, standing_in(DEVELOPER, STARTER)).code == "own_request"
    # also where the requester may decide themself
    may = replace(ALLOWED, requirements=replace(ALLOWED.requirements, requester_may_decide=True))
    assert authority.refusal(asked_for_it, opened(assessment=may)) is None
    assert refused(opened(assessment=may), asked_for_it, LEAD).code == "own_request"


def test_one_person_counts_once_whether_in_their_own_right_or_for_another() -> None:
    ann = standing_in(LEAD, TECH, CTO)
    hold = approve(opened(assessment=HIGH), ann)
    for absent in (TECH, CTO):
        hold = approve(hold, ann, absent)
        assert hold.status is Status.pending
        assert [(r.by, r.on_behalf_of) for r in hold.reviews] == [(ann.id, absent.id)]


def test_the_word_of_who_is_away_counts_once_however_many_stand_in() -> None:
    ann, carl = standing_in(DEVELOPER, CTO), standing_in(replace(DEVELOPER, id=LEAD_2.id), CTO)
    hold = approve(opened(assessment=HIGH), ann)

    error = refused(hold, carl)
    assert error.code == "stand_in_refused"
    assert "already" in error.message


def test_who_is_back_takes_the_place_of_their_stand_in_and_is_not_overruled() -> None:
    ann = standing_in(DEVELOPER, CTO)
    hold = approve(opened(assessment=HIGH), ann)

    hold = approve(hold, CTO)
    assert hold.status is Status.pending
    assert [(r.by, r.on_behalf_of) for r in hold.reviews] == [(CTO.id, None)]
    assert "themself" in refused(hold, ann).message
    assert approve(hold, TECH).status is Status.approved


def test_what_a_stand_in_approved_the_absent_person_withdraws() -> None:
    hold = approve(opened(assessment=ALLOWED), standing_in(DEVELOPER, LEAD))

    hold, events = transitions.withdraw(hold, LEAD, T0)

    assert (hold.status, hold.reviews) == (Status.pending, ())
    assert events[0].data["given_by"] == str(DEVELOPER.id)


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("field", ["own_credential", "passkey"])
def test_where_the_person_themself_must_prove_who_they_are_no_administrator_names_their_stand_in(
    own: bool, field: str
) -> None:
    needed = replace(ALLOWED.requirements, **{field: True})
    ann = standing_in(DEVELOPER, away(LEAD, own=own))
    found = authority.refusal(ann, opened(assessment=replace(ALLOWED, requirements=needed)), ann.stands_in[0])
    assert (found is None) is own


def test_an_approval_for_another_counts_while_both_are_active_and_the_role_is_held() -> None:
    hold = approve(opened(assessment=HIGH), standing_in(DEVELOPER, CTO))
    everybody = {DEVELOPER.id: DEVELOPER.roles, CTO.id: CTO.roles}

    assert transitions.recounted(hold, everybody).reviews == hold.reviews
    for gone in everybody:
        assert not transitions.recounted(hold, {who: r for who, r in everybody.items() if who != gone}).reviews
    assert not transitions.recounted(hold, {**everybody, CTO.id: frozenset({"developer"})}).reviews


def test_a_policy_that_forbids_stand_ins_since_voids_what_they_approved() -> None:
    hold = approve(opened(assessment=ALLOWED), standing_in(DEVELOPER, LEAD))
    roles_now = {DEVELOPER.id: DEVELOPER.roles, LEAD.id: LEAD.roles}
    forbidding = replace(ALLOWED, requirements=ONE_LEAD)

    used = transitions.redeem(hold, AGENT.id, hold.digest, "k", ALLOWED, T0, roles_now=roles_now).hold
    assert used.redemption is not None
    again = transitions.redeem(hold, AGENT.id, hold.digest, "k", forbidding, T0, roles_now=roles_now).hold
    assert (again.status, again.reviews) == (Status.pending, ())


def test_an_amendment_by_a_stand_in_counts_for_who_is_away() -> None:
    ann, action = standing_in(DEVELOPER, LEAD), Action("deploy", {"version": "2.15"}, "staging")
    step = transitions.amend(opened(assessment=ALLOWED), ann, action, ALLOWED, T0)
    assert step.hold.approvers == {ann.id: LEAD.roles}
    assert step.events[0].data["on_behalf_of"] == str(LEAD.id)


def test_the_row_cannot_say_another_absent_person_than_the_log() -> None:
    hold, events = review(opened(assessment=HIGH), standing_in(DEVELOPER, CTO), Verdict.approve, T0)
    records = recorded([*transitions.open_(asked(question_of(), HIGH)).events, *events])

    assert agreement.compare(hold, records) == Agreement()
    for forged in (TECH.id, None):
        lied = replace(hold, reviews=(replace(hold.reviews[0], on_behalf_of=forged),))
        assert [found.what for found in agreement.compare(lied, records).differences] == ["reviews"]


def recorded(events: Iterable[Event]) -> list[Record]:
    return [Record.of(event.type, event.actor, T0, event.data) for event in events]


ROLES = ("team_lead", "tech_lead", "cto", "developer")
TERMS = [
    ALLOWED,
    HIGH,
    replace(HIGH, requirements=replace(TWO, stand_ins=False)),
    Assessment(Level.high, Requirements(3, frozenset({"tech_lead", "cto"}), stand_ins=True)),
]


@pytest.mark.parametrize("seed", range(300))
def test_no_sequence_of_absences_role_changes_and_reviews_approves_what_the_approvers_would_not(seed: int) -> None:
    """People come, go, change roles and review; whatever was approved, the people behind it could have approved."""
    rng = random.Random(seed)
    people = {
        PrincipalId(who.id): replace(who, roles=frozenset(rng.sample(ROLES, rng.randint(0, 2))))
        for who in (LEAD, LEAD_2, TECH, CTO, DEVELOPER, STARTER)
    }
    absences: dict[PrincipalId, tuple[PrincipalId, Scope]] = {}
    terms = rng.choice(TERMS)
    hold, said = transitions.open_(asked(question_of(), terms))
    log = list(said)
    for _ in range(60):
        if not hold.pending:
            break
        who = people[rng.choice(list(people))]
        match rng.choice(["away", "back", "roles", "active", *["review"] * 4, "withdraw"]):
            case "away":
                levels = frozenset(rng.sample(list(Level), rng.randint(0, 2)))
                absences[who.id] = (rng.choice([each for each in people if each != who.id]), Scope(levels))
            case "back":
                absences.pop(who.id, None)
            case "roles":
                people[who.id] = replace(who, roles=frozenset(rng.sample(ROLES, rng.randint(0, 2))))
            case "active":
                people[who.id] = replace(who, active=not who.active)
            case verb:
                stands_in = tuple(
                    away(people[absent], scope)
                    for absent, (by, scope) in absences.items()
                    if by == who.id and people[absent].active
                )
                me = replace(who, stands_in=stands_in)
                roles_now = {one.id: one.roles for one in people.values() if one.active}
                hold = transitions.recounted(hold, roles_now)
                wanted = rng.choice([None, None, *people])
                try:
                    if verb == "withdraw":
                        step = transitions.withdraw(hold, me, T0)
                    else:
                        verdict = rng.choice([Verdict.approve, Verdict.approve, Verdict.approve, Verdict.reject])
                        step = review(hold, me, verdict, T0, on_behalf_of=wanted)
                except errors.Rejected:
                    continue
                hold, log = step.hold, [*log, *step.events]
                check_covered(hold, people, absences)
    assert agreement.compare(hold, recorded(log)) == Agreement()


def check_covered(
    hold: Hold, people: dict[PrincipalId, Principal], absences: dict[PrincipalId, tuple[PrincipalId, Scope]]
) -> None:
    yes = [r for r in hold.reviews if r.verdict is Verdict.approve]
    behind = [r.authority for r in yes]
    assert len({r.by for r in yes}) == len(yes), "one human counts once"
    assert len(set(behind)) == len(behind), "one word counts once"
    for say in yes:
        assert say.roles <= people[say.authority].roles
        assert not {say.by, say.authority} & hold.requesters
        if say.on_behalf_of is not None:
            assert hold.assessment.requirements.stand_ins
    if hold.status is Status.approved:
        needed = hold.assessment.requirements
        assert needed.met_by({who: people[who].roles for who in behind})
        assert all(people[who].active for who in (*behind, *(r.by for r in yes)))
        last = hold.decision
        assert last is not None
        if last.on_behalf_of is not None:
            by, scope = absences[last.on_behalf_of]
            assert by == last.by
            assert scope.covers(hold)


@given(st.text("ab*", max_size=8), st.text("ab", max_size=8))
def test_a_star_stands_for_anything(pattern: str, action: str) -> None:
    expression = ".*".join(map(re.escape, pattern.split("*")))
    fits = Scope(actions=(pattern,)).fits(Level.low, action, None)
    assert fits is (re.fullmatch(expression, action) is not None)


def test_many_stars_cost_nobody_any_time() -> None:
    assert not Scope(actions=("a*" * 60 + "b",)).fits(Level.low, "a" * 200, None)
