"""JSON that keeps its meaning everywhere, and its canonical bytes."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from unit.core.samples import CRITICAL, DEPLOY, asked, question

from handrail.core import canonical, errors
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Kind, Question


def nested(depth: int) -> Json:
    value: Json = 0
    for _ in range(depth):
        value = [value]
    return value


def test_the_sample_of_rfc_8785() -> None:
    value = json.loads(
        r"""{"numbers": [333333333.33333329, 1E15, 4.50, 2e-3, 0.000000000000000000000000001],
             "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
             "literals": [null, true, false]}"""
    )
    assert canonical.encode(value).decode() == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1000000000000000,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=4) | st.sampled_from(
    ["\ue000", "\ud7ff", "😀", "\x7f"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(-1e15, 1e15) | NAMES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=6),
)


@given(VALUES)
def test_the_short_way_gives_the_bytes_of_rfc_8785(value: Any) -> None:
    assert canonical.encode(value) == rfc8785.dumps(value)


def test_names_are_ordered_by_utf_16_units() -> None:
    value: JsonObject = {"€": 1, "\r": 2, "\ufb33": 3, "1": 4, "😀": 5, "\x80": 6, "ö": 7}
    assert list(json.loads(canonical.encode(value))) == ["\r", "1", "\x80", "ö", "€", "😀", "\ufb33"]


@pytest.mark.parametrize(
    ("bits", "text"),
    [
        ("0000000000000000", "0"),
        ("8000000000000000", "0"),
        ("0000000000000001", "5e-324"),
        ("8000000000000001", "-5e-324"),
        ("433fffffffffffff", "9007199254740991"),
        ("4340000000000000", "9007199254740992"),
        ("44b52d02c7e14af5", "9.999999999999997e+22"),
        ("44b52d02c7e14af6", "1e+23"),
        ("444b1ae4d6e2ef4e", "999999999999999700000"),
        ("444b1ae4d6e2ef50", "1e+21"),
        ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
        ("3eb0c6f7a0b5ed8d", "0.000001"),
        ("41b3de4355555553", "333333333.3333332"),
        ("41b3de4355555557", "333333333.33333343"),
    ],
)
def test_numbers_of_rfc_8785_appendix_b(bits: str, text: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical.encode(number).decode() == text


@pytest.mark.parametrize("value", [0, -0.0, 1.5, 2**53 - 1, -(2**53) + 1, True, None, "", "😀", [], {}, nested(64)])
def test_json_is_taken_as_it_is(value: Json) -> None:
    assert canonical.check(value) is value


@pytest.mark.parametrize(
    ("value", "error", "place"),
    [
        ({"a": [1, 2**53]}, errors.NumberOutOfRange, "args.a[1]"),
        ({"a": -(2**53)}, errors.NumberOutOfRange, "args.a"),
        ({"a": 10**400}, errors.NumberOutOfRange, "args.a"),
        ({"a": float(2**53)}, errors.NumberOutOfRange, "args.a"),
        ({"a": 1e300}, errors.NumberOutOfRange, "args.a"),
        ({"a": float("nan")}, errors.NumberOutOfRange, "args.a"),
        ({"a": float("-inf")}, errors.NumberOutOfRange, "args.a"),
        ({"a": "x\x00y"}, errors.NulByte, "args.a"),
        ({"a": {"x\x00": 1}}, errors.NulByte, "args.a"),
        ({"a": "\ud83d"}, errors.BadUtf8, "args.a"),
        ({"\udc00": 1}, errors.BadUtf8, "args"),
        ({"a": {1: 2}}, errors.InvalidField, "args.a"),
        ({"a": {None: 2}}, errors.InvalidField, "args.a"),
        ({"a": b"bytes"}, errors.InvalidField, "args.a"),
        ({"a": (1, 2)}, errors.InvalidField, "args.a"),
        ({"a": {1, 2}}, errors.InvalidField, "args.a"),
        ({"a": object}, errors.InvalidField, "args.a"),
        (nested(65), errors.TooDeep, "args"),
    ],
)
def test_what_is_not_json_or_changes_on_its_way_is_refused_with_its_place(
    value: object, error: type[errors.Rejected], place: str
) -> None:
    with pytest.raises(error) as refused:
        canonical.check(value, "args")
    assert type(refused.value) is error
    assert f"`{place}`" in refused.value.message
    assert "\x00" not in refused.value.message
    refused.value.message.encode()


def test_a_value_that_holds_itself_is_too_deep() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(errors.TooDeep):
        canonical.check(loop)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-canonical.MAX_NUMBER, canonical.MAX_NUMBER)
    | st.floats(-canonical.MAX_NUMBER, canonical.MAX_NUMBER)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abö€😀", max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_canonical_bytes_say_the_same_value_and_are_their_own_canonical_form(value: Json) -> None:
    encoded = canonical.encode(canonical.check(value))
    assert json.loads(encoded) == value
    assert canonical.encode(json.loads(encoded)) == encoded


QUESTION = question(Kind.review, items=({"item_id": "a"},), schema={"type": "string"}, evidence={"diff": "+1"})
OTHER_QUESTIONS: dict[str, Question] = {
    "kind": replace(QUESTION, kind=Kind.confirmation),
    "title": replace(QUESTION, title="Deploy 2.14 to  staging"),
    "action name": replace(QUESTION, action=replace(DEPLOY, name="Deploy")),
    "argument": replace(QUESTION, action=replace(DEPLOY, args={"version": "2.15"})),
    "argument's type": replace(QUESTION, action=replace(DEPLOY, args={"version": 2.14})),
    "more arguments": replace(QUESTION, action=replace(DEPLOY, args={"version": "2.14", "force": None})),
    "target": replace(QUESTION, action=replace(DEPLOY, target="production")),
    "no target": replace(QUESTION, action=replace(DEPLOY, target=None)),
    "items": replace(QUESTION, items=({"item_id": "a", "x": 1},)),
    "order of items": replace(QUESTION, items=({"item_id": "b"}, {"item_id": "a"})),
    "no items": replace(QUESTION, items=()),
    "schema": replace(QUESTION, schema={"type": "integer"}),
    "no schema": replace(QUESTION, schema=None),
    "evidence": replace(QUESTION, evidence={"diff": "-1"}),
    "no evidence": replace(QUESTION, evidence=None),
}


def test_every_field_of_the_question_is_changed_by_a_case_below() -> None:
    changed = {field for other in OTHER_QUESTIONS.values() for field in Question.__slots__
               if getattr(other, field) != getattr(QUESTION, field)}  # fmt: skip
    assert changed == set(Question.__slots__)


@pytest.mark.parametrize("what", OTHER_QUESTIONS)
def test_the_digest_changes_with_what_is_shown(what: str) -> None:
    assert OTHER_QUESTIONS[what].digest() != QUESTION.digest()


def test_all_those_digests_differ() -> None:
    assert len({other.digest() for other in OTHER_QUESTIONS.values()}) == len(OTHER_QUESTIONS)


def test_the_digest_is_the_hash_of_the_documented_content() -> None:
    plain = question(Kind.approval)
    shown: JsonObject = {
        "version": 1,
        "kind": "approval",
        "title": "Deploy 2.14 to staging",
        "action": {"name": "deploy", "args": {"version": "2.14"}, "target": "staging"},
        "items": [],
        "schema": None,
        "evidence": None,
    }
    assert plain.digest() == canonical.sha256(shown)
    assert plain.digest() == "cadab5514edd7764cf05530165005f7d5a7c45f4b879ad228076d1156685e488"


def test_the_order_of_names_and_the_spelling_of_numbers_do_not_change_the_digest() -> None:
    one = replace(QUESTION, action=replace(DEPLOY, args={"a": 1, "b": 2.0}))
    other = replace(QUESTION, action=replace(DEPLOY, args={"b": 2, "a": 1.0}))
    assert one.digest() == other.digest()


def test_description_context_and_policy_are_not_in_the_digest() -> None:
    hold = asked(QUESTION)
    told = asked(QUESTION, CRITICAL, description="why", context={"x": 1}, task={"y": 2}, case_id="case")
    assert told.question.digest() == hold.question.digest() == hold.digest
