"""Agents that are only observed."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Line, Wire
from handrail.api.schemas.people import Who
from handrail.core.risk import Level


class ChangeObservation(Wire):
    agent: Line = Field(description="Id or name of the agent or service.")
    reason: Annotated[str, Field(min_length=1, max_length=20_000)]


class PassedOut(BaseModel):
    action: str
    risk: Level
    approvals: int = Field(description="How many people would have had to approve.")
    roles: list[str] = Field(description="The roles that could have.")
    count: int
    last_hold: UUID
    last_short_id: str
    last_at: datetime


class ObservationOut(BaseModel):
    agent: Who
    since: datetime
    by: Who
    reason: str
    passed: list[PassedOut] = Field(
        description="What went through that people would have been asked about, most often first; at most 200."
    )


class ObservationList(BaseModel):
    observed: list[ObservationOut]
