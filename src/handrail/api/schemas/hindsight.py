"""Fatigue and suggestions on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.grants import CoveredCall, TermsOut
from handrail.api.schemas.people import Who
from handrail.api.schemas.replay import ReplayOut
from handrail.core.risk import Level
from handrail.hindsight.fatigue import Sign


class SeenHold(BaseModel):
    id: UUID
    short_id: str
    title: str
    opened_at: datetime


class SuggestionOut(BaseModel):
    id: str
    kind: Literal["rule", "grant"]
    tightens: bool = Field(description="It asks for more: people rejected most of such calls.")
    words: str = Field(description="The change, for people.")
    agent: Who
    action: str
    risk: Level
    asked: int = Field(description="How often people were asked about such calls in the period.")
    stopped: int = Field(description="How many of them were rejected, cancelled or expired.")
    covered: int = Field(description="How many of them nobody would have been asked about.")
    slips: int = Field(description="How many of those somebody had stopped.")
    minutes: float = Field(description="An estimate of what reading those took people.")
    like: SeenHold = Field(description="The newest call of the kind. A grant is proposed from it.")


class SuggestionList(BaseModel):
    since: datetime
    until: datetime
    suggestions: list[SuggestionOut]


class SuggestionDetail(SuggestionOut):
    calls: list[CoveredCall] = Field(description="Those that it would have decided, at most 200; stopped ones first.")
    terms: TermsOut | None = Field(description="Of a grant.")
    files: dict[str, str] | None = Field(description="Of a rule: the whole policy with the change, to check and apply.")
    changes: list[str] | None = Field(description="Of a rule: what differs from the policy in force, in words.")
    replay: ReplayOut | None = Field(description="Of a rule: the period under the changed policy.")


class FatigueSign(BaseModel):
    sign: Sign = Field(
        description="`quick`: decided sooner than it can be read. `streak`: approvals in a row, faster "
        "than each can be read. `always_yes`: nearly everything approved. `copied_reason`, `no_reason`: one reason "
        "again and again, or none. `share`: more reviews than a fair share. `never_refused`: a rule that asks, and "
        "nobody refuses."
    )
    person: Who | None
    rule: str | None
    text: str | None = Field(description="The reason that is copied.")
    count: int
    of: int = Field(description="Reviews by this person, or holds of this rule.")
    figure: float = Field(description="Median seconds, length of the streak in seconds, or a share.")
    words: str = Field(description="The same as a sentence.")
    examples: list[SeenHold]
    fixes: list[SuggestionOut] = Field(description="Changes that would ask less of what it is mostly about.")


class Fatigue(BaseModel):
    since: datetime
    until: datetime
    reviews: int = Field(description="How many were looked at.")
    capped: bool = Field(description="There were more in the period; the newest count.")
    findings: list[FatigueSign]
