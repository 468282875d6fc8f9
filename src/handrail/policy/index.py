"""Rules found by what they can match, so that assessing does not grow with rules that cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from .patterns import WILDCARD, literal_prefix


class Identified(Protocol):
    @property
    def operation(self) -> Sequence[str]: ...
    @property
    def action(self) -> Sequence[str]: ...


T = TypeVar("T")


class Index(Generic[T]):
    """Entries by operation, else by action name: exact names and literal prefixes in dictionaries, the rest in a list.

    `candidates` yields every entry that may match, in the order given, each once.
    """

    def __init__(self, entries: Iterable[T], match: Callable[[T], Identified]) -> None:
        self.entries = tuple(entries)
        self._always: list[int] = []
        self._operations = _Names()
        self._actions = _Names()
        for place, entry in enumerate(self.entries):
            identity = match(entry)
            if identity.operation:
                self._operations.add(identity.operation, place)
            elif identity.action:
                self._actions.add(identity.action, place)
            else:
                self._always.append(place)

    def candidates(self, operation: str, action: str) -> Iterator[T]:
        places = {*self._always, *self._operations.find(operation), *self._actions.find(action)}
        return (self.entries[place] for place in sorted(places))

    def __iter__(self) -> Iterator[T]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


class _Names:
    def __init__(self) -> None:
        self._exact: dict[str, list[int]] = {}
        self._prefixes: dict[str, list[int]] = {}
        self._lengths: list[int] = []

    def add(self, patterns: Sequence[str], place: int) -> None:
        for pattern in patterns:
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
