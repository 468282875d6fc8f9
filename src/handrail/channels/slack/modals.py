"""Dialogs: the reason of a verdict, and an answer in a form made from its schema."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, cast

from handrail.channels.texts import cut, line
from handrail.core.canonical import Json
from handrail.core.holds import Hold

Shape = Literal["text", "number", "integer", "yes_no", "choice", "choices", "date"]

# Slack's own limits
LONGEST_TITLE = 24
LONGEST_LABEL = 150
LONGEST_OPTION = 75
MOST_OPTIONS = 100
MOST_FIELDS = 40
LONGEST_INPUT = 3000
REASON = "reason"
_KINDS: dict[str, Shape] = {"string": "text", "number": "number", "integer": "integer", "boolean": "yes_no"}
# what a form of ours can leave to the server to check
_HARMLESS = frozenset(
    {"type", "title", "description", "default", "examples", "enum", "format", "minLength", "maxLength", "pattern"}
    | {"minimum", "maximum", "items", "uniqueItems", "minItems", "maxItems", "$schema", "$id"}
)


@dataclass(frozen=True, slots=True)
class Field:
    """`name` is nothing where the answer is this one value."""

    name: str | None
    label: str
    shape: Shape
    required: bool
    options: tuple[str | int | float, ...] = ()
    hint: str = ""


def fields(schema: Json) -> list[Field] | None:
    """What to ask for; nothing where Slack has no form for it, or must not see the answer."""
    if schema is None:
        return [Field(None, "Answer", "text", required=True)]
    if not isinstance(schema, dict):
        return None
    if schema.get("type") != "object":
        one = _field(None, schema, required=True)
        return [one] if one else None
    known = {"type", "properties", "required", "title", "description", "additionalProperties", "$schema", "$id"}
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not 0 < len(properties) <= MOST_FIELDS or schema.keys() - known:
        return None
    required = schema.get("required")
    needed = required if isinstance(required, list) else []
    found = [_field(name, part, required=name in needed) for name, part in properties.items()]
    return None if any(one is None for one in found) else cast("list[Field]", found)


def _field(name: str | None, schema: Json, *, required: bool) -> Field | None:
    if not isinstance(schema, dict) or schema.keys() - _HARMLESS or schema.get("format") == "password":
        return None
    label = str(schema.get("title") or name or "Answer")
    hint = str(schema.get("description") or "")
    kind = schema.get("type")
    if "enum" in schema:
        return _choice(name, label, "choice", schema["enum"], required, hint)
    if kind == "array" and isinstance(items := schema.get("items"), dict) and "enum" in items:
        return _choice(name, label, "choices", items["enum"], required, hint)
    shape = _KINDS.get(str(kind))
    if shape is None:
        return None
    return Field(name, label, "date" if schema.get("format") == "date" else shape, required, (), hint)


def _choice(name: str | None, label: str, shape: Shape, options: Json, required: bool, hint: str) -> Field | None:
    if not isinstance(options, list) or not 0 < len(options) <= MOST_OPTIONS:
        return None
    kept = [one for one in options if isinstance(one, str | int | float) and not isinstance(one, bool)]
    short = all(0 < len(str(one)) <= LONGEST_OPTION for one in kept)
    return Field(name, label, shape, required, tuple(kept), hint) if short and len(kept) == len(options) else None


def verdict(hold: Hold, verb: str, what: str, place: dict[str, Any]) -> dict[str, Any]:
    """Approve or reject, with what it is about and room for the reason. A no is given with one: the agent reads it."""
    needed = verb == "reject" or hold.assessment.requirements.justification
    entry = {"type": "plain_text_input", "action_id": "value", "multiline": True, "max_length": LONGEST_INPUT}
    asked: dict[str, Any] = {
        "type": "input",
        "block_id": REASON,
        "optional": not needed,
        "label": _text("Reason"),
        "element": entry,
    }
    about = {"type": "section", "text": _text(cut(line(what), 2000))}
    return _modal(f"{verb.capitalize()} {hold.short_id}", verb.capitalize(), "verdict", place, [about, asked])


def response(hold: Hold, what: str, place: dict[str, Any]) -> dict[str, Any]:
    """Words for the agent in place of yes or no; read as the answer to a question without a schema."""
    asked = _input(0, Field(None, "Response", "text", required=True, hint="The agent reads this. Nothing runs."))
    about = {"type": "section", "text": _text(cut(line(what), 2000))}
    return _modal(f"Respond to {hold.short_id}", "Respond", "answer", place, [about, asked])


def answer(hold: Hold, place: dict[str, Any]) -> dict[str, Any] | None:
    wanted = fields(hold.question.schema)
    if wanted is None:
        return None
    about = {"type": "section", "text": _text(cut(line(hold.question.title), 2000))}
    blocks = [about, *(_input(n, one) for n, one in enumerate(wanted))]
    return _modal(f"Answer {hold.short_id}", "Answer", "answer", place, blocks)


def reason_of(values: dict[str, Any]) -> str | None:
    said = values.get(REASON, {}).get("value", {}).get("value")
    return str(said) if said and str(said).strip() else None


def answer_of(schema: Json, values: dict[str, Any]) -> Json:
    """What was filled in, as the schema has it; the server checks it."""
    wanted = fields(schema) or []
    given = {one.name: _value(one, values.get(f"f{n}", {}).get("value", {})) for n, one in enumerate(wanted)}
    if list(given) == [None]:
        return given[None]
    return {str(name): value for name, value in given.items() if value is not None}


def _value(one: Field, state: dict[str, Any]) -> Json:
    option: dict[str, str] | None = state.get("selected_option")
    options: list[dict[str, str]] = state.get("selected_options") or []
    match one.shape:
        case "choice":
            return None if option is None else one.options[int(option["value"])]
        case "choices":
            return [one.options[int(each["value"])] for each in options]
        case "yes_no":
            return None if option is None else option["value"] == "yes"
        case "date":
            return state.get("selected_date")
        case "number" | "integer":
            said = state.get("value")
            return None if said in (None, "") else _number(str(said))
        case "text":
            return state.get("value")


def _number(said: str) -> Json:
    try:
        return int(said)
    except ValueError:
        pass
    try:
        return float(said)
    except ValueError:
        return said


def _input(n: int, one: Field) -> dict[str, Any]:
    made: dict[str, Any] = {
        "type": "input",
        "block_id": f"f{n}",
        "optional": not one.required,
        "label": _text(cut(line(one.label), LONGEST_LABEL)),
        "element": {"action_id": "value", **_element(one)},
    }
    return made | ({"hint": _text(cut(line(one.hint), LONGEST_LABEL))} if one.hint else {})


def _element(one: Field) -> dict[str, Any]:
    listed = [{"text": _text(line(str(each))), "value": str(n)} for n, each in enumerate(one.options)]
    match one.shape:
        case "choice":
            return {"type": "static_select", "options": listed}
        case "choices":
            return {"type": "multi_static_select", "options": listed}
        case "yes_no":
            both = [{"text": _text(word.capitalize()), "value": word} for word in ("yes", "no")]
            return {"type": "radio_buttons", "options": both}
        case "date":
            return {"type": "datepicker"}
        case "number" | "integer":
            return {"type": "number_input", "is_decimal_allowed": one.shape == "number"}
        case "text":
            return {"type": "plain_text_input", "multiline": True, "max_length": LONGEST_INPUT}


def _modal(title: str, submit: str, name: str, place: dict[str, Any], blocks: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "type": "modal",
        "callback_id": name,
        "private_metadata": json.dumps(place),
        "title": _text(cut(title, LONGEST_TITLE)),
        "submit": _text(submit),
        "close": _text("Cancel"),
        "blocks": blocks,
    }


def _text(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text or " ", "emoji": False}
