"""Business hours and who is on call, for a moment that is passed in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True, slots=True)
class BusinessHours:
    zone: tzinfo = UTC
    days: frozenset[int] = frozenset(range(5))
    """Monday is 0."""
    opens: time = time(9)
    closes: time = time(17)

    def open_at(self, now: datetime) -> bool:
        local = now.astimezone(self.zone)
        return local.weekday() in self.days and self.opens <= local.time() < self.closes


@dataclass(frozen=True, slots=True)
class Rotation:
    """People who take turns, each for `length`, beginning with the first on `start`."""

    role: str
    people: tuple[str, ...]
    start: date
    length: timedelta = timedelta(days=7)

    def on_call(self, now: datetime, zone: tzinfo) -> str:
        begin = datetime.combine(self.start, time(), zone)
        return self.people[(now - begin) // self.length % len(self.people)]


@dataclass(frozen=True, slots=True)
class Schedule:
    hours: BusinessHours | None = None
    rotations: tuple[Rotation, ...] = ()

    def on_call(self, now: datetime) -> dict[str, str]:
        """The person on call for each role that has a rotation; nobody within business hours."""
        if self.hours is not None and self.hours.open_at(now):
            return {}
        zone = self.hours.zone if self.hours else UTC
        return {rotation.role: rotation.on_call(now, zone) for rotation in self.rotations}
