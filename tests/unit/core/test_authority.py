"""Who may decide and who may see, as the contract says it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from unit.core.samples import (
    AGENT,
    CRITICAL,
    CTO,
    DEVELOPER,
    HIGH,
    LEAD,
    LOW,
    MEDIUM,
    ONE_LEAD,
    STARTER,
    T0,
    asked,
    opened,
    principal,
    question,
)

from handrail.core import authority, errors
from handrail.core.holds import Hold, Kind, Review, Verdict
from handrail.core.people import ADMINISTRATOR, AUDITOR, Principal, PrincipalKind
from handrail.core.risk import Assessment, Level

SERVICE = principal(20, "team_lead", "tech_lead", "cto", kind=PrincipalKind.service)
AGENT_WITH_ROLES = principal(21, "team_lead", "tech_lead", "cto", kind=PrincipalKind.agent)
INACTIVE = principal(22, "team_lead", "tech_lead", "cto", active=False)
ADMIN = principal(23, ADMINISTRATOR)
AUDIT = principal(24, AUDITOR)
OPENER = principal(25, "team_lead", "tech_lead", "cto")


def hold_of(kind: Kind, level: Level, opener: Principal = AGENT) -> Hold:
    return asked(question(kind), Assessment(level, ONE_LEAD), opener=opener.id)


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("who", [SERVICE, AGENT_WITH_ROLES, replace(AGENT, roles=frozenset({"team_lead"}))])
def test_services_and_agents_never_decide(kind: Kind, level: Level, who: Principal) -> None:
    refused = authority.refusal(who, hold_of(kind, level, opener=who))
    assert isinstance(refused, errors.NotAPerson)
    assert isinstance(authority.refusal(who, hold_of(kind, level)), errors.NotAPerson)


@pytest.mark.parametrize("kind", Kind)
def test_an_inactive_person_never_decides_and_is_not_called_a_machine(kind: Kind) -> None:
    for opener in (AGENT, INACTIVE):
        refused = authority.refusal(INACTIVE, hold_of(kind, Level.low, opener))
        assert refused is not None
        assert refused.code == "forbidden"
        assert "not active" in refused.message


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("who", [DEVELOPER, ADMIN, AUDIT, CTO, principal(30)])
def test_deciding_goes_by_role_alone(kind: Kind, who: Principal) -> None:
    refused = authority.refusal(who, hold_of(kind, Level.medium))
    assert isinstance(refused, errors.WrongRole)
    assert refused.data == {"roles": ["team_lead"]}
    assert authority.refusal(LEAD, hold_of(kind, Level.medium)) is None


OWN_REQUEST_ALLOWED = {
    Kind.approval: {Level.low},
    Kind.confirmation: {Level.low},
    Kind.review: {Level.low},
    Kind.input: set(Level),
}
"""The same for every kind that carries an action: it is the action that counts."""


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("level", Level)
def test_the_requester_is_who_opened_and_who_started_the_run(kind: Kind, level: Level) -> None:
    opener_refused = authority.refusal(OPENER, hold_of(kind, level, opener=OPENER))
    starter_refused = authority.refusal(STARTER, hold_of(kind, level))
    if level in OWN_REQUEST_ALLOWED[kind]:
        assert opener_refused is starter_refused is None
    else:
        assert isinstance(opener_refused, errors.OwnRequest)
        assert isinstance(starter_refused, errors.OwnRequest)


@pytest.mark.parametrize(("level", "allowed"), [(Level.medium, True), (Level.high, False), (Level.critical, False)])
def test_a_registered_action_lets_its_requester_decide_at_most_medium(level: Level, allowed: bool) -> None:
    hold = hold_of(Kind.review, level)
    hold = replace(
        hold,
        assessment=replace(
            hold.assessment, requirements=replace(hold.assessment.requirements, requester_may_decide=True)
        ),
    )
    assert (authority.refusal(STARTER, hold) is None) is allowed


@pytest.mark.parametrize("level", Level)
def test_the_requester_answers_a_confirmation_that_carries_no_action(level: Level) -> None:
    hold = hold_of(Kind.confirmation, level)
    assert authority.refusal(STARTER, replace(hold, question=replace(hold.question, action=None))) is None


@pytest.mark.parametrize("level", Level)
def test_the_requester_answers_an_input_without_any_role(level: Level) -> None:
    starter = replace(STARTER, roles=frozenset[str]())
    assert authority.refusal(starter, hold_of(Kind.input, level)) is None
    assert isinstance(authority.refusal(starter, hold_of(Kind.confirmation, Level.low)), errors.WrongRole)


@pytest.mark.parametrize(
    ("who", "sees"),
    [
        (LEAD, True),
        (DEVELOPER, False),
        (principal(30), False),
        (ADMIN, True),
        (AUDIT, True),
        (replace(STARTER, roles=frozenset[str]()), True),
        (AGENT, True),
        (principal(31, kind=PrincipalKind.agent), False),
        (principal(31, "team_lead", kind=PrincipalKind.agent), False),
        (principal(32, "team_lead", ADMINISTRATOR, AUDITOR, kind=PrincipalKind.service), False),
        (INACTIVE, False),
        (replace(ADMIN, active=False), False),
        (replace(AGENT, active=False), False),
        (replace(STARTER, active=False), False),
    ],
    ids=lambda value: value.name if isinstance(value, Principal) else None,
)
@pytest.mark.parametrize("kind", Kind)
def test_who_may_see(kind: Kind, who: Principal, sees: bool) -> None:
    assert authority.may_see(who, hold_of(kind, Level.high)) is sees


def test_the_opener_sees_the_hold_without_any_role() -> None:
    who = replace(OPENER, roles=frozenset[str]())
    assert authority.may_see(who, hold_of(Kind.approval, Level.low, opener=who))


def say(who: Principal, reason: str | None = None) -> Review:
    return Review(who.id, who.roles, Verdict.approve, T0, reason)


@pytest.mark.parametrize(
    ("kind", "assessment", "review", "counts"),
    [
        (Kind.approval, MEDIUM, say(LEAD), True),
        (Kind.approval, MEDIUM, say(CTO), False),
        (Kind.approval, MEDIUM, say(STARTER), False),
        (Kind.confirmation, MEDIUM, say(STARTER), False),
        (Kind.confirmation, LOW, say(STARTER), True),
        (Kind.confirmation, HIGH, say(STARTER), False),
        (Kind.confirmation, HIGH, say(LEAD), True),
        (Kind.approval, CRITICAL, say(CTO), False),
        (Kind.approval, CRITICAL, say(CTO, "  "), False),
        (Kind.approval, CRITICAL, say(CTO, "checked"), True),
        (Kind.approval, CRITICAL, replace(say(CTO), verdict=Verdict.reject), True),
        (Kind.approval, LOW, say(LEAD), True),
    ],
)
def test_an_earlier_review_counts_as_it_would_if_given_now(
    kind: Kind, assessment: Assessment, review: Review, counts: bool
) -> None:
    assert authority.still_counts(review, replace(opened(kind), assessment=assessment)) is counts
