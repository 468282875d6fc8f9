"""Grants on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field, JsonValue

from handrail.api.schemas.fields import Digest, Flag, Moment, Text, Wire
from handrail.api.schemas.holds import RequirementsOut
from handrail.api.schemas.people import Who
from handrail.core.holds import Status
from handrail.core.risk import Level

Bound = Annotated[
    dict[str, JsonValue],
    Field(
        description='One of `{"exact": value}`, `{"one_of": [values]}`, `{"prefix": "text/"}`, '
        '`{"range": {"min": 0, "max": 50}}` and `{"any": true}`.'
    ),
]


class _Bounds(Wire):
    target: Bound | None = Field(default=None, description="A bound for the target, if the call has one.")
    amount: dict[str, JsonValue] | None = Field(
        default=None,
        description="`argument` names one that is a number; `per_call`, `per_day` (UTC) and `total` limit it.",
    )
    uses: int | None = Field(default=None, strict=True, description="How many calls.")
    until: Moment | None = Field(default=None, description="In 7 days, if not given; at most 90.")
    this_case: Flag = Field(default=False, description="Only calls in the case of this hold.")


class GrantBounds(_Bounds):
    args: dict[str, Bound] | None = Field(
        default=None,
        description="A bound for every argument of the call; without it, the grant that Handrail proposes.",
    )


class ProposeGrant(_Bounds):
    args: dict[str, Bound] = Field(description="A bound for every argument of the call.")
    digest: Digest = Field(description="Of the hold that you saw.")
    reason: Text | None = Field(default=None, description="Required if the policy requires a justification.")


class RevokeGrant(Wire):
    reason: Annotated[str, Field(min_length=1, max_length=20_000)]


class TermsOut(BaseModel):
    action: str
    agent: Who
    args: dict[str, Bound]
    target: Bound | None
    amount: dict[str, JsonValue] | None
    uses: int | None
    until: datetime
    case_id: str | None


class CoveredCall(BaseModel):
    hold: UUID
    short_id: str
    title: str
    at: datetime
    risk: Level
    outcome: Status
    args: dict[str, JsonValue]


class GrantPreview(BaseModel):
    terms: TermsOut
    sentence: str = Field(description="The grant, for people.")
    requirements: RequirementsOut = Field(description="Who must agree before it counts, as the policy is now.")
    calls: int = Field(description="Decided calls of this action by this agent in the last 30 days, at most 2,000.")
    covered: list[CoveredCall] = Field(
        description="Those that it would have covered, within its limits; rejected and cancelled ones first."
    )
    allowed: bool = Field(description="Whether you can make it.")
    code: str | None
    reason: str | None = Field(description="Why not.")


class GrantOut(BaseModel):
    id: UUID = Field(description="Also the id of the hold that makes it.")
    short_id: str
    status: Literal["proposed", "refused", "live", "used_up", "expired", "ended"] = Field(
        description="`proposed`: others must approve its hold. `ended`: someone revoked it, or its owner lost the role."
    )
    sentence: str
    terms: TermsOut
    owner: Who
    makers: list[Who] = Field(description="Those whose approvals it rests on.")
    risk: Level
    made_at: datetime
    used: int
    spent: float | None = Field(description="Of the amount, in total.")
    last_used_at: datetime | None
    ended_at: datetime | None
    ended_by: Who | None
    ended_why: str | None


class GrantList(BaseModel):
    grants: list[GrantOut]
