"""Answer schemas and answers, hostile ones too."""

from __future__ import annotations

import pytest
from unit.core.samples import question

from handrail.core import answers, errors, questions
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Kind

FORM: JsonObject = {
    "type": "object",
    "properties": {
        "window": {"$ref": "#/$defs/window"},
        "days": {"type": "array", "items": {"type": "integer"}},
        "mail": {"type": "string", "format": "email"},
    },
    "required": ["window"],
    "additionalProperties": False,
    "$defs": {"window": {"enum": ["day", "night"]}},
}


@pytest.mark.parametrize("answer", [{"window": "day"}, {"window": "night", "days": [1, 2], "mail": "a@example.org"}])
def test_an_answer_that_fits(answer: Json) -> None:
    answers.check_schema(FORM)
    answers.check_answer(FORM, answer)


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("day", "answer: "),
        (None, "answer: "),
        ({}, 'answer: "window" is a required property'),
        ({"window": "noon"}, "answer['window']: "),
        ({"window": "day", "days": [1, "hunter2"]}, "answer['days'][1]: "),
        ({"window": "day", "mail": "nobody"}, "answer['mail']: "),
        ({"window": "day", "more": 1}, "answer: "),
    ],
)
def test_an_answer_that_does_not_fit_is_told_where_and_not_repeated(answer: Json, place: str) -> None:
    with pytest.raises(errors.AnswerMismatch) as refused:
        answers.check_answer(FORM, answer)
    assert refused.value.message.startswith(place)
    assert "hunter2" not in refused.value.message


def test_without_a_schema_the_answer_is_text() -> None:
    answers.check_answer(None, "the night window")


@pytest.mark.parametrize("answer", [None, "", "  \n", 1, True, ["text"], {"text": "x"}])
def test_without_a_schema_nothing_but_text_is_taken(answer: Json) -> None:
    with pytest.raises(errors.AnswerMismatch):
        answers.check_answer(None, answer)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("x\x00", errors.NulByte),
        ("\ud800", errors.BadUtf8),
        ({"window": float("nan")}, errors.NumberOutOfRange),
        ({"window": 2**60}, errors.NumberOutOfRange),
    ],
)
def test_an_answer_that_is_not_json_is_refused(answer: Json, error: type[errors.Rejected]) -> None:
    for schema in (None, FORM, dict[str, Json]()):
        with pytest.raises(error):
            answers.check_answer(schema, answer)


def doubling(levels: int) -> JsonObject:
    """Each level refers twice to the next: small to write, 2^levels to check."""
    definitions: JsonObject = {
        f"l{n}": {"allOf": [{"$ref": f"#/$defs/l{n + 1}"}, {"$ref": f"#/$defs/l{n + 1}"}]} for n in range(levels)
    }
    return {"$ref": "#/$defs/l0", "$defs": {**definitions, f"l{levels}": {"type": "integer"}}}


def chain(levels: int) -> JsonObject:
    definitions: JsonObject = {f"l{n}": {"not": {"$ref": f"#/$defs/l{n + 1}"}} for n in range(levels)}
    return {"$ref": "#/$defs/l0", "$defs": {**definitions, f"l{levels}": {"type": "integer"}}}


RECURSIVE: JsonObject = {"$ref": "#/$defs/tree", "$defs": {"tree": {"properties": {"left": {"$ref": "#/$defs/tree"}}}}}

BAD_SCHEMAS: dict[str, Json] = {
    "not an object": "string",
    "true": True,
    "a list": [],
    "an unknown type": {"type": "text"},
    "a type of its own": {"type": 12},
    "a negative length": {"minLength": -1},
    "a pattern that is none": {"pattern": "("},
    "a pattern that looks around": {"pattern": "(?=(a+)+$)x"},
    "a pattern that refers back": {"pattern": r"(a+)\1"},
    "a pattern that is huge": {"pattern": "((a{30}){30}){30}"},
    "a reference to nothing": {"$ref": "#/$defs/missing"},
    "a reference to an anchor": {"$ref": "#here", "$defs": {"x": {"$anchor": "here", "type": "string"}}},
    "a reference to another host": {"$ref": "https://example.invalid/schema.json"},
    "a reference to plain http": {"properties": {"a": {"$ref": "http://127.0.0.1:9/schema.json"}}},
    "a reference to a file": {"$ref": "file:///etc/passwd"},
    "a dynamic reference": {"$dynamicRef": "#node", "$dynamicAnchor": "node"},
    "an inner base": {
        "properties": {"a": {"$id": "https://example.invalid/a", "$ref": "#/$defs/b", "$defs": {"b": {}}}}
    },
    "a schema of itself": {"properties": {"inner": {"$ref": "#"}}},
    "a recursive schema": RECURSIVE,
    "a schema that contains its reference": {"properties": {"a": {"items": {"$ref": "#/properties/a"}}}},
    "a recursion spelled in two ways": {
        "$ref": "#/$defs/a",
        "$defs": {"a": {"items": {"$ref": "#/%24defs/a"}}},
    },
    "a recursion that branches": {
        "$ref": "#/$defs/a",
        "$defs": {"a": {"anyOf": [{"items": {"$ref": "#/$defs/a"}}, {"items": {"$ref": "#/$defs/a"}}]}},
    },
    "references that double": doubling(24),
    "references that nest": chain(1000),
    "too many fields": {"properties": {f"f{n}": {"type": "string"} for n in range(3000)}},
}


@pytest.mark.parametrize("what", BAD_SCHEMAS)
def test_a_schema_that_cannot_be_used_is_refused_before_the_hold_opens(what: str) -> None:
    with pytest.raises(errors.BadSchema):
        questions.check(question(Kind.input, schema=BAD_SCHEMAS[what]))


@pytest.mark.parametrize(
    "schema",
    [
        {},
        doubling(4),
        chain(20),
        {"$schema": "https://example.invalid/meta", "type": "string"},
        {"$id": "https://example.invalid/form", "$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "string"}}},
        {"properties": {"$ref": {"type": "string"}, "$id": {"type": "string"}}},
        {"prefixItems": [{"type": "string"}, {"$ref": "#/prefixItems/0"}]},
        {"pattern": r"^[\w.-]+@[\w.-]+\.\w{2,10}$"},
        {"oneOf": [{"const": f"c{n}", "title": f"Country {n}"} for n in range(250)]},
    ],
)
def test_usable_schemas_are_taken(schema: Json) -> None:
    questions.check(question(Kind.input, schema=schema))


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|a)*$", "(a*)*b", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$"])
def test_a_pattern_made_to_backtrack_ends(pattern: str) -> None:
    schema: JsonObject = {"type": "string", "pattern": pattern}
    answers.check_schema(schema)
    with pytest.raises(errors.AnswerMismatch):
        answers.check_answer(schema, "a" * 50_000 + "!")
