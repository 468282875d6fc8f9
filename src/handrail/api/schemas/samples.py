"""Samples on the wire."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Flag, Text, Wire
from handrail.api.schemas.holds import ActionOut
from handrail.api.schemas.people import Who
from handrail.api.schemas.replay import ReplayOut
from handrail.core.risk import Level


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
    id: str = Field(description="Of the rule.")
    action: str
    rule: str = Field(description="An entry for `rules` of risk-assessment-rules.yaml. A person applies it.")
    findings: list[SampleOut]


class ProposalDetail(ProposalOut):
    files: dict[str, str] = Field(description="The whole policy with the rule, to check and apply.")
    changes: list[str] = Field(description="What differs from the policy in force, in words.")
    replay: ReplayOut = Field(description="The period under the changed policy.")


class RaisedOut(BaseModel):
    """An action with findings that people are asked about now."""

    action: str
    risk: Level
    findings: list[SampleOut]


class DrawnOut(BaseModel):
    action: str
    drawn: int
    looked: int = Field(description="How many of them somebody has looked at.")
    findings: int


class RateOut(BaseModel):
    entry: str = Field(description="Of `actions` in actions.yaml.")
    share: float = Field(description="Of its low actions that ran without asking anybody, from 0 to 1.")
    actions: list[DrawnOut] = Field(description="What was drawn in the last 90 days, as far as you may see it.")


class SampleList(BaseModel):
    samples: list[SampleOut] = Field(description="Those that you may look at, the oldest first; at most 500.")
    proposals: list[ProposalOut] = Field(description="For actions with findings that nobody is asked about yet.")
    raised: list[RaisedOut] = Field(description="Actions with findings that people are asked about now.")
    rates: list[RateOut]
