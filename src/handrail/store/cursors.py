"""Cursors of pages: where a page ended, as text that means nothing to who carries it."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import datetime
from typing import Any
from uuid import UUID

from handrail.core import errors


def pack(parts: list[object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts, separators=(",", ":")).encode()).decode().rstrip("=")


def unpack(cursor: str, tag: str, length: int) -> list[Any]:
    """The parts behind the tag, each to be checked by its reader."""
    try:
        parts = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError):
        raise errors.BadCursor() from None
    if not isinstance(parts, list) or len(parts) != length + 1 or parts[0] != tag:  # pyright: ignore[reportUnknownArgumentType] - JSON of anyone's
        raise errors.BadCursor()
    return parts[1:]  # pyright: ignore[reportUnknownVariableType] - each part is checked by its reader


def time(value: object) -> datetime:
    try:
        return datetime.fromisoformat(value)  # pyright: ignore[reportArgumentType] - a wrong type is caught
    except (TypeError, ValueError):
        raise errors.BadCursor() from None


def uuid(value: object) -> UUID:
    try:
        return UUID(value)  # pyright: ignore[reportArgumentType] - a wrong type is caught
    except (TypeError, ValueError, AttributeError):
        raise errors.BadCursor() from None
