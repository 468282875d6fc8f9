"""Who looks at a hold, and saved views of the inbox, on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Flag, Key, Line, Moment, Wire
from handrail.api.schemas.people import Who
from handrail.core.holds import Kind, Status
from handrail.core.risk import Level
from handrail.store.needing import View


class AssigneeOut(BaseModel):
    """It reserves nothing: whoever may decide the hold still may."""

    person: Who
    by: Who = Field(description="The person themself, if they claimed it.")
    at: datetime


class TriageOut(BaseModel):
    assignee: AssigneeOut | None
    snoozed_until: datetime | None = Field(description="By you. It ends early if the hold changes.")
    deciders: list[Who] = Field(description="Those to whom you may assign it; none if you may not decide it.")


class AssignHold(Wire):
    person: Line | None = Field(default=None, description="Id or name of someone who may decide it; you, if not given.")


class SnoozeHold(Wire):
    until: Moment = Field(description="Within 30 days, and before the hold expires.")


class ViewFilters(Wire):
    """What the address of the inbox carries."""

    view: View | Literal["all"] | None = None
    status: Status | None = None
    kind: Kind | None = None
    risk: Level | None = None
    case: Key | None = None
    agent: Line | None = None
    action: Key | None = None
    text: Annotated[str, Field(min_length=1, max_length=500)] | None = None
    within: Literal["1h", "24h", "7d", "30d"] | None = Field(default=None, description="How long ago it was opened.")
    assignee: Line | None = None
    group: Flag | None = Field(default=None, description="Like holds together.")


class SaveView(Wire):
    name: Annotated[str, Field(min_length=1, max_length=60)]
    filters: ViewFilters


class SavedViewOut(BaseModel):
    id: UUID
    name: str
    filters: ViewFilters
    saved_at: datetime


class SavedViews(BaseModel):
    views: list[SavedViewOut]
