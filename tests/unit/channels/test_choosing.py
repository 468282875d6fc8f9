"""By which channels each person is told, and when."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from handrail.core import ids
from handrail.core.holds import Hold
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal, PrincipalKind
from handrail.core.risk import Level
from handrail.holds import choosing
from handrail.holds.choosing import SHARED_SLACK
from handrail.store.choices import Choice

NIGHT = Choice(quiet_from=time(22), quiet_to=time(7), timezone="Europe/Berlin")
NOON = Choice(quiet_from=time(12), quiet_to=time(13))
EVERY = frozenset({"web", "slack", "email", "push", "webhook"})
ROUTE = ("slack", "email", "webhook")
# in Berlin an hour later
LATE = datetime(2026, 1, 10, 22, 30, tzinfo=UTC)


def person(name: str) -> Principal:
    return Principal(PrincipalId(ids.fresh()), name, PrincipalKind.person, frozenset())


def hold(level: Level = Level.high, expires_in: float | None = None) -> Hold:
    ends = LATE + timedelta(seconds=expires_in) if expires_in else None
    return cast("Hold", SimpleNamespace(assessment=SimpleNamespace(level=level), expires_at=ends))


def shares(choice: Choice, set_up: frozenset[str] = EVERY, **more: Any) -> list[tuple[tuple[str, ...], list[str], str]]:
    ann, ben = person("ann"), person("ben")
    event = more.pop("event", "hold.opened")
    route = more.pop("route", ROUTE)
    made = choosing.shares(route, [ann, ben], {ann.id: choice}, set_up, hold(**more), event, LATE)
    return [(one.channels, [who.name for who in one.people], f"{one.at:%d %H:%M}") for one in made]


NOW, MORNING = "10 22:30", "11 06:00"


@pytest.mark.parametrize(
    ("choice", "more", "expected"),
    [
        pytest.param(Choice(), {}, [(ROUTE, ["ann", "ben"], NOW)], id="who chose nothing gets what the policy says"),
        pytest.param(
            Choice(("push", "email")),
            {},
            [(("push", "email", "slack", "webhook"), ["ann"], NOW), (ROUTE, ["ben"], NOW)],
            id="the chosen ones come first, and the others follow in case they fail",
        ),
        pytest.param(Choice(()), {}, [(("web",), ["ann"], NOW), (ROUTE, ["ben"], NOW)], id="the inbox alone"),
        pytest.param(
            Choice(("push",)),
            {"set_up": EVERY - {"push"}},
            [(ROUTE, ["ann", "ben"], NOW)],
            id="what is not set up is left out",
        ),
        pytest.param(
            Choice(("push",)), {"level": Level.critical}, [(ROUTE, ["ann", "ben"], NOW)], id="critical is not chosen"
        ),
        pytest.param(
            Choice(("email",)),
            {"route": ("webhook", "email")},
            [(("webhook", "email"), ["ann", "ben"], NOW)],
            id="a shared place first is nobody's choice",
        ),
        pytest.param(
            Choice(("email",)),
            {"set_up": EVERY | {SHARED_SLACK}},
            [(ROUTE, ["ann", "ben"], NOW)],
            id="Slack's shared channel is such a place",
        ),
        pytest.param(NIGHT, {}, [(ROUTE, ["ann"], MORNING), (ROUTE, ["ben"], NOW)], id="quiet until the morning"),
        pytest.param(NIGHT, {"level": Level.critical}, [(ROUTE, ["ann", "ben"], NOW)], id="but not for critical"),
        pytest.param(NIGHT, {"event": "hold.escalated"}, [(ROUTE, ["ann", "ben"], NOW)], id="nor an escalation"),
        pytest.param(NIGHT, {"event": "hold.reminded"}, [(ROUTE, ["ann", "ben"], NOW)], id="nor a reminder"),
        pytest.param(NIGHT, {"expires_in": 7 * 3600}, [(ROUTE, ["ann", "ben"], NOW)], id="nor what expires meanwhile"),
        pytest.param(NOON, {}, [(ROUTE, ["ann", "ben"], NOW)], id="other hours are not quiet"),
    ],
)
def test_what_a_person_chose(choice: Choice, more: dict[str, Any], expected: Any) -> None:
    assert shares(choice, **more) == expected


@pytest.mark.parametrize(
    ("moment", "until"),
    [
        ("2026-01-10T20:59", None),
        ("2026-01-10T21:00", "2026-01-11T06:00"),
        ("2026-01-11T05:59", "2026-01-11T06:00"),
        ("2026-01-11T06:00", None),
        # the night in which clocks are put forward has an hour less
        ("2026-03-28T21:30", "2026-03-29T05:00"),
    ],
)
def test_quiet_hours_pass_midnight_and_follow_their_zone(moment: str, until: str | None) -> None:
    found = choosing.quiet_until(NIGHT, datetime.fromisoformat(moment).replace(tzinfo=UTC))
    assert (f"{found:%Y-%m-%dT%H:%M}" if found else None) == until


def test_quiet_hours_within_a_day() -> None:
    assert choosing.quiet_until(NOON, datetime(2026, 1, 10, 12, 1, tzinfo=UTC)) == datetime(2026, 1, 10, 13, tzinfo=UTC)
    assert choosing.quiet_until(NOON, datetime(2026, 1, 10, 13, tzinfo=UTC)) is None
