"""Rules found by what they can match, so that assessing does not grow with rules that cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, NamedTuple, Protocol, TypeVar

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
    def environment(self) -> Names | None: ...
    @property
    def resource_type(self) -> Names | None: ...
    @property
    def needs(self) -> frozenset[str]: ...
    @property
    def condition(self) -> Condition | None: ...


class Entry(Protocol):
    @property
    def match(self) -> Identified: ...


T = TypeVar("T", bound=Entry)


class Named(NamedTuple):
    """The names that each goes by. Nothing: whatever an entry wants of it is looked at later."""

    operation: tuple[str, ...]
    action: tuple[str, ...]
    environment: tuple[str, ...] | None = None
    resource_type: tuple[str, ...] | None = None
    given: frozenset[str] | None = None
    """What else is known, by the names of `Match.needs`."""


@dataclass(frozen=True, slots=True)
class Candidates(Generic[T]):
    """The entries whose names fit, in the order of the files."""

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

    def candidates(self, names: Named) -> Candidates[T]:
        """For what the names say."""
        length = sum(map(len, names.operation)) + sum(map(len, names.action)) + _length(names)
        return self._known(names) if length <= LONGEST_REMEMBERED else self._find(names)

    def _find(self, names: Named) -> Candidates[T]:
        places = set(self._always)
        for name in names.operation:
            places.update(self._operations.find(name))
        for name in names.action:
            places.update(self._actions.find(name))
        seeming = [self.entries[place] for place in sorted(places)]
        read = conditions.paths(entry.match.condition for entry in seeming if entry.match.condition)
        return Candidates(tuple(entry for entry in seeming if _fits(entry.match, names)), read)

    def __iter__(self) -> Iterator[T]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


def _length(names: Named) -> int:
    return sum(map(len, names.environment or ())) + sum(map(len, names.resource_type or ()))


def _fits(match: Identified, names: Named) -> bool:
    return (
        (match.operation is None or match.operation.fit(names.operation))
        and (match.action is None or match.action.fit(names.action))
        and (names.given is None or match.needs <= names.given)
        and (match.environment is None or names.environment is None or match.environment.fit(names.environment))
        and (match.resource_type is None or names.resource_type is None or match.resource_type.fit(names.resource_type))
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
