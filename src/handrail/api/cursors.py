"""Cursors of lists that are ordered by id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from fastapi import Query

from handrail.core.errors import BadCursor

Cursor = Annotated[str | None, Query(max_length=100, description="`next` of the previous page.")]
Limit = Annotated[int, Query(ge=1, le=500)]


def read(cursor: str | None) -> UUID | None:
    if cursor is None:
        return None
    try:
        return UUID(cursor)
    except ValueError:
        raise BadCursor from None


def following(ids: Sequence[UUID], limit: int) -> str | None:
    """The cursor after a page; none where it was the last."""
    return str(ids[-1]) if len(ids) == limit else None
