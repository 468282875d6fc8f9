"""Agents and services, as people look at them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.brake import BrakeOut
from handrail.core.people import PrincipalKind


class AgentOut(BaseModel):
    """Counts are of the holds that you may see."""

    id: UUID
    name: str
    kind: PrincipalKind
    active: bool
    trusted_claims: bool
    created_at: datetime
    holds: int = Field(description="Opened in the last 30 days.")
    rejected: int = Field(description="Of these, rejected.")
    pending: int
    last_at: datetime | None = Field(description="When it last opened one; in the list, of the last 30 days.")


class AgentList(BaseModel):
    agents: list[AgentOut] = Field(description="At most 500; those whose holds wait come first.")


class AgentUsage(BaseModel):
    """What the runs that ask as this agent used in the last 30 days, of the runs that you may see."""

    runs: int
    active: int
    failed: int
    tokens_in: int
    tokens_out: int
    cost: float
    seconds: float = Field(description="At work, not waiting.")


class AgentTokens(BaseModel):
    tokens: int = Field(description="How many work.")
    last_used_at: datetime | None


class AgentDetail(AgentOut):
    usage: AgentUsage
    brake: BrakeOut | None = Field(description="The brake that stops it now.")
    observed_since: datetime | None = Field(
        description="It is only observed; null if not, or if that is not yours to see."
    )
    credentials: AgentTokens | None = Field(description="For administrators.")
