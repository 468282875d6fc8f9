"""What is shown is bound to its decision by a digest that both sides compute."""

from __future__ import annotations

import hashlib
import json
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from handrail.core import holds as core
from handrail_sdk import Action, NotJson, digest
from handrail_sdk.canonical import plain

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(codec="ascii", exclude_characters="\x00")), inner, max_size=4)
    ),
    max_leaves=20,
)
OBJECT = st.dictionaries(st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])), JSON, max_size=4)


# shared with the SDK for TypeScript
VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[3] / "sdk" / "vectors.json").read_text("utf-8"))


@pytest.mark.parametrize("vector", VECTORS["digests"], ids=lambda vector: vector["name"])
def test_a_shared_vector_has_its_canonical_form_and_its_digest(vector: dict[str, Any]) -> None:
    asked = dict(vector["question"])
    kind, title, action = asked.pop("kind"), asked.pop("title"), asked.pop("action")
    assert rfc8785.dumps(plain(action["args"] if action else asked)).decode() == vector["canonical"]
    assert digest(kind, title, action and Action(**action), **asked) == vector["digest"]


@pytest.mark.parametrize("vector", VECTORS["refused"], ids=lambda vector: vector["name"])
def test_a_shared_vector_that_is_not_json_is_refused(vector: dict[str, Any]) -> None:
    with pytest.raises(NotJson, match=vector["why"]):
        plain(vector["value"])


def digest_of_args(canonical: str) -> str:
    """SHA-256 of the canonical question whose arguments are, canonically, this text."""
    question = (
        '{"action":{"args":{"value":%s},"name":"a","target":null},"evidence":null,"items":[],"kind":"approval",'
        '"schema":null,"title":"t","version":1}'
    )
    return hashlib.sha256((question % canonical).encode()).hexdigest()


@pytest.mark.parametrize(
    ("value", "canonical"),
    [
        # the samples of RFC 8785, sections 3.2.2 and 3.2.3, and of its appendix B
        ([333333333.33333329, 4.50, 2e-3, 1e-27], "[333333333.3333333,4.5,0.002,1e-27]"),
        ("\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/", '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'),
        ([None, True, False], "[null,true,false]"),
        (
            {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7},
            '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\U0001f600":5,"\ufb33":3}',
        ),
        ([0.0, -0.0, 5e-324, -5e-324], "[0,0,5e-324,-5e-324]"),
        ([9007199254740991, -9007199254740991], "[9007199254740991,-9007199254740991]"),
        ([0.000001, 9.999999999999997e-7, 333333333.3333332], "[0.000001,9.999999999999997e-7,333333333.3333332]"),
    ],
)
def test_the_digest_is_over_the_canonical_json_of_rfc_8785(value: object, canonical: str) -> None:
    assert digest("approval", "t", Action("a", {"value": value})) == digest_of_args(canonical)


@given(st.text(max_size=10), OBJECT, st.none() | st.text(max_size=5), st.lists(OBJECT, max_size=2), JSON, JSON)
def test_the_sdk_and_the_server_compute_the_same_digest(
    title: str, args: dict[str, Any], target: str | None, items: list[dict[str, Any]], schema: object, evidence: object
) -> None:
    title, target = title.replace("\x00", ""), target and target.replace("\x00", "")
    question = core.Question(
        core.Kind.review, title, core.Action("act", args, target), tuple(items), plain(schema), plain(evidence)
    )
    assert question.digest() == digest(
        "review", title, Action("act", args, target), items=items, schema=schema, evidence=evidence
    )


def test_a_changed_argument_name_or_target_changes_the_digest() -> None:
    digests = {
        digest("approval", "t", Action("a", {"n": 1})),
        digest("approval", "t", Action("a", {"n": 2})),
        digest("approval", "t", Action("b", {"n": 1})),
        digest("approval", "t", Action("a", {"n": 1}, "x")),
        digest("approval", "u", Action("a", {"n": 1})),
        digest("confirmation", "t", Action("a", {"n": 1})),
    }
    assert len(digests) == 6


def test_a_plain_copy_does_not_follow_later_changes() -> None:
    original = {"hosts": ["a"]}
    copy = plain(original)
    original["hosts"].append("b")
    assert copy == {"hosts": ["a"]}


class Colour(StrEnum):
    red = "red"


class Size(IntEnum):
    small = 1


def test_subclasses_become_the_plain_values_that_they_are() -> None:
    copy = plain([Colour.red, Size.small, {Colour.red: True}])
    assert [type(copy[0]), type(copy[1]), type(next(iter(copy[2])))] == [str, int, str]
    assert copy == ["red", 1, {"red": True}]


def deep(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"when": object()}, "arg.when holds a object"),
        ({"a": [1, (2, 3)]}, r"arg.a\[1\] holds a tuple"),
        ({1: "one"}, "arg holds a int"),
        ([float("nan")], r"arg\[0\] is nan"),
        (float("-inf"), "arg is -inf"),
        (2**53, "beyond"),
        (1e30, "beyond"),
        (10**400, "beyond"),
        ("a\x00b", "NUL"),
        ("\ud800", "surrogate"),
        (b"bytes", "bytes"),
        (deep(65), "deeper than 64"),
    ],
)
def test_what_is_not_json_is_refused_and_the_message_names_the_place(value: object, place: str) -> None:
    with pytest.raises(NotJson, match=place):
        plain(value, "arg")


def test_as_many_levels_are_taken_as_the_server_takes() -> None:
    assert plain(deep(64)) == deep(64)
