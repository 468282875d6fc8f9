"""A score of what is at stake, from 0 to 100, with the reason for every point of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MOST = 100


class Part(NamedTuple):
    name: str
    points: int
    most: int
    words: str


class Stakes(NamedTuple):
    """What is counted."""

    files: int
    fan_in: int
    fan_out: int
    endpoints: int
    migrations: int
    uncovered: float
    """The share of the changed code that no test runs, from 0 to 1."""
    is_measured: bool
    """By coverage; else by what the graph knows of tests."""


def parts_of(stakes: Stakes) -> tuple[Part, ...]:
    """Weights: a migration weighs most, because it cannot be undone by reverting a commit. Then how many modules depend
    on the changed code and how many files change, then code that no test runs, then endpoints, which are what others
    see. What the code itself uses weighs least."""
    measured = "no measured test runs" if stakes.is_measured else "no known test reaches (coverage was not measured)"
    return (
        _part("migrations", 25 * min(1, stakes.migrations), 25, f"{_many(stakes.migrations, 'migration')}"),
        _part("files", 2 * stakes.files, 20, _many(stakes.files, "file")),
        _part("fan_in", stakes.fan_in, 20, f"{_many(stakes.fan_in, 'module')} directly depending on it"),
        _part("tests", round(15 * stakes.uncovered), 15, f"{stakes.uncovered:.0%} of the changed code {measured}"),
        _part("endpoints", 3 * stakes.endpoints, 15, f"{_many(stakes.endpoints, 'endpoint')} reached"),
        _part("fan_out", stakes.fan_out // 2, 5, f"{_many(stakes.fan_out, 'module')} that it uses"),
    )


def score(parts: Sequence[Part]) -> int:
    return min(MOST, sum(part.points for part in parts))


def _part(name: str, points: int, most: int, words: str) -> Part:
    points = min(points, most)
    return Part(name, points, most, f"{words}: {points} of at most {most} points")


def _many(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
