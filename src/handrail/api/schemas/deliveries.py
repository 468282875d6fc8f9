"""Notices and how they fared."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.people import Who


class DeliveryOut(BaseModel):
    id: UUID = Field(description="Also the `webhook-id` of every attempt.")
    hold_id: UUID
    event: str = Field(description="The event it reports.")
    route: str = Field(description="The policy's route.")
    channel: str = Field(description="The channel that is being tried, was tried last, or delivered it.")
    channels: list[str] = Field(description="Tried in this order.")
    people: list[Who] = Field(description="The recipient.")
    status: Literal["queued", "delivered", "dead"]
    attempts: int = Field(description="On this channel.")
    queued_at: datetime
    next_at: datetime | None = Field(description="When the next attempt is due.")
    last_error: str | None
    delivered_at: datetime | None


class MessageOut(BaseModel):
    """A message that people have outside."""

    channel: str
    status: Literal["current", "updating", "outdated"] = Field(
        description="Whether it says how the hold stands; `outdated`: it was deleted, or its channel stayed away."
    )
    sent_at: datetime
    last_error: str | None


class DeliveryList(BaseModel):
    deliveries: list[DeliveryOut]
    next: str | None


class HoldDeliveries(DeliveryList):
    messages: list[MessageOut]
