"""Two trees by their tests: what broke, what was mended, and what cannot be said.

The base is run twice. A test whose id is in one of its runs only is *unstable* (an id may hold a clock): its group is
compared by counts instead. A test that is not the same in all runs of one tree is *flaky*: it is marked and never
hidden. One that fails on the head as it was never seen to fail on the base is for a person to look at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from handrail.changes.results.model import BROKEN, Case, Outcome, Report


class Verdict(StrEnum):
    passed = "passed"
    failed = "failed"
    unsure = "unsure"
    """Nothing broke for certain, but tests are missing or newly skipped, or a flaky one got worse."""


class Flaky(NamedTuple):
    id: str
    base: tuple[int, int]
    """How often it failed, of how many runs."""
    head: tuple[int, int]

    @property
    def is_worse(self) -> bool:
        """True where it never failed before and does now, or failed at times and does always now."""
        (was, runs), (now, later) = self.base, self.head
        return now > 0 and (was == 0 or (now == later and was < runs))


class Comparison(NamedTuple):
    """Ids, sorted; for unstable tests the ids of their groups."""

    fault: str
    """Why nothing can be compared; empty where it can."""
    broken: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    still_broken: tuple[str, ...] = ()
    flaky: tuple[Flaky, ...] = ()
    missing: tuple[str, ...] = ()
    newly_skipped: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    unstable: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        if self.fault or self.broken:
            return Verdict.failed
        doubtful = self.missing or self.newly_skipped or any(flaky.is_worse for flaky in self.flaky)
        return Verdict.unsure if doubtful else Verdict.passed


@dataclass(frozen=True)
class _Seen:
    """How often a key ended how, in one run."""

    broken: int
    skipped: int
    total: int


def compare(
    base: Sequence[Report], head: Report, base_again: Sequence[Report] = (), head_again: Sequence[Report] = ()
) -> Comparison:
    """`base` are whole runs, two at least for a fair answer; `again` are later runs of what broke, which may hold those
    tests alone."""
    sides = (("base", base), ("head", (head,)))
    faults = [f"The {name}: {each.fault}" for name, reports in sides for each in reports if each.fault]
    if faults or not base:
        return Comparison(faults[0] if faults else "The base was not run.")
    unstable = _unstable(base)
    runs = [_seen(report.tests, unstable) for report in (*base, *base_again)]
    whole, after = runs[: len(base)], [_seen(report.tests, unstable) for report in (head, *head_again)]
    before = set[str]().union(*whole)
    flaky = {key: each for key in before | after[0].keys() if (each := _flaky(key, runs, after))}
    sure = [key for key in after[0] if key not in flaky]
    worse = {key for key in sure if after[0][key].broken > _most(whole, key)}
    return Comparison(
        "",
        broken=tuple(sorted(worse)),
        mended=tuple(sorted(key for key in sure if _least(whole, key) > 0 and _passes(whole, after[0], key))),
        still_broken=tuple(sorted(key for key in sure if after[0][key].broken and key in before and key not in worse)),
        flaky=tuple(flaky[key] for key in sorted(flaky)),
        missing=tuple(sorted(key for key in before if _fewer(whole, after[0], key))),
        newly_skipped=tuple(sorted(key for key in before & after[0].keys() if _more_skipped(whole, after[0], key))),
        added=tuple(sorted(after[0].keys() - before)),
        unstable=tuple(sorted(unstable)),
    )


def suspects(base: Sequence[Report], head: Report) -> tuple[str, ...]:
    """The ids of tests to run again on both trees, before anybody is told that they broke."""
    found = compare(base, head)
    keys = set(found.broken)
    return tuple(test.id for test in head.broken if test.id in keys or test.group in keys)


def _unstable(base: Sequence[Report]) -> set[str]:
    """Groups with an id that is not in every run of the base."""
    everywhere = set[str].intersection(*({test.id for test in report.tests} for report in base))
    return {test.group for report in base for test in report.tests if test.id not in everywhere}


def _seen(tests: Iterable[Case], unstable: set[str]) -> dict[str, _Seen]:
    broken, skipped, total = Counter[str](), Counter[str](), Counter[str]()
    for test in tests:
        key = test.group if test.group in unstable else test.id
        total[key] += 1
        broken[key] += test.outcome in BROKEN
        skipped[key] += test.outcome is Outcome.skipped
    return {key: _Seen(broken[key], skipped[key], total[key]) for key in total}


def _flaky(key: str, base: Sequence[dict[str, _Seen]], head: Sequence[dict[str, _Seen]]) -> Flaky | None:
    sides = [[run[key].broken > 0 for run in runs if key in run] for runs in (base, head)]
    if all(len(set(side)) < 2 for side in sides):
        return None
    (was, runs), (now, later) = ((sum(side), len(side)) for side in sides)
    return Flaky(key, (was, runs), (now, later))


def _most(runs: Sequence[dict[str, _Seen]], key: str) -> int:
    return max((run[key].broken for run in runs if key in run), default=0)


def _least(runs: Sequence[dict[str, _Seen]], key: str) -> int:
    return min((run[key].broken for run in runs if key in run), default=0)


def _passes(base: Sequence[dict[str, _Seen]], head: dict[str, _Seen], key: str) -> bool:
    """Whether it runs now as it did, and does not fail: one that is skipped instead shows nothing."""
    return not (head[key].broken or _more_skipped(base, head, key) or _fewer(base, head, key))


def _fewer(base: Sequence[dict[str, _Seen]], head: dict[str, _Seen], key: str) -> bool:
    least = min(run[key].total for run in base if key in run)
    return (head[key].total if key in head else 0) < least


def _more_skipped(base: Sequence[dict[str, _Seen]], head: dict[str, _Seen], key: str) -> bool:
    return head[key].skipped > max(run[key].skipped for run in base if key in run)
