"""Risk-gated workflows on the wire, in the words that their clients were written against."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from handrail.api.schemas.fields import Digest, Key, Role, Text, Wire
from handrail.api.schemas.holds import RuleOut
from handrail.core.holds import Kind
from handrail.core.risk import Level
from handrail.policy import submitted

MOST_MINUTES = submitted.LONGEST_MINUTES
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
    approvers: Annotated[list[Role], Field(max_length=20)] | None = Field(
        default=None, description="Roles: fewer than the policy asks for, never others."
    )
    timeout_minutes: Annotated[float, Field(strict=True, gt=0, le=MOST_MINUTES)] | None = Field(
        default=None, description="Shortens the policy's timeout, never lengthens it."
    )
    metadata: dict[str, JsonValue] | None = Field(default=None, description="Kept with the task, and shown to people.")


class ApproveWorkflow(Wire):
    approved_by: Text | None = Field(default=None, description="Ignored: the approver is the caller.")
    justification: Text | None = Field(default=None, description="Required for critical operations.")
    digest: Digest | None = Field(default=None, description="Of what you saw; required if the hold was amended.")


class RejectWorkflow(Wire):
    rejected_by: Text | None = Field(default=None, description="Ignored: the caller is the one who rejects.")
    reason: Text | None = None
    digest: Digest | None = None


class ApprovalOut(BaseModel):
    by: str
    at: datetime
    justification: str | None


class WorkflowEvent(BaseModel):
    at: datetime
    event: str = Field(description="As in the event log: `run.started`, `hold.opened`, `hold.decided` …")
    by: str | None = Field(description="Name of the principal who did it.")
    hold_id: UUID | None
    outcome: str | None = Field(description="Of a decision.")
    reason: str | None


class WorkflowState(BaseModel):
    workflow_id: UUID
    short_id: str = Field(description="Of the run, like `R-77`. Every route accepts it in place of the id.")
    status: str = Field(
        description="submitted, pending_approval, escalated, approved, executing, completed, failed, rejected, "
        "cancelled, expired."
    )
    risk_level: Level | None
    rules: list[RuleOut] = Field(description="Why this level.")
    workflow: str
    task_id: str = Field(description="The submitter's own, if the task has one; else the workflow's id.")
    description: str | None
    metadata: dict[str, JsonValue] | None
    hold_id: UUID | None = Field(description="The pending hold, or the one decided last.")
    hold_short_id: str | None
    approved_by: list[ApprovalOut]
    rejected_by: str | None
    reason: str | None = Field(description="Of the rejection or failure.")
    result: JsonValue
    submitted_at: datetime
    ended_at: datetime | None


class Submitted(WorkflowState):
    success: Literal[True] = True


class WorkflowDetail(WorkflowState):
    history: list[WorkflowEvent] = Field(description="Oldest first.")


class WorkflowStatus(BaseModel):
    success: Literal[True] = True
    workflow: WorkflowDetail


class Approved(BaseModel):
    success: Literal[True] = True
    workflow_id: UUID
    status: str = Field(description="approved, or pending_approval while others must approve too.")
    approved_by: str = Field(description="Name of the caller.")
    hold_id: UUID
    approvals: int = Field(description="Approvals given so far.")
    approvals_needed: int


class Rejected(BaseModel):
    success: Literal[True] = True
    workflow_id: UUID
    status: str = Field(description="rejected, or pending_approval if the policy asks for further rejections.")
    rejected_by: str = Field(description="Name of the caller.")
    hold_id: UUID


class PendingWorkflow(BaseModel):
    workflow_id: UUID
    short_id: str = Field(description="Of the run, like `R-77`.")
    task_id: str = Field(description="The submitter's own, if the task has one; else the workflow's id.")
    hold_id: UUID
    hold_short_id: str
    status: str
    risk_level: Level
    description: str
    requested_by: str
    requested_at: datetime
    approvers: list[str] = Field(description="Roles of which someone may decide it.")
    approvals: int = Field(description="Approvals given so far.")
    approvals_needed: int
    digest: str
    kind: Kind
    title: str
    expires_at: datetime | None
    may_decide: bool = Field(description="Whether the caller may decide it.")


class PendingWorkflows(BaseModel):
    success: Literal[True] = True
    count: int = Field(description="Of all pages; counted to 10,000 for each level.")
    workflows: list[PendingWorkflow]
    next: str | None = Field(description="Cursor of the next page.")
