"""The emergency brake."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Line, Wire
from handrail.api.schemas.people import Who


class SetBrake(Wire):
    agent: Line | None = Field(default=None, description="Id or name of the agent to stop; null: everyone.")
    pending: Literal["freeze", "deny"] = Field(
        default="freeze",
        description="freeze: pending holds cannot be approved while the brake is on; deny: they are rejected.",
    )
    reason: Annotated[str, Field(min_length=1, max_length=20_000)]


class LiftBrake(Wire):
    agent: Line | None = None
    reason: Annotated[str, Field(min_length=1, max_length=20_000)]


class BrakeOut(BaseModel):
    agent: Who | None = Field(description="Null: everyone is stopped.")
    pending: Literal["freeze", "deny"]
    reason: str
    set_by: Who
    set_at: datetime


class BrakeList(BaseModel):
    brakes: list[BrakeOut] = Field(description="The brakes that are on.")
