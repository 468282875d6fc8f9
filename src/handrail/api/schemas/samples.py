"""Samples on the wire."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Flag, Text, Wire
from handrail.api.schemas.holds import ActionOut
from handrail.api.schemas.people import Who


class LookAtSample(Wire):
    finding: Flag = Field(description="Whether people should have been asked.")
    reason: Text | None = Field(default=None, description="Required for a finding.")


class SampleOut(BaseModel):
    """A low action that ran without asking anybody."""

    hold_id: UUID
    short_id: str
    title: str
    action: ActionOut
    opened_by: Who
    opened_at: datetime
    drawn_at: datetime
    looked_at: datetime | None
    finding: bool | None = Field(description="Null until somebody has looked.")
    reason: str | None


class ProposalOut(BaseModel):
    action: str
    rule: str = Field(description="An entry for `rules` of risk-assessment-rules.yaml. A person applies it.")
    findings: list[SampleOut]


class SampleList(BaseModel):
    samples: list[SampleOut] = Field(description="Those that you may look at, the oldest first.")
    proposals: list[ProposalOut]
