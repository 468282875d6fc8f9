"""Names, patterns and other names."""

from __future__ import annotations

import pytest

from handrail.policy.patterns import Aliases, Names, normalise

ALIASES = Aliases(
    (("production", Names(("prod", "prod*"))), ("product", Names(("wares",))), ("staging", Names(("*prod",))))
)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("prod", "production"),
        ("production", "production"),
        ("prod-eu", "production"),
        ("wares", "product"),
        ("product", "product"),
        ("preprod", "staging"),
        ("other", "other"),
    ],
)
def test_a_name_that_is_written_out_goes_before_one_that_fits_a_pattern(name: str, meant: str) -> None:
    assert ALIASES.meant(name) == meant


@pytest.mark.parametrize("name", ["Production", " production\n", "ＰRODUCTION", "PRODUCTION\u00a0"])
def test_names_are_compared_in_one_form(name: str) -> None:
    assert normalise(name) == "production"


def test_signs_in_a_pattern_stand_for_themselves() -> None:
    assert "a.b(c" in Names(("a.b(*",))
    assert "axb(c" not in Names(("a.b(*",))
    assert "a\nb" in Names(("a*b",))
