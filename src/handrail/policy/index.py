"""Rules found by what they can match, so that assessing does not grow with rules that cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from .patterns import WILDCARD, Names, literal_prefix


class Identified(Protocol):
    @property
    def operation(self) -> Names | None: ...
    @property
    def action(self) -> Names | None: ...


class Entry(Protocol):
    @property
    def match(self) -> Identified: ...


T = TypeVar("T", bound=Entry)


class Index(Generic[T]):
    """Entries by operation, else by action name: exact names and literal prefixes in dictionaries, the rest in a list.

    `candidates` yields every entry that may match, in the order given, each once.
    """

    def __init__(self, entries: Iterable[T]) -> None:
        self.entries = tuple(entries)
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

    def candidates(self, operation: Iterable[str], action: Iterable[str]) -> Iterator[T]:
        """For the names that the operation and the action go by."""
        places = set(self._always)
        for name in operation:
            places.update(self._operations.find(name))
        for name in action:
            places.update(self._actions.find(name))
        return (self.entries[place] for place in sorted(places))

    def __iter__(self) -> Iterator[T]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


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
