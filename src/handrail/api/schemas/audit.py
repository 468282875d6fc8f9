"""The head of the audit log."""

from __future__ import annotations

from pydantic import BaseModel, Field, JsonValue


class AuditHead(BaseModel):
    """`seal` signs the log up to its newest entry; `waiting` events have no number yet."""

    seq: int
    hash: str
    waiting: int
    key_id: str | None
    seal: dict[str, JsonValue] | None
    public_keys: list[str] = Field(description="Every key of this server, oldest first, raw Ed25519 in hex.")
