"""What a deployment needs, from what one call costs: the arithmetic of docs/scaling.md."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor seconds, and bytes of the database that stay."""

    api: float
    background: float
    database: float
    stored: float = 0.0

    @property
    def processor(self) -> float:
        return self.api + self.background + self.database

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.api + other.api,
            self.background + other.background,
            self.database + other.database,
            self.stored + other.stored,
        )

    def __mul__(self, times: float) -> Cost:
        return Cost(self.api * times, self.background * times, self.database * times, self.stored * times)


@dataclass(frozen=True, slots=True)
class Model:
    """As it was measured: what a second costs in which nothing happens, a call that runs unasked, and one that a person
    decides; and the milliseconds that a call takes while nothing else happens."""

    idle: Cost
    low: Cost
    held: Cost
    low_ms: float

    def cores(self, low_per_second: float, held_per_second: float) -> Cost:
        """Processor seconds a second."""
        return self.idle + self.low * low_per_second + self.held * held_per_second

    def answer_ms(self, used: float, cores: int) -> float:
        """The median of a call that runs unasked while so many of the cores are used: it waits as in any queue."""
        return self.low_ms / max(0.05, 1 - used / cores)
