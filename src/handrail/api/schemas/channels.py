"""Accounts of people elsewhere."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field, JsonValue

from handrail.api.schemas.fields import Digest, HoldReference, Line, Text, Wire
from handrail.core.holds import Status


class MakeLink(Wire):
    channel: Literal["slack", "linear"]
    account: Line | None = Field(
        default=None, description="For `linear`: the address of your account there. The code works for it alone."
    )


class LinkCode(BaseModel):
    code: str
    expires_at: datetime
    next: str = Field(description="What to do with it.")


class ProgramLink(BaseModel):
    """`secret` is shown once."""

    id: UUID
    url: str = Field(description="Where your program posts verdicts.")
    secret: str = Field(description="Signs them, as in Standard Webhooks. Whoever has it decides as you.")


class SentVerdict(Wire):
    """The data of a verdict."""

    hold_id: HoldReference
    verdict: Literal["approve", "reject", "answer", "respond"]
    digest: Digest = Field(description="Of the revision that you saw; every notification has it.")
    reason: Text | None = None
    answer: JsonValue = None


class SignedVerdict(Wire):
    """The body of a Standard Webhook."""

    type: Literal["hold.verdict"]
    timestamp: Line | None = None
    data: SentVerdict


class VerdictTaken(BaseModel):
    hold_id: UUID
    status: Status


class LinkOut(BaseModel):
    id: UUID
    channel: str
    account: str = Field(description="As that service calls it.")
    linked_at: datetime


class LinkList(BaseModel):
    links: list[LinkOut]
