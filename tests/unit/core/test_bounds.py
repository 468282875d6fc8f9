"""What a bound takes, and which bounds are refused."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from handrail.core import bounds, errors
from handrail.core.bounds import Anything, Bound, Cap, Exact, OneOf, Prefix, Range

FITTING: list[tuple[Bound, list[Any], list[Any]]] = [
        (Exact(1), [1, 1.0], [True, "1", 2, None, [1]]),
        (Exact(True), [True], [1, "true"]),
        (Exact({"a": [1, 2]}), [{"a": [1, 2]}], [{"a": [2, 1]}, {"a": [1, 2], "b": 1}, {}]),
        (Exact(None), [None], [0, "", False, {}]),
        (Exact("é"), ["é"], ["e\u0301", "e"]),
        (OneOf(("EUR", 7)), ["EUR", 7], ["eur", "EUR ", "7", True]),
        (Range(0, 50), [0, 50, 49.999], [-0.01, 50.000001, "20", True, None]),
        (Range(None, 5), [-(2**53) + 1, 5], [6]),
        (Range(5, None), [5, 1e300], [4]),
        (Anything(), [None, 1, "x", {"a": 1}], []),
        (
            Prefix("reports/"),
            ["reports/", "reports/2026/a-b_c.csv"],
            [
                "reports", "report/x", "Reports/x", "reports/../etc/passwd", "reports/..", "reports/a b",
                "reports/a;rm", "reports/$(id)", "reports/`id`", "reports/%2e%2e/x", "reports/a\\b", "reports/a\nb",
                "reports/ä", "reports/a?x=1", "reports/a#b", "reports/a|b", "reports/'x'", 7, None, ["reports/"],
            ],
        ),
        # what becomes an address on another host
        (Prefix("/"), ["/a/b"], ["//evil.example/x", "/a//evil.example"]),
        (Prefix("https:"), ["https:a"], ["https://evil.example/x"]),
        (Prefix("https:/"), ["https:/a"], ["https://evil.example/x"]),
        (Prefix("shop:"), ["shop:a"], ["shop://evil.example"]),
        (Prefix("v1."), ["v1.2"], ["v1..", "v1../x", "v12"]),
        (Prefix("https://example.org/"), ["https://example.org/a"], ["https://example.org.evil.org/", "https://e"]),
]  # fmt: skip


@pytest.mark.parametrize(("bound", "fits", "not_"), FITTING)
def test_what_fits_a_bound(bound: Bound, fits: list[Any], not_: list[Any]) -> None:
    assert [value for value in fits if not bounds.fits(bound, value)] == []
    assert [value for value in not_ if bounds.fits(bound, value)] == []
    assert bounds.read(bounds.record(bound), "x") == bound


@pytest.mark.parametrize(
    "given",
    [
        None, "reports/", {}, {"exact": 1, "any": True}, {"any": False}, {"any": 1}, {"like": "x"}, {"prefix": ""},
        {"prefix": "shop"}, {"prefix": 7}, {"prefix": "git push "}, {"prefix": "https://example.org"},
        {"prefix": "https://example.org:"}, {"one_of": []}, {"one_of": "EUR"}, {"one_of": list(range(51))},
        {"range": {}}, {"range": {"min": 2, "max": 1}}, {"range": {"max": True}}, {"range": {"max": "9"}},
        {"range": {"most": 1}}, {"range": [0, 1]}, {"range": {"max": float("nan")}}, {"exact": 2**60},
        {"exact": float("inf")},
    ],
)  # fmt: skip
def test_a_bound_that_does_not_parse_is_refused_by_its_place(given: Any) -> None:
    with pytest.raises(errors.Rejected) as refused:
        bounds.read(given, "args.x")
    assert "args.x" in refused.value.message


@pytest.mark.parametrize(
    "given",
    [None, {}, {"argument": "amount"}, {"argument": "", "total": 1}, {"argument": "amount", "total": -1},
     {"argument": "amount", "total": "5"}, {"argument": "amount", "per_week": 5},
     {"argument": "amount", "total": float("inf")}],
)  # fmt: skip
def test_an_amount_that_does_not_parse_is_refused(given: Any) -> None:
    with pytest.raises(errors.Rejected):
        bounds.read_cap(given, "amount")


@pytest.mark.parametrize("value", [None, "5", True, -1, -0.01, [5], {"a": 5}, 5.01])
def test_what_is_no_amount_or_more_than_one_call_may_take_is_not_covered(value: Any) -> None:
    assert Cap("amount", per_call=5).of({"amount": value}) is None
    assert Cap("amount", per_call=5).of({}) is None


def test_amounts_add_up_as_they_are_written() -> None:
    cap = Cap("amount", total=0.3)
    taken = [cap.of({"amount": value}) for value in (0.1, 0.2)]
    assert sum(each for each in taken if each is not None) == bounds.exact(0.3) == Decimal("0.3")
