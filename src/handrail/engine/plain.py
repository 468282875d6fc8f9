"""Any Python value as JSON that keeps its meaning everywhere, for people to read."""

from __future__ import annotations

import json
from typing import Any, Literal, NamedTuple, cast

from pydantic_core import PydanticSerializationError, to_jsonable_python

from handrail.core import canonical, errors
from handrail.core.canonical import Json

# the most that an event shows of what a node returned
SHOWN_BYTES = 16 << 10


def plain(value: Any) -> Json:
    """Models and messages as objects, what JSON has no word for as text."""
    try:
        found = to_jsonable_python(
            value, fallback=str, serialize_unknown=True, inf_nan_mode="strings", bytes_mode="base64"
        )
    except (PydanticSerializationError, ValueError, RecursionError):
        return _text(value)
    try:
        return canonical.check(found)
    except errors.Rejected:
        return _mended(found)


class Excerpt(NamedTuple):
    """What an event shows of a value, and whether that is only its beginning."""

    value: Json
    truncated: Literal[True] | None = None


def shown(value: Any, most: int = SHOWN_BYTES) -> Excerpt:
    """The value as JSON; its beginning as text where it is larger."""
    whole = plain(value)
    text = json.dumps(whole, ensure_ascii=False)
    if len(text.encode()) <= most:
        return Excerpt(whole)
    return Excerpt(text.encode()[:most].decode(errors="ignore"), truncated=True)


def _mended(value: Any, depth: int = 1) -> Json:
    """What is JSON and still cannot be kept: deep nesting, huge numbers, NUL characters, halves of characters."""
    if depth > canonical.MAX_DEPTH:
        return "…"
    if isinstance(value, dict):
        return {
            str(_mended(key, depth)): _mended(inner, depth + 1) for key, inner in cast("dict[Any, Any]", value).items()
        }
    if isinstance(value, list):
        return [_mended(inner, depth + 1) for inner in cast("list[Any]", value)]
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) > canonical.MAX_NUMBER:
        return str(value)
    return value


def _text(value: Any) -> str:
    return str(value).replace("\x00", "").encode(errors="replace").decode()
