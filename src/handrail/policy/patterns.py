"""Names and the patterns that match them: `deploy`, `payments.*`, `*delete*`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from .derivers import names

WILDCARD = "*"
REMEMBERED = 2048
"""How many names something is remembered about: actions are many, and their names few."""
LONGEST_REMEMBERED = 1000
"""Characters. Names come from agents, and memory is not theirs to fill."""


def normalise(name: str) -> str:
    """The form in which names are compared, so that `Production ` and look-alike letters slip past no rule."""
    return names.fold(name).text


@dataclass(frozen=True, slots=True)
class Names:
    """A set of normalised names in which `*` stands for any run of characters."""

    patterns: tuple[str, ...]
    _exact: frozenset[str] = field(init=False, compare=False, repr=False)
    _globs: re.Pattern[str] | None = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        globs = [_expression(pattern) for pattern in self.patterns if WILDCARD in pattern]
        object.__setattr__(self, "_exact", frozenset(p for p in self.patterns if WILDCARD not in p))
        object.__setattr__(self, "_globs", re.compile("|".join(globs), re.DOTALL) if globs else None)

    def __contains__(self, name: str) -> bool:
        return self.fit((name,))

    def fit(self, names: Sequence[str]) -> bool:
        """Whether one of the names is in it."""
        if not self._exact.isdisjoint(names):
            return True
        if self._globs is not None:
            for name in names:
                if self._globs.fullmatch(name):
                    return True
        return False


@dataclass(frozen=True, slots=True)
class Aliases:
    """Other names of a thing. A literal name takes precedence over a pattern."""

    entries: tuple[tuple[str, Names], ...] = ()
    """Each thing with its other names."""
    _exact: dict[str, str] = field(init=False, compare=False, repr=False)
    _known: Callable[[str], tuple[str, ...]] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        exact = {other: meant for meant, names in self.entries for other in names.patterns if WILDCARD not in other}
        exact |= {meant: meant for meant, _ in self.entries}
        object.__setattr__(self, "_exact", exact)
        object.__setattr__(self, "_known", lru_cache(REMEMBERED)(self._spellings))

    def spellings(self, value: str) -> tuple[str, ...]:
        """The names that a value goes by: `prod1` is `production`, given as `prod1`."""
        return self._known(value) if len(value) <= LONGEST_REMEMBERED else self._spellings(value)

    def _spellings(self, value: str) -> tuple[str, ...]:
        name = normalise(value)
        for spelling in (name, "-".join(names.words(value)), "_".join(names.words(value))):
            found = self.meant(spelling)
            if found != spelling:
                return (found, name) if found != name else (name,)
        return (name,)

    def meant(self, name: str) -> str:
        known = self._exact.get(name)
        if known is None:
            return next((meant for meant, names in self.entries if name in names), name)
        return known


def literal_prefix(pattern: str) -> str:
    return pattern.split(WILDCARD, 1)[0]


def _expression(pattern: str) -> str:
    """A regular expression that takes the leftmost place of each part and never tries another: linear in the name."""
    first, *middle, last = map(re.escape, pattern.split(WILDCARD))
    return first + "".join(f"(?>.*?{part})" for part in middle) + ".*" + last
