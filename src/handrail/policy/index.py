"""Rules found by what they can match, so that assessing does not grow with rules that cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from . import conditions
from .conditions import Condition
from .patterns import LONGEST_REMEMBERED, REMEMBERED, WILDCARD, Names, literal_prefix
from .syntax import Path


class Identified(Protocol):
    @property
    def operation(self) -> Names | None: ...
    @property
    def action(self) -> Names | None: ...
    @property
    def condition(self) -> Condition | None: ...


class Entry(Protocol):
    @property
    def match(self) -> Identified: ...


T = TypeVar("T", bound=Entry)


@dataclass(frozen=True, slots=True)
class Candidates(Generic[T]):
    """The entries whose operation and action fit, in the order of the files."""

    entries: tuple[T, ...]
    paths: tuple[Path, ...]
    """The values that conditions read, of these and of others that only seemed to fit."""


class Index(Generic[T]):
    """Entries by operation, else by action: exact names and literal prefixes in dictionaries, the rest in a list."""

    def __init__(self, entries: Iterable[T]) -> None:
        self.entries = tuple(entries)
        self._known = lru_cache(REMEMBERED)(self._find)
        self._always: list[int] = []
        self._operations = _Places()
        self._actions = _Places()
        for place, entry in enumerate(self.entries):
            if entry.match.operation is not None:
                self._operations.add(entry.match.operation, place)
            elif entry.match.action is not None:
                self._actions.add(entry.match.action, place)
            else:
                self._always.append(place)

    def candidates(self, operation: tuple[str, ...], action: tuple[str, ...]) -> Candidates[T]:
        """For the names that the operation and the action go by."""
        length = sum(map(len, operation)) + sum(map(len, action))
        return self._known(operation, action) if length <= LONGEST_REMEMBERED else self._find(operation, action)

    def _find(self, operation: tuple[str, ...], action: tuple[str, ...]) -> Candidates[T]:
        places = set(self._always)
        for name in operation:
            places.update(self._operations.find(name))
        for name in action:
            places.update(self._actions.find(name))
        seeming = [self.entries[place] for place in sorted(places)]
        read = conditions.paths(entry.match.condition for entry in seeming if entry.match.condition)
        return Candidates(tuple(entry for entry in seeming if _fits(entry.match, operation, action)), read)

    def __iter__(self) -> Iterator[T]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


def _fits(match: Identified, operation: tuple[str, ...], action: tuple[str, ...]) -> bool:
    return (match.operation is None or match.operation.fit(operation)) and (
        match.action is None or match.action.fit(action)
    )


class _Places:
    def __init__(self) -> None:
        self._exact: dict[str, list[int]] = {}
        self._prefixes: dict[str, list[int]] = {}
        self._lengths: list[int] = []

    def add(self, names: Names, place: int) -> None:
        for pattern in names.patterns:
            if WILDCARD in pattern:
                self._prefixes.setdefault(literal_prefix(pattern), []).append(place)
            else:
                self._exact.setdefault(pattern, []).append(place)
        self._lengths = sorted({len(prefix) for prefix in self._prefixes})

    def find(self, name: str) -> Iterator[int]:
        yield from self._exact.get(name, ())
        for length in self._lengths:
            if length > len(name):
                return
            yield from self._prefixes.get(name[:length], ())
