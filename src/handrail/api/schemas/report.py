"""The oversight report on the wire."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.audit import AuditHead
from handrail.api.schemas.grants import GrantOut
from handrail.api.schemas.insights import AgentOutcomes, Happened, NamedOutcomes, Outcomes, RiskSpans, Spans
from handrail.api.schemas.people import Who
from handrail.api.schemas.policy import PolicyVersion


class ReportPerson(BaseModel):
    person: Who
    reviews: int
    approved: int
    rejected: int
    answered: int
    amended: int
    withdrawn: int
    p50: float | None = Field(description="Seconds from opening to their review, for half of them.")


class NotedEntry(BaseModel):
    seq: int = Field(description="The number of the entry in the audit log.")
    at: datetime
    type: str
    by: Who | None = Field(description="Null if the policy or the clock did it.")
    what: str = Field(description="In words.")
    hold_id: UUID | None
    short_id: str | None
    title: str | None


class Noted(BaseModel):
    total: int
    entries: list[NotedEntry] = Field(description="The newest 200.")


class LogStretch(BaseModel):
    first: int | None = Field(description="Number of the period's first entry.")
    last: int | None
    entries: int
    types: dict[str, int]
    head: AuditHead = Field(description="The newest seal, to compare with signed heads that are kept elsewhere.")


class Report(BaseModel):
    since: datetime
    until: datetime
    made_at: datetime
    made_by: Who
    version: str = Field(description="Of Handrail.")
    address: str = Field(description="Where entries and holds are linked to.")
    capped: bool = Field(description="There were more holds in the period than are counted; the newest are.")
    target: float = Field(description="Seconds in which people should decide.")
    outcomes: Outcomes
    happened: Happened
    times: Spans
    by_risk: list[RiskSpans]
    risks: list[NamedOutcomes]
    agents: list[AgentOutcomes]
    actions: list[NamedOutcomes]
    people: list[ReportPerson]
    exceptions: Noted = Field(description="Refused, expired, withdrawn, void, escalated, failed, warned about.")
    steering: Noted = Field(description="Policies, brakes, observing, grants, people, stand-ins, the log's own.")
    grants: list[GrantOut] = Field(description="Those that counted at any time in the period.")
    policies: list[PolicyVersion] = Field(description="Those that were in force at any time in the period.")
    log: LogStretch
