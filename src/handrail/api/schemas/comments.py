"""Comments on a hold."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Wire
from handrail.api.schemas.people import Who


class AddComment(Wire):
    text: Annotated[str, Field(min_length=1, max_length=20_000)]


class CommentOut(BaseModel):
    id: int
    by: Who
    at: datetime
    text: str


class CommentList(BaseModel):
    comments: list[CommentOut]
