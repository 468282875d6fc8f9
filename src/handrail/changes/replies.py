"""A person's words as the answer to what a change asks: its questions are forms, and people write sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from handrail.core.canonical import Json, JsonObject

# the choice that leaves the answer to words, and the field that takes these: of an open point, and of a change that
# does not pass
OTHER: Final = "something else"
GUIDE: Final = "tell the agent what to do"
COMMENT: Final = "comment"
TEXT: Final = "text"
_FREE = {OTHER: COMMENT, GUIDE: TEXT}


def answer_of(schema: Json, words: str) -> Json:
    """The answer that these words are. Where they are one of a question's choices, that one is chosen; else they go
    where free text goes. One sentence may answer several questions: whoever asked reads it beside each."""
    asked = schema if isinstance(schema, dict) else {}
    properties = cast("Mapping[str, Any]", asked.get("properties") or {})
    if not properties:
        return words
    required = cast("list[str]", asked.get("required") or [*properties])
    answer: JsonObject = {}
    for name in required:
        choices = cast("list[str]", properties.get(name, {}).get("enum") or [])
        chosen = _chosen(choices, words)
        free = next((choice for choice in choices if choice in _FREE), None)
        answer[name] = chosen or free or words
        if chosen is None and free is not None:
            answer[_FREE[free]] = words
    return answer


def _chosen(choices: list[str], words: str) -> str | None:
    said = words.strip().rstrip(".!").casefold()
    return next((choice for choice in choices if choice.casefold() == said), None)
