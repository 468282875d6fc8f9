"""The policy in force, candidates, and assessments."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, JsonValue

from handrail.api.schemas.fields import Flag, Text, Wire
from handrail.api.schemas.holds import ActionIn, FactOut, RequirementsOut, RuleOut
from handrail.api.schemas.people import Who
from handrail.core.holds import Kind
from handrail.core.risk import ExpiryOutcome, Level

Files = Annotated[dict[str, Annotated[str, Field(max_length=500_000)]], Field(max_length=10)]


class PolicyCase(Wire):
    """An action, and what the policy must say of it."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    action: ActionIn
    task: dict[str, JsonValue] | None = Field(default=None, description="What an agent would claim; not trusted.")
    level: Level
    asks: Flag | None = Field(default=None, description="Whether people must be asked; null if either will do.")


class PolicyFiles(Wire):
    """The four files of a policy, by name, as text."""

    files: Files
    cases: list[PolicyCase] | None = Field(
        default=None, max_length=200, description="Its test cases; null for those of the policy in force."
    )


class ApplyPolicy(PolicyFiles):
    reason: Text | None = None


class AssessAction(Wire):
    """An action, as a hold would carry it, with your claims about it; or only a task, as `/orchestrate` takes it."""

    kind: Kind = Kind.approval
    action: ActionIn | None = None
    task: dict[str, JsonValue] | None = None
    files: Files | None = Field(default=None, description="A candidate to assess under, for administrators.")


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
    cases: list[PolicyCase]


class PolicyHistory(BaseModel):
    versions: list[PolicyVersion]


class CaseOutcome(BaseModel):
    name: str
    passed: bool
    level: Level = Field(description="What the candidate says.")
    asks: bool


class PolicyChecked(BaseModel):
    valid: bool
    problems: list[dict[str, JsonValue]] = Field(description="Each with file, line, column, field and message.")
    changes: list[str] = Field(description="What would change compared with the policy in force, in words.")
    cases: list[CaseOutcome] = Field(description="Each test case; all must pass before it can be put in force.")


class PolicyApplied(PolicyVersion):
    changes: list[str]
