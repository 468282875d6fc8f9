"""An export tells offline whether those who decided for somebody had been named by then."""

from __future__ import annotations

from typing import Any

import pytest

from handrail.core.stood_in import StoodIn

BOB, ANN, EVE = "bob", "ann", "eve"
NAMED: dict[str, Any] = {
    "id": "1",
    "person": BOB,
    "stand_in": ANN,
    "starts_at": "2026-01-02T00:00:00+00:00",
    "ends_at": "2026-01-09T00:00:00+00:00",
}


def entry(type_: str, at: str = "2026-01-03T00:00:00.000000Z", actor: str = ANN) -> dict[str, Any]:
    return {"type": type_, "at": at, "actor_id": actor}


def review(at: str = "2026-01-03T00:00:00.000000Z", by: str = ANN, for_: str = BOB) -> tuple[dict[str, Any], Any]:
    return entry("hold.reviewed", at, by), {"on_behalf_of": for_}


def test_a_review_by_who_was_named_is_good_and_one_in_ones_own_right_always_is() -> None:
    log = StoodIn(from_the_start=True)
    assert log.take(entry("absence.set", actor=BOB), NAMED) is None
    assert log.take(*review()) is None
    assert log.take(entry("hold.reviewed", actor=EVE), {}) is None


@pytest.mark.parametrize(
    "said",
    [
        review(by=EVE),
        review(for_=EVE),
        review(by=BOB, for_=ANN),
        review(at="2026-01-01T23:59:59.000000Z"),
        review(at="2026-01-09T00:00:00.000000Z"),
    ],
)
def test_a_review_by_anybody_else_or_at_another_time_is_a_fault(said: tuple[dict[str, Any], Any]) -> None:
    log = StoodIn(from_the_start=True)
    log.take(entry("absence.set", actor=BOB), NAMED)
    assert log.take(*said) is not None


def test_after_its_end_or_a_restore_it_counts_no_longer() -> None:
    for ending in ("ended", "restored"):
        log = StoodIn(from_the_start=True)
        log.take(entry("absence.set", actor=BOB), NAMED)
        if ending == "ended":
            log.take(entry("absence.ended", actor=BOB), {"id": "1"})
        else:
            log.restored()
        assert log.take(*review()) is not None


def test_what_the_export_does_not_have_is_not_held_against_it() -> None:
    assert StoodIn(from_the_start=False).take(*review()) is None
    pruned = StoodIn(from_the_start=True)
    pruned.take(entry("absence.set", actor=BOB), None)
    assert pruned.take(*review()) is None
