"""The audit log: its head, and its entries as people read them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field, JsonValue

from handrail.api.schemas.people import Who


class AuditHead(BaseModel):
    """`seal` signs the log up to its newest entry; `waiting` events have no number yet."""

    seq: int
    hash: str
    waiting: int
    key_id: str | None
    seal: dict[str, JsonValue] | None
    public_keys: list[str] = Field(description="Every key of this server, oldest first, raw Ed25519 in hex.")


class AuditEntry(BaseModel):
    seq: int
    at: datetime
    type: str
    actor: Who | None = Field(description="Null if the policy or the clock did it.")
    on_behalf_of: Who | None = Field(description="Who was away, if the actor stood in for them.")
    hold_id: UUID | None
    hold_short_id: str | None
    hold_title: str | None
    run_id: UUID | None
    run_short_id: str | None
    case_id: str | None
    data: dict[str, JsonValue] = Field(description="Depends on the type; empty if it was erased or is no longer kept.")
    hash: str = Field(description="Of this entry, and so of all entries before it.")


class DifferingHold(BaseModel):
    hold_id: UUID
    differences: list[str] = Field(description="Each says what the row and the log contain.")


class HoldsCompared(BaseModel):
    """`unknown` counts holds whose entries are too old to have data, so there is nothing to compare with."""

    compared: int
    unknown: int
    differing: list[DifferingHold]
    next: UUID | None = Field(description="`after` of the next page.")


class AuditEntries(BaseModel):
    entries: list[AuditEntry]
    next: int | None = Field(description="`before` of the next page.")
