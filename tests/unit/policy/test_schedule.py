"""Business hours and people on call, at moments that are passed in."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from handrail.policy.schedule import BusinessHours, Rotation, Schedule

BERLIN = BusinessHours(ZoneInfo("Europe/Berlin"), frozenset(range(5)), time(9), time(17))
TURNS = Rotation("tech_lead", ("mara", "jon"), date(2026, 1, 5), timedelta(days=7))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "is_open"),
    [
        ("2026-01-05T07:59", False),  # 08:59 in Berlin, a Monday
        ("2026-01-05T08:00", True),
        ("2026-01-05T15:59", True),
        ("2026-01-05T16:00", False),
        ("2026-07-06T07:00", True),  # summer time
        ("2026-07-06T15:00", False),
        ("2026-01-10T10:00", False),  # a Saturday
    ],
)
def test_business_hours_are_those_of_their_place(now: str, is_open: bool) -> None:
    """S4.7."""
    assert BERLIN.open_at(at(now)) is is_open


@pytest.mark.parametrize(
    ("now", "who"),
    [
        ("2026-01-05T00:00", "mara"),
        ("2026-01-11T23:59", "mara"),
        ("2026-01-12T00:00", "jon"),
        ("2026-01-19T00:00", "mara"),
        ("2026-01-04T23:59", "jon"),
    ],
)
def test_people_take_turns(now: str, who: str) -> None:
    assert Schedule(None, (TURNS,)).on_call(at(now)) == {"tech_lead": who}


def test_nobody_is_on_call_within_business_hours() -> None:
    schedule = Schedule(BERLIN, (TURNS,))

    assert schedule.on_call(at("2026-01-05T10:00")) == {}
    assert schedule.on_call(at("2026-01-05T20:00")) == {"tech_lead": "mara"}
