"""Short ids, for people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.core import ids


@given(st.integers(min_value=1, max_value=10**18 - 1))
def test_a_number_survives_its_short_id(number: int) -> None:
    assert ids.number_in("H", ids.short("H", number)) == number
    assert ids.number_in("R", ids.short("R", number).lower()) == number


@pytest.mark.parametrize(
    "text", ["", "H", "H-", "H-0", "H-01", "H--1", "H-1 ", "H-1\n", "H1", "R-1", "H-" + "9" * 19, "H-١"]
)
def test_nothing_else_is_a_short_id_of_a_hold(text: str) -> None:
    assert ids.number_in("H", text) is None
