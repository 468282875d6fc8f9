"""Names of cases: what an address can carry, and nothing else."""

from __future__ import annotations

import pytest

from handrail.core import cases, errors


@pytest.mark.parametrize("name", ["case-1", "acme/2026/17", "a b", "ä", "50%", "a?b#c", "a\\b", "..a", "a.", "x" * 200])
def test_what_an_address_carries_is_a_name(name: str) -> None:
    cases.check(name)


@pytest.mark.parametrize(
    "name", ["", ".", "..", "/", "/a", "a/", "a//b", "a/./b", "a/../b", "a\nb", "a\tb", "\x7f", "\x85", "x" * 201]
)
def test_what_none_carries_is_refused(name: str) -> None:
    with pytest.raises(errors.InvalidField) as refused:
        cases.check(name)
    assert refused.value.data == {"field": "case_id"}


def test_a_hold_needs_no_case() -> None:
    cases.check(None)
