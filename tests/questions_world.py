"""What tests of `engine.questions` share: a hold as it stands when people have decided."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from handrail.core.holds import Action, Decision, Hold, Question, Status
from handrail.core.ids import HoldId, PrincipalId
from handrail.core.risk import Assessment, Level, Requirements
from handrail.holds.opening import Opening

ANN = PrincipalId(UUID(int=1))
AGENT = PrincipalId(UUID(int=2))
NOW = datetime(2026, 11, 15, tzinfo=UTC)


def decided(
    opening: Opening,
    outcome: str = "approved",
    *,
    reason: str | None = None,
    answer: Any = None,
    amended: Action | None = None,
) -> Hold:
    question = Question(opening.kind, opening.title, opening.action, (), opening.schema, opening.evidence)
    if amended is not None:
        question = replace(question, action=amended)
    by_clock = outcome == "expired"
    return Hold(
        id=HoldId(UUID(int=3)),
        opener=AGENT,
        question=question,
        digest=question.digest(),
        assessment=Assessment(Level.medium, Requirements(1, frozenset({"team_lead"}))),
        opened_at=NOW,
        status=Status(outcome),
        revision=1 if amended is None else 2,
        decision=Decision(
            Status(outcome),
            "expiry" if by_clock else "people",
            NOW,
            None if by_clock else ANN,
            "nobody decided in time" if by_clock else reason,
            answer,
        ),
    )
