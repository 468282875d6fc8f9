"""Absences on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Key, Line, Moment, Text, Wire
from handrail.api.schemas.people import Who
from handrail.core.risk import Level

# a name with `*` for anything; the same letters as an action's
Pattern = Annotated[str, Field(min_length=1, max_length=200)]


class SetAbsence(Wire):
    stand_in: Line = Field(description="Id or name of the person who decides meanwhile.")
    until: Moment
    from_: Moment | None = Field(default=None, alias="from", description="Now, if not given.")
    person: Line | None = Field(
        default=None, description="Id or name of the person who is away, if you are an administrator and it is not you."
    )
    levels: list[Level] = Field(default=[], max_length=4, description="Only these levels of risk; all, if empty.")
    actions: list[Pattern] = Field(
        default=[], max_length=50, description="Only actions of these names, with `*` for anything; all, if empty."
    )
    cases: list[Key] = Field(default=[], max_length=50, description="Only these cases; all, if empty.")
    reason: Text | None = Field(default=None, description="Required for someone else's absence.")


class EndAbsence(Wire):
    reason: Text | None = None


class AbsenceOut(BaseModel):
    id: UUID
    person: Who
    stand_in: Who
    from_: datetime = Field(alias="from")
    until: datetime
    levels: list[Level]
    actions: list[str]
    cases: list[str]
    set_by: Who
    set_at: datetime
    reason: str | None
    status: Literal["planned", "in_force", "suspended", "ended"] = Field(
        description="`suspended`: the stand-in is away as well, so no one decides for the person."
    )


class AbsenceList(BaseModel):
    absences: list[AbsenceOut]
