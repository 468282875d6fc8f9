"""Accounts of people elsewhere."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Wire


class MakeLink(Wire):
    channel: Literal["slack"]


class LinkCode(BaseModel):
    code: str
    expires_at: datetime
    next: str = Field(description="What to do with it.")


class LinkOut(BaseModel):
    id: UUID
    channel: str
    account: str = Field(description="As that service calls it.")
    linked_at: datetime


class LinkList(BaseModel):
    links: list[LinkOut]
