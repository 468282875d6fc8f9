"""The emergency brake."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Line, Wire
from handrail.api.schemas.people import Who


class SetBrake(Wire):
    agent: Line | None = Field(default=None, description="Id or name of whom to stop; nobody: everybody.")
    pending: Literal["freeze", "deny"] = Field(
        default="freeze",
        description="freeze: what waits cannot be approved while the brake is on; deny: it is rejected.",
    )
    reason: Annotated[str, Field(min_length=1, max_length=20_000)]


class LiftBrake(Wire):
    agent: Line | None = None
    reason: Annotated[str, Field(min_length=1, max_length=20_000)]


class BrakeOut(BaseModel):
    agent: Who | None = Field(description="Nobody: everybody is stopped.")
    pending: Literal["freeze", "deny"]
    reason: str
    set_by: Who
    set_at: datetime


class BrakeList(BaseModel):
    brakes: list[BrakeOut] = Field(description="Those that are on.")
