"""Risk-gated workflows on the wire, in the words that their clients were written against."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from handrail.api.schemas.fields import Digest, Key, Text, Wire
from handrail.api.schemas.holds import RuleOut
from handrail.core.holds import Kind
from handrail.core.risk import Level

Name = Annotated[str, Field(min_length=1, max_length=200)]


class Orchestrate(BaseModel):
    """Other fields are claims: the policy's conditions read them as `task.…`, and they can only raise the level."""

    model_config = ConfigDict(extra="allow")

    operation: Name
    environment: Name
    description: Annotated[str, Field(min_length=1, max_length=20_000)]
    resource_type: Name | None = None
    security_findings: JsonValue = Field(default=None, description="A list of findings, each with a `severity`.")
    estimated_cost: Annotated[float, Field(strict=True, ge=0, le=2**53 - 1)] | None = None
    executor: Key | None = Field(default=None, description="What carries the task out; null: it is only recorded.")
    payload: JsonValue = Field(default=None, description="For the executor.")


class ApproveWorkflow(Wire):
    justification: Text | None = Field(default=None, description="Required for critical operations.")
    digest: Digest | None = Field(default=None, description="Of what you saw; required if the hold was amended.")


class RejectWorkflow(Wire):
    reason: Text | None = None
    digest: Digest | None = None


class ApprovalOut(BaseModel):
    by: str
    at: datetime
    justification: str | None


class WorkflowStatus(BaseModel):
    workflow_id: UUID
    short_id: str = Field(description="Of the run, like `R-77`. Every route takes it in the place of the id.")
    status: str = Field(
        description="submitted, pending_approval, escalated, approved, executing, completed, failed, rejected, "
        "cancelled, expired. After an approval or rejection: approved, rejected, or pending_approval."
    )
    risk_level: Level | None
    rules: list[RuleOut] = Field(description="Why this level.")
    workflow: str
    description: str | None
    hold_id: UUID | None = Field(description="The pending hold, or the one decided last.")
    hold_short_id: str | None
    approved_by: list[ApprovalOut]
    rejected_by: str | None
    reason: str | None = Field(description="Of the rejection or failure.")
    result: JsonValue
    submitted_at: datetime
    ended_at: datetime | None


class PendingWorkflow(BaseModel):
    workflow_id: UUID
    short_id: str = Field(description="Of the run, like `R-77`.")
    status: str
    risk_level: Level
    hold_id: UUID
    hold_short_id: str
    digest: str
    kind: Kind
    title: str
    required_roles: list[str]
    approvals: int = Field(description="Approvals given so far.")
    approvals_needed: int
    requested_at: datetime
    expires_at: datetime | None
    may_decide: bool = Field(description="Whether the caller may decide it.")


class PendingWorkflows(BaseModel):
    workflows: list[PendingWorkflow]
    count: int = Field(description="Number of workflows on this page.")
    next: str | None = Field(description="Cursor of the next page.")
