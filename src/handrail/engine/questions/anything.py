"""Any other interrupt: the value is shown, and the graph resumes with what a person answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from handrail.core import errors
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Hold, Kind, Status
from handrail.holds.opening import Opening
from handrail_sdk.langgraph.answers import MARK
from handrail_sdk.wording import LONGEST_TITLE, line, shortened

from . import rendition
from .inquiry import UNBOUND, Inquiry, nobody_answered

# A graph that asks yes or no must be able to get a boolean: the text "no" would count as a yes there.
ANY_ANSWER: JsonObject = {
    "title": "Answer",
    "description": "Passed to the graph as is. If it asks yes or no, send true or false.",
    "anyOf": [
        {"title": "Text", "type": "string", "minLength": 1},
        {"title": "Yes or no", "type": "boolean"},
        {"title": "Number", "type": "number"},
        {"title": "Object", "type": "object"},
        {"title": "List", "type": "array"},
    ],
}
_SAID_IN = ("question", "prompt", "message", "title", "description", "instruction", "task")


def read(value: object, response_schema: object) -> Inquiry:
    opening = Opening(
        kind=Kind.input,
        title=_title(value),
        evidence={"value": rendition.shorten(rendition.render(value).shown)},
        schema=cast("JsonObject", response_schema) if isinstance(response_schema, dict) else ANY_ANSWER,
        context=UNBOUND,
    )
    return Inquiry((opening,), _answer)


def _answer(holds: Sequence[Hold], names: Mapping[UUID, str] | None = None) -> Json:
    """Nothing but an answer can be said to an unknown graph: any value for a no might be taken for a yes."""
    [hold] = holds
    if hold.status is not Status.answered or hold.decision is None:
        raise nobody_answered(hold)
    answer = hold.decision.answer
    if isinstance(answer, dict) and MARK in answer:
        # the node may ask for an approval too, and would take it for the answer to that
        raise errors.AnswerUnusable(
            f"the answer to {hold.question.title!r} has a field `{MARK}`, which answers may not contain"
        )
    return answer


def _title(value: object) -> str:
    fields = cast("dict[Any, Any]", value) if isinstance(value, dict) else {"question": value}
    texts = (fields.get(name) for name in _SAID_IN)
    said = next((text for text in texts if isinstance(text, str) and line(text[:2000])), "")
    # cut before cleaning: a text may be megabytes
    return shortened(line(said[:2000]), LONGEST_TITLE) or "The workflow needs an answer"
