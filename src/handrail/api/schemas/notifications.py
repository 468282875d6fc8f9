"""How people are notified, and what messages look like."""

from __future__ import annotations

from datetime import time
from typing import Literal

from pydantic import BaseModel, Field, JsonValue

from handrail.api.schemas.fields import Line, Wire

Personal = Literal["slack", "email", "push"]
Previewed = Literal["slack", "linear", "email", "push", "webhook"]


class QuietHours(Wire):
    """In the person's own time zone; they may pass midnight."""

    begins: time = Field(description="`22:00`")
    ends: time = Field(description="`07:00`")
    timezone: Line = Field(description="`Europe/Berlin`")


class NotificationChoice(Wire):
    channels: list[Personal] | None = Field(
        default=None,
        max_length=3,
        description="Tried first, in this order. Null: as the policy says. Empty: only the inbox.",
    )
    quiet: QuietHours | None = Field(
        default=None,
        description="Notifications wait until these hours are over, except for critical and escalated holds, reminders "
        "and holds that would expire meanwhile.",
    )


class ChannelOut(BaseModel):
    name: str
    set_up: bool
    shared: bool = Field(description="One place for all, which nobody chooses for themself.")
    reaches: bool = Field(description="Whether it reaches you: by a linked account, an address or a device.")
    named: bool = Field(description="Whether a route of the policy in force names it.")
    needs: str | None = Field(description="The first setting that is missing.")


class ChannelList(BaseModel):
    channels: list[ChannelOut]


class Preview(BaseModel):
    channel: str
    message: dict[str, JsonValue] = Field(description="As the other side would get it now.")
