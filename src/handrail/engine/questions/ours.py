"""A question of `ask_human`: it has everything that a hold has, and its answer is bound to its digest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Literal, cast
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from handrail.core import errors
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Action, Hold, Kind, Question
from handrail.core.risk import ExpiryOutcome
from handrail.holds.opening import Opening
from handrail_sdk.langgraph.answers import MARK, VERSION

from .inquiry import Inquiry

_NAMELESS: Mapping[UUID, str] = {}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Action(_Strict):
    name: str
    args: dict[str, JsonValue]
    target: str | None = None


class _Request(_Strict):
    handrail: Literal[1]
    kind: Literal["confirmation", "approval", "input", "review"]
    title: str = Field(max_length=500)
    action: _Action | None = None
    answer_schema: JsonValue = Field(default=None, alias="schema")
    evidence: JsonValue = None
    context: JsonValue = None
    task: dict[str, JsonValue] | None = None
    description: str | None = Field(default=None, max_length=20_000)
    case_id: str | None = None
    expires_in: float | None = Field(default=None, gt=0, le=10 * 365 * 86400)
    on_expiry: ExpiryOutcome | None = None
    takes_response: bool = False


def read(value: object, response_schema: object) -> Inquiry | None:
    if not isinstance(value, dict) or MARK not in value:
        return None
    try:
        given = _Request.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise errors.QuestionUnusable(f"a question of `ask_human` is malformed: `{place}`: {first['msg']}") from None
    opening = Opening(
        kind=Kind(given.kind),
        title=given.title,
        action=Action(given.action.name, given.action.args, given.action.target) if given.action else None,
        description=given.description,
        case_id=given.case_id,
        task=given.task,
        schema=given.answer_schema,
        evidence=given.evidence,
        context=given.context,
        expires_in=timedelta(seconds=given.expires_in) if given.expires_in is not None else None,
        on_expiry=given.on_expiry,
        takes_response=given.takes_response,
    )

    def answer(holds: Sequence[Hold], names: Mapping[UUID, str] = _NAMELESS) -> Json:
        [hold] = holds
        return _envelope(opening, hold, names)

    return Inquiry((opening,), answer)


def _envelope(opening: Opening, hold: Hold, names: Mapping[UUID, str]) -> JsonObject:
    """What the node goes on with. The digest is that of the question as asked: a person may have amended it since."""
    decision, action = hold.decision, hold.question.action
    asked = Question(opening.kind, opening.title, opening.action, (), opening.schema, opening.evidence)
    by = decision.by if decision else None
    return {
        MARK: VERSION,
        "digest": asked.digest(),
        "hold_id": str(hold.id),
        "outcome": hold.status.value,
        "answer": decision.answer if decision else None,
        "action": action and {"name": action.name, "args": action.args, "target": action.target},
        "reason": decision.reason if decision else None,
        "by": cast("JsonObject", {"id": str(by), "name": names.get(by, str(by))}) if by else None,
    }
