"""API tokens."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Line, Seconds, Wire
from handrail.api.schemas.people import Who
from handrail.core.callers import Scope


class MakeToken(Wire):
    principal: Line = Field(description="Id or name.")
    expires_in: Seconds | None = Field(default=None, description="Seconds; null: never.")
    scopes: list[Scope] | None = Field(default=None, min_length=1, max_length=4)
    label: Annotated[str, Field(max_length=200)] | None = None


class ChangeToken(Wire):
    label: Annotated[str, Field(max_length=200)] | None = None
    expires_in: Seconds | None = None


class TokenOut(BaseModel):
    id: UUID
    principal: Who
    label: str | None
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    own: bool = Field(
        description="False while it is lent: made by someone else, or with something that someone else made."
    )


class TokenMade(TokenOut):
    token: str = Field(description="Shown only once.")


class TokenList(BaseModel):
    tokens: list[TokenOut]
    next: str | None = Field(description="Cursor of the next page.")
