"""Any Python value as JSON that people can be shown. Nothing in it can make that fail, hang or grow without bound."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from pydantic_core import to_jsonable_python

from handrail.core.canonical import MAX_NUMBER, Json
from handrail_sdk.wording import shortened

DEEPEST = 40
LARGEST = 64 * 1024
LONGEST_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class Rendition:
    """`whole` where everything in the value is shown; numbers that JSON would round are shown as text."""

    shown: Json
    whole: bool


def render(value: object) -> Rendition:
    unknown: list[str] = []

    def name(item: object) -> str:
        unknown.append(type(item).__name__)
        return f"<{type(item).__name__}>"

    try:
        plain = to_jsonable_python(value, fallback=name, bytes_mode="base64")
    except Exception:  # a value's own code may run here, and raise whatever it likes
        return Rendition(f"<{type(value).__name__}, which cannot be shown>", whole=False)
    tamed = _Tamed()
    return Rendition(tamed.of(plain), whole=not (unknown or tamed.cut))


def shorten(shown: Json) -> Json:
    """The value itself where it is small, else the beginning of its text."""
    text = json.dumps(shown, ensure_ascii=False)
    return shown if len(text) <= LARGEST else text[:LARGEST] + "…"


def text(value: object) -> str | None:
    """What a graph says beside its question."""
    return shortened(_text(value), LONGEST_TEXT) if isinstance(value, str) and value.strip() else None


class _Tamed:
    """A copy within what a hold can hold: depth, numbers, and text without NUL and halves of characters."""

    def __init__(self) -> None:
        self.cut = False

    def of(self, value: Any, depth: int = 1) -> Json:
        if isinstance(value, dict | list):
            if depth > DEEPEST:
                self.cut = True
                return "…"
            if isinstance(value, list):
                return [self.of(item, depth + 1) for item in cast("list[Any]", value)]
            fields = cast("dict[Any, Any]", value)
            named = {_text(str(key)): self.of(item, depth + 1) for key, item in fields.items()}
            self.cut = self.cut or len(named) < len(fields)
            return named
        if isinstance(value, str):
            return _text(value)
        if isinstance(value, int | float) and not -MAX_NUMBER <= value <= MAX_NUMBER:
            return f"{value}"[:LARGEST]
        return value


def _text(text: str) -> str:
    return text.replace("\x00", "␀").encode(errors="replace").decode()
