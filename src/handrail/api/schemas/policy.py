"""The policy in force, candidates, and assessments."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, JsonValue

from handrail.api.schemas.fields import Text, Wire
from handrail.api.schemas.holds import ActionIn, FactOut, RequirementsOut, RuleOut
from handrail.api.schemas.people import Who
from handrail.core.holds import Kind
from handrail.core.risk import ExpiryOutcome, Level


class PolicyFiles(Wire):
    """The four files of a policy, by name, as text."""

    files: dict[str, Annotated[str, Field(max_length=500_000)]] = Field(max_length=10)


class ApplyPolicy(PolicyFiles):
    reason: Text | None = None


class AssessAction(Wire):
    """An action, as a hold would carry it, with your claims about it; or only a task, as `/orchestrate` takes it."""

    kind: Kind = Kind.approval
    action: ActionIn | None = None
    task: dict[str, JsonValue] | None = None


class AssessmentOut(BaseModel):
    level: Level
    score: int = Field(description="0 to 99; within a level, higher if more rules fired.")
    rules: list[RuleOut] = Field(description="The rules that fired, with the values that made them fire.")
    facts: list[FactOut] = Field(description="What is known about the action, and its source.")
    requirements: RequirementsOut
    auto_approve: bool
    timeout: float | None = Field(description="Seconds.")
    on_expiry: ExpiryOutcome
    escalate_after: float | None = Field(description="Seconds.")
    escalate_to: list[str]
    policy_version: int


class PolicyVersion(BaseModel):
    version: int
    reason: str | None
    applied_by: Who | None = Field(description="Null for the default that the first start applied.")
    applied_at: datetime


class PolicyOut(PolicyVersion):
    files: dict[str, str]
    summary: dict[str, str] = Field(description="Everything the policy says, in words, by subject.")


class PolicyHistory(BaseModel):
    versions: list[PolicyVersion]


class PolicyChecked(BaseModel):
    valid: bool
    problems: list[dict[str, JsonValue]] = Field(description="Each with file, line, column, field and message.")
    changes: list[str] = Field(description="What would change compared with the policy in force, in words.")


class PolicyApplied(PolicyVersion):
    changes: list[str]
