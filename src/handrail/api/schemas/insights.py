"""How deciding goes, in figures."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field

from handrail.api.schemas.inbox import HoldRow
from handrail.api.schemas.people import Who
from handrail.core.risk import Level


class Spans(BaseModel):
    """How long people took to decide, in seconds; null if they decided nothing."""

    count: int = Field(description="Holds that people decided.")
    late: int = Field(description="Of these, decided later than the target.")
    p50: float | None
    p90: float | None


class RiskSpans(Spans):
    risk: Level


class Outcomes(BaseModel):
    """What became of holds. Those that nobody was asked about count in `unasked` only."""

    total: int
    unasked: int = Field(description="Decided at once, without asking anybody.")
    pending: int
    approved: int
    rejected: int
    answered: int
    expired: int
    cancelled: int
    p50: float | None = Field(description="Seconds in which people decided half of them.")


class NamedOutcomes(Outcomes):
    name: str


class AgentOutcomes(Outcomes):
    agent: Who


class Happened(BaseModel):
    """How many holds this happened to at least once."""

    escalated: int
    withdrawn: int = Field(description="An approval was withdrawn.")
    reopened: int


class Slot(BaseModel):
    since: datetime
    until: datetime
    opened: int = Field(description="Holds that people were asked about.")
    unasked: int
    decided: int = Field(description="Of those opened then, how many people have decided.")
    p50: float | None = Field(description="Seconds to decision of those opened then.")
    p90: float | None
    backlog: int = Field(description="Holds that were waiting when this part of the period ended.")


class Age(BaseModel):
    at_least: float = Field(description="Seconds.")
    below: float | None = Field(description="Seconds; null for the last one.")
    count: int


class Backlog(BaseModel):
    count: int
    oldest: datetime | None
    ages: list[Age]


class Load(BaseModel):
    person: Who
    reviews: int
    holds: int
    withdrawn: int
    p50: float | None = Field(description="Seconds from opening to their review, for half of them.")


class HourLoad(BaseModel):
    weekday: int = Field(description="Monday is 1.")
    hour: int
    reviews: int


class Insights(BaseModel):
    """Of the holds that you may see, opened in the period; `backlog` is of now."""

    since: datetime
    until: datetime
    zone: str
    target: float = Field(description="Seconds in which holds should be decided, as the server is set up.")
    counted: int
    capped: bool = Field(description="There were more: these are the newest.")
    oldest: datetime | None = Field(description="When the oldest hold that was counted opened.")
    times: Spans
    by_risk: list[RiskSpans]
    outcomes: Outcomes
    happened: Happened
    slots: list[Slot]
    backlog: Backlog
    people: list[Load]
    hours: list[HourLoad]
    risks: list[NamedOutcomes]
    agents: list[AgentOutcomes]
    actions: list[NamedOutcomes]
    rules: list[NamedOutcomes]


class InsightHolds(BaseModel):
    rows: list[HoldRow]
    more: bool = Field(description="There are more than these, which are the newest.")
