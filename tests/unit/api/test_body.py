"""Bodies: what is JSON that we can keep comes through unchanged, everything else has its own code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handrail.api.body import parse
from handrail.core import errors
from handrail.core.canonical import MAX_DEPTH, MAX_NUMBER

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
keys = st.text("abc.[]é", min_size=1)
numbers = st.integers(-MAX_NUMBER, MAX_NUMBER) | st.floats(-MAX_NUMBER, MAX_NUMBER)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
    max_leaves=10,
)
FAULTS: list[tuple[Any, type[errors.Rejected]]] = [
    (MAX_NUMBER + 1, errors.NumberOutOfRange),
    (float("inf"), errors.NumberOutOfRange),
    ("a\x00b", errors.NulByte),
    ("\ud800", errors.BadUtf8),
    ({"\x00": 1}, errors.NulByte),
]


@given(values, st.booleans())
def test_json_comes_through_unchanged(value: Any, ascii_only: bool) -> None:
    assert parse(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary() | st.text().map(lambda text: text.encode(errors="surrogatepass")))
@example(b"\xef\xbb\xbf{}")
@example(b"1" * 5000)
@example(b"")
def test_anything_else_is_refused_and_never_a_crash(raw: bytes) -> None:
    try:
        value = parse(raw)
    except errors.Rejected:
        return
    assert value == json.loads(raw)


@given(values, st.sampled_from(FAULTS), st.lists(st.integers(0, 5) | keys, max_size=10))
def test_a_fault_is_found_wherever_it_is(
    value: Any, fault: tuple[Any, type[errors.Rejected]], steps: list[Any]
) -> None:
    """It hides among good values, at the end of a trail of keys and positions."""
    bad, expected = fault
    place = ""
    for step in reversed(steps):
        bad = [value] * step + [bad, value] if isinstance(step, int) else {step: bad, f"{step}'": value}
        place = f"[{step}]{place}" if isinstance(step, int) else f".{step}{place}"
    with pytest.raises(expected) as refusal:
        parse(json.dumps(bad).replace("Infinity", "1e999").encode())
    assert refusal.value.data["field"] == place.removeprefix(".")


@pytest.mark.parametrize("shape", ["[{}]", '{{"a":{}}}'])
def test_depth(shape: str) -> None:
    def nested(depth: int) -> bytes:
        text = "1"
        for _ in range(depth):
            text = shape.format(text)
        return text.encode()

    assert parse(nested(MAX_DEPTH)) is not None
    for depth in (MAX_DEPTH + 1, 5000):
        with pytest.raises(errors.TooDeep):
            parse(nested(depth))
    with pytest.raises(errors.TooDeep):
        parse(b"[" * (1 << 20))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'{"a": 1, "b": 2, "a": 3}', errors.InvalidField),
        (b'{"a": {"x": 1, "x": 1}}', errors.InvalidField),
        (b"NaN", errors.NumberOutOfRange),
        (b'{"a": -Infinity}', errors.NumberOutOfRange),
        (b"1e400", errors.NumberOutOfRange),
        (b"9007199254740992", errors.NumberOutOfRange),
        (b'{"a": "\xff"}', errors.BadUtf8),
        (b'"\\ud800"', errors.BadUtf8),
        (b'{"a\\u0000": 1}', errors.NulByte),
        (b"{'a': 1}", errors.NotJson),
        (b"[1,]", errors.NotJson),
        (b"{} {}", errors.NotJson),
    ],
)
def test_each_fault_has_its_code(raw: bytes, expected: type[errors.Rejected]) -> None:
    with pytest.raises(expected) as refusal:
        parse(raw)
    assert type(refusal.value) is expected
