"""Events: what happened, in the past tense. Everything streamed is an encoding of one.

A room declares its events in its own `events.py`, one frozen class each, and nothing else can be written. What was
written stays as it is: a class that changes reads what its earlier versions wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import Annotated, Any, ClassVar, TypeAlias, TypeVar, cast, dataclass_transform, get_args, get_type_hints
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from .canonical import Json, JsonObject
from .ids import PrincipalId
from .parts import Part

Upgrade = Callable[[JsonObject], JsonObject]
T = TypeVar("T")
_OMITTED = "not written where it is nothing"
Maybe: TypeAlias = Annotated[T | None, _OMITTED]
"""The type of a field that is left out where it is nothing."""
# in the data of an event whose class has changed since its first version
VERSION = "v"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """`actor` is who did it; nobody where policy or the clock did."""

    type: ClassVar[str]
    upgrades: ClassVar[tuple[Upgrade, ...]] = ()
    actor: PrincipalId | None = None

    @property
    def data(self) -> JsonObject:
        """What the log keeps of it, besides its type and who did it."""
        kept = {name: value for name, value in _named(self) if value is not None or name not in _omitted(type(self))}
        return {_written(name): plain(value) for name, value in kept.items()} | version_of(type(self))

    def part(self) -> Part | None:
        """How it reads in the story of its run; nothing where it tells a person nothing new."""
        return None

    def blotted(self: E, blot: Callable[[Json], Json]) -> E:
        """With every text and value in it as `blot` leaves it; what is a number or a truth by its type stays."""
        changed = {name: _mapped(value, blot) for name, value in _named(self) if name not in _counts(type(self))}
        return replace(self, **changed)


E = TypeVar("E", bound=Event)


class Catalogue:
    """The events that there are, by type. Closed once all rooms are imported: from then on there are no others."""

    def __init__(self) -> None:
        self._classes: dict[str, type[Event]] = {}
        self._is_closed = False

    @dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
    def event(self, type_: str, *upgrades: Upgrade) -> Callable[[type[E]], type[E]]:
        """Declares the class that follows. Each upgrade makes the data of one version into that of the next."""

        def declared(cls: type[E]) -> type[E]:
            if self._is_closed:
                raise RuntimeError(f"{type_} is declared too late: the server has started")
            if type_ in self._classes:
                raise RuntimeError(f"{type_} is declared twice")
            made = dataclass(frozen=True, slots=True, kw_only=True)(cls)
            made.type, made.upgrades = type_, upgrades
            self._classes[type_] = made
            return made

        return declared

    def close(self) -> None:
        self._is_closed = True

    def all(self) -> Mapping[str, type[Event]]:
        return dict(sorted(self._classes.items()))

    def check(self, event: Event) -> None:
        """Refuses what nobody declared."""
        if self._classes.get(getattr(event, "type", "")) is not type(event):
            raise RuntimeError(f"{type(event).__qualname__} is not an event that a room declares")

    def read(self, type_: str, data: Mapping[str, Any] | None, actor: UUID | None = None) -> Event | None:
        """The event as its class has it now, whichever version wrote it.

        Nothing where the log no longer keeps its data, or where it is none of ours.
        """
        cls = self._classes.get(type_)
        if cls is None or data is None:
            return None
        written: JsonObject = dict(data)
        version = written.pop(VERSION, 1)
        for upgrade in cls.upgrades[version - 1 :] if isinstance(version, int) else ():
            written = upgrade(written)
        given = {name: written[_written(name)] for name in _names(cls) if _written(name) in written}
        try:
            return adapter(cls).validate_python(given | {"actor": actor})
        except ValidationError:
            return None


CATALOGUE = Catalogue()
event = CATALOGUE.event
read = CATALOGUE.read


def of(cls: type[E], data: Mapping[str, Any], actor: UUID | None = None) -> E:
    """An event of data that was made elsewhere, such as a statement that is signed."""
    return adapter(cls).validate_python({**data, "actor": actor})


@cache
def adapter(cls: type[E]) -> TypeAdapter[E]:
    return TypeAdapter(cls)


def version_of(cls: type[Event]) -> JsonObject:
    return {VERSION: len(cls.upgrades) + 1} if cls.upgrades else {}


@cache
def _names(cls: type[Event]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(cls) if each.name != "actor")


@cache
def _omitted(cls: type[Event]) -> frozenset[str]:
    hints = get_type_hints(cls, include_extras=True)
    return frozenset(name for name in _names(cls) if _OMITTED in getattr(hints[name], "__metadata__", ()))


@cache
def _counts(cls: type[Event]) -> frozenset[str]:
    hints = get_type_hints(cls)
    return frozenset(name for name in _names(cls) if {*get_args(hints[name]), hints[name]} & {int, bool})


def _mapped(value: Any, change: Callable[[Json], Json]) -> Any:
    if isinstance(value, tuple):
        return tuple(_mapped(each, change) for each in cast("tuple[Any, ...]", value))
    return value if isinstance(value, UUID) else change(value)


def _named(event: Event) -> Sequence[tuple[str, Any]]:
    return [(name, getattr(event, name)) for name in _names(type(event))]


def _written(name: str) -> str:
    """`from_` is a field whose name is a word of Python's."""
    return name.removesuffix("_")


def plain(value: Any) -> Any:
    """A value of an event or of a part, as JSON has it."""
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, tuple):
        return [plain(each) for each in cast("tuple[Any, ...]", value)]
    if is_dataclass(value):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    return value
