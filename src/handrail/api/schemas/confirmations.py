"""Confirmations of a case, singly and in batches."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field, JsonValue

from handrail.api.schemas.fields import Digest, Flag, Text, Wire
from handrail.api.schemas.holds import ItemVerdict


class ResolveConfirmation(Wire):
    approved: Flag
    reason: Text | None = None
    digest: Digest | None = None


class ResolveBatch(Wire):
    decisions: list[ItemVerdict] = Field(max_length=1000)
    digest: Digest | None = None


class ConfirmationOut(BaseModel):
    request_id: UUID
    short_id: str = Field(description="For people, like `H-1042`. Every route accepts it in place of the id.")
    case_id: str
    agent_type: str
    action_description: str
    affected_items: list[JsonValue]
    context: JsonValue
    created_at: datetime
    items: list[dict[str, JsonValue]] | None = Field(default=None, description="If it is a batch.")
    digest: str


class Confirmations(BaseModel):
    confirmations: list[ConfirmationOut]
    count: int = Field(description="Of all that wait in the case, on every page.")
    next: str | None = Field(description="Cursor of the next page.")


class ConfirmationResolved(BaseModel):
    status: Literal["resolved"] = "resolved"
    approved: bool


class BatchResolved(BaseModel):
    status: Literal["resolved"] = "resolved"
    approved: int
    rejected: int
