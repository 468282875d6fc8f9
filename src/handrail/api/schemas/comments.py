"""Comments on a hold."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Wire
from handrail.api.schemas.people import Who


class AddComment(Wire):
    text: Annotated[str, Field(min_length=1, max_length=20_000)]
    reply_to: int | None = Field(default=None, ge=1, lt=2**63, strict=True, description="The comment this replies to.")


class CommentOut(BaseModel):
    id: int
    by: Who
    at: datetime
    text: str
    reply_to: int | None


class CommentList(BaseModel):
    comments: list[CommentOut]
