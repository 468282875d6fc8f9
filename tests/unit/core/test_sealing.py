"""Secret answers: found wherever the schema marks them, recorded by hash alone, opened only by the key."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest

from handrail.core import sealing
from handrail.core.sealing import MARK, Sealer, WrongKey

SECRET = "open sesame"
SALT = bytes(range(16))
HOLD, OTHER = UUID(int=1), UUID(int=2)
PASSWORD: Any = {"type": "string", "format": "password"}
OBJECT: Any = {"type": "object", "properties": {"user": {"type": "string"}, "key": PASSWORD}}


CASES: list[tuple[Any, Any]] = [
    (PASSWORD, SECRET),
    (OBJECT, {"user": "ann", "key": SECRET}),
    ({"properties": {"of": OBJECT}}, {"of": {"user": "ann", "key": SECRET}}),
    ({"type": "array", "items": OBJECT}, [{"user": "ann"}, {"key": SECRET}]),
    ({"prefixItems": [{"type": "string"}, PASSWORD]}, ["ann", SECRET]),
    ({"items": {"type": "string"}, "contains": PASSWORD}, ["ann", SECRET]),
    ({"additionalProperties": PASSWORD}, {"any": SECRET}),
    ({"patternProperties": {"^k": PASSWORD}}, {"key": SECRET}),
    ({"anyOf": [{"type": "null"}, PASSWORD]}, SECRET),
    ({"oneOf": [{"properties": {"a": PASSWORD}}, {"properties": {"b": {}}}]}, {"a": SECRET}),
    ({"allOf": [{"type": "object"}, OBJECT]}, {"key": SECRET}),
    ({"if": {}, "then": OBJECT}, {"key": SECRET}),
    ({"dependentSchemas": {"user": OBJECT}}, {"user": "ann", "key": SECRET}),
    ({"$ref": "#/$defs/login", "$defs": {"login": OBJECT}}, {"key": SECRET}),
    ({"properties": {"a": {"$ref": "#/$defs/k"}}, "$defs": {"k": PASSWORD}}, {"a": SECRET}),
    ({"format": "password"}, {"whole": SECRET, "list": [SECRET]}),
]


@pytest.mark.parametrize(("schema", "answer"), CASES)
def test_a_secret_is_found_at_any_depth_and_nothing_of_it_is_recorded(schema: Any, answer: Any) -> None:
    recorded = sealing.recorded(schema, answer, SALT)
    assert SECRET not in json.dumps(recorded)
    assert MARK in json.dumps(recorded)
    assert sealing.is_sealed(schema, recorded), "it is known by what was recorded too"


def test_what_is_not_secret_stays_as_it_was() -> None:
    recorded: Any = sealing.recorded(OBJECT, {"user": "ann", "key": SECRET, "more": 1}, SALT)
    assert (recorded["user"], recorded["more"]) == ("ann", 1)
    assert sealing.recorded({"type": "string"}, SECRET, SALT) == SECRET
    assert sealing.recorded(None, SECRET, SALT) == SECRET
    assert not sealing.is_sealed({"type": "string"}, MARK + "0" * 64), "a text can only look like a mark"
    assert not sealing.is_sealed(OBJECT, {"user": "ann"})


def test_the_same_secret_with_another_salt_is_another_hash() -> None:
    assert sealing.recorded(PASSWORD, SECRET, SALT) != sealing.recorded(PASSWORD, SECRET, bytes(16))


def test_where_there_is_too_much_to_look_at_the_whole_answer_is_secret() -> None:
    schema: Any = {"items": {"anyOf": [{"properties": {"k": PASSWORD}}] * 50}}
    many: Any = [{"k": SECRET}] * 2000
    assert str(sealing.recorded(schema, many, SALT)).startswith(MARK)


def test_a_box_opens_by_its_key_and_for_its_hold_alone() -> None:
    sealer = Sealer(bytes(32))
    box = sealer.seal(HOLD, {"user": "ann", "key": SECRET}, SALT)
    assert SECRET.encode() not in box
    opened = sealer.open(HOLD, box, OBJECT)
    assert opened.answer == {"user": "ann", "key": SECRET}
    assert list(opened.marks) == [SECRET]
    assert SECRET not in repr(opened)
    for other, hold in ((Sealer(bytes([1] * 32)), HOLD), (sealer, OTHER)):
        with pytest.raises(WrongKey):
            other.open(hold, box, OBJECT)


@pytest.mark.parametrize("secret", [SECRET, 'a "quoted" one', "pässwörd", "back\\slash", "tab\tand 'quote'"])
def test_a_secret_is_blotted_out_however_a_program_writes_it(secret: str) -> None:
    sealer = Sealer(bytes(32))
    opened = sealer.open(HOLD, sealer.seal(HOLD, secret, SALT), PASSWORD)
    said: Any = {
        "text": f"I log in with {secret}.",
        "json": json.dumps({"key": secret}),
        "plain": json.dumps([secret], ensure_ascii=False),
        "python": repr([secret]),
        "deep": [{"k": secret}],
        secret: 1,
    }
    blotted: Any = sealing.blotted(said, [opened])
    mark: Any = sealing.recorded(PASSWORD, secret, SALT)
    assert blotted["deep"] == [{"k": mark}]
    for form in (secret, json.dumps(secret)[1:-1], repr(secret)[1:-1]):
        assert form not in blotted["text"] + blotted["json"] + blotted["plain"] + blotted["python"]
    assert mark in blotted


def test_a_secret_of_few_letters_is_blotted_out_where_it_stands_alone() -> None:
    sealer = Sealer(bytes(32))
    opened = sealer.open(HOLD, sealer.seal(HOLD, "cat", SALT), PASSWORD)
    assert sealing.blotted({"a": "cat", "b": "a catalogue"}, [opened]) == {
        "a": sealing.recorded(PASSWORD, "cat", SALT),
        "b": "a catalogue",
    }
