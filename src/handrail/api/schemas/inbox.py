"""Holds as rows of a list, on the wire."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.holds import ActionOut, Count
from handrail.api.schemas.people import Who
from handrail.api.schemas.triage import AssigneeOut
from handrail.core.holds import DecisionBasis, Kind, Status
from handrail.core.risk import ExpiryOutcome, Level


class RowRequirements(BaseModel):
    approvals: int
    roles: list[str]
    required: list[list[str]]


class RowDecision(BaseModel):
    outcome: Status
    basis: DecisionBasis
    by: Who | None
    on_behalf_of: Who | None = Field(description="Who was away, if `by` stood in for them.")
    at: datetime
    reason: str | None


class HoldRow(BaseModel):
    """As much of a hold as a list shows. Read the hold itself before you decide it."""

    id: UUID
    short_id: str = Field(description="For people, like `H-1042`.")
    kind: Kind
    status: Status
    title: str
    digest: str
    revision: int
    risk: Level
    requirements: RowRequirements
    action: ActionOut | None = Field(description="Without its arguments, unless an amendment made the title untrue.")
    items: int = Field(description="How many, of a batch.")
    case_id: str | None
    run_id: UUID | None
    opened_by: Who
    started_by: Who | None
    opened_at: datetime
    expires_at: datetime | None
    on_expiry: ExpiryOutcome
    approvals: int = Field(description="How many people have approved this revision.")
    reviewed: bool = Field(description="Whether you have reviewed this revision.")
    decision: RowDecision | None
    may_decide: bool
    assignee: AssigneeOut | None
    snoozed_until: datetime | None = Field(description="By you.")


class HoldRows(BaseModel):
    rows: list[HoldRow]
    next: str | None = Field(description="Cursor of the next page.")


class HoldCounts(BaseModel):
    counts: dict[Level, Count]
