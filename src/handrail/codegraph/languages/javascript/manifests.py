"""JSON manifests as people write them: with comments, trailing commas, and values of any shape."""

import json
import re
from typing import Any, cast

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)


def read_object(text: str) -> dict[str, Any]:
    """The object that a manifest holds; empty where it is none."""
    try:
        found = json.loads(text)
    except ValueError:
        found = _relaxed(text)
    except RecursionError:
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _relaxed(text: str) -> object:
    without = _TOKEN.sub(lambda token: token.group() if token.group().startswith('"') else " ", text)
    without = _TOKEN.sub(lambda token: token.group() if token.group().startswith('"') else " ", without)
    try:
        return json.loads(without.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None


def texts(value: object) -> list[str]:
    """The strings of a list, or one string; nothing of other values."""
    if isinstance(value, str):
        return [value]
    return [item for item in cast("list[object]", value) if isinstance(item, str)] if isinstance(value, list) else []


def mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
