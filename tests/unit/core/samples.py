"""People, assessments and holds to start a test from."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from handrail.core.holds import Action, Hold, Kind, Question, Status
from handrail.core.ids import HoldId, PrincipalId
from handrail.core.people import Principal, PrincipalKind
from handrail.core.risk import Assessment, Level, Requirements
from handrail.core.transitions import open_

T0 = datetime(2026, 1, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def principal(number: int, *roles: str, kind: PrincipalKind = PrincipalKind.person, active: bool = True) -> Principal:
    return Principal(PrincipalId(UUID(int=number)), f"{kind}-{number}", kind, frozenset(roles), active)


AGENT = principal(1, kind=PrincipalKind.agent)
STARTER = principal(2, "team_lead")
LEAD = principal(3, "team_lead")
TECH = principal(4, "tech_lead")
CTO = principal(5, "cto")
BOTH = principal(6, "tech_lead", "cto")
DEVELOPER = principal(7, "developer")
LEAD_2 = principal(8, "team_lead")

ONE_LEAD = Requirements(1, frozenset({"team_lead"}))
TWO_OF_THREE = Requirements(
    2, frozenset({"team_lead", "tech_lead", "cto"}), required=(frozenset({"tech_lead", "cto"}),)
)
TECH_AND_CTO = Requirements(
    2, frozenset({"tech_lead", "cto"}), required=(frozenset({"tech_lead"}), frozenset({"cto"})), justification=True
)

LOW = Assessment(Level.low, ONE_LEAD, auto_approve=True)
MEDIUM = Assessment(Level.medium, ONE_LEAD)
HIGH = Assessment(Level.high, TWO_OF_THREE)
CRITICAL = Assessment(Level.critical, TECH_AND_CTO)

DEPLOY = Action("deploy", {"version": "2.14"}, "staging")
ITEMS = ({"item_id": "a", "name": "first"}, {"item_id": "b", "name": "second"})


def asked(question: Question, assessment: Assessment = MEDIUM, **fields: Any) -> Hold:
    """A hold about to open: asked by an agent, in a run that a person started."""
    hold = Hold(HoldId(UUID(int=99)), AGENT.id, question, question.digest(), assessment, T0, starter=STARTER.id)
    return replace(hold, **fields)


def question(kind: Kind = Kind.approval, **fields: Any) -> Question:
    return replace(Question(kind, "Deploy 2.14 to staging", DEPLOY), **fields)


def opened(kind: Kind = Kind.approval, assessment: Assessment = MEDIUM, **fields: Any) -> Hold:
    hold = open_(asked(question(kind), assessment, **fields)).hold
    assert hold.status is Status.pending
    return hold


def batch(assessment: Assessment = MEDIUM) -> Hold:
    return open_(asked(question(Kind.confirmation, items=ITEMS), assessment)).hold
