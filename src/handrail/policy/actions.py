"""Registered actions: what the operator says about actions by name, so that nobody has to believe the agent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from handrail.core.canonical import Json
from handrail.core.holds import Action
from handrail.core.people import Principal, PrincipalKind
from handrail.core.risk import Level

from . import conditions
from .conditions import Condition
from .derivers import names
from .patterns import LONGEST_REMEMBERED, REMEMBERED, Names
from .syntax import Path

RECORD = "record"
"""The executor of a task that is only recorded."""

Place = tuple[str, ...]
"""`("target",)`, or the way to an argument: `("args", "request", "url")`."""
Language = Literal["command", "sql", "url", "path"]

_SERVED = "mcp"


class ActionName(NamedTuple):
    """An action's name as it is compared."""

    name: str
    words: tuple[str, ...]
    altered: bool
    """The name is not what it looks like."""
    spellings: tuple[str, ...]
    """`deleteUsers` goes by `deleteusers` and by `delete_users`."""
    server: str
    """Of a tool that a server offers: `github` of `mcp.github.create_issue` and of `mcp__github__create_issue`."""
    tool: str


def named(action: Action) -> ActionName:
    return _known(action.name) if len(action.name) <= LONGEST_REMEMBERED else _named(action.name)


def _named(given: str) -> ActionName:
    (name, altered), words = names.fold(given), names.words(given)
    joined = "_".join(words)
    return ActionName(name, words, altered, (name,) if joined == name else (name, joined), *_served(name))


_known = lru_cache(REMEMBERED)(_named)


def _served(name: str) -> tuple[str, str]:
    for separator in (".", "__"):
        parts = name.split(separator, 2)
        if len(parts) == 3 and parts[0] == _SERVED:
            return parts[1], parts[2]
    return "", name


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact comes from: names written out, places of the action, or an expression over it."""

    written: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    expression: Condition | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """An argument in another language, parsed for what it does."""

    language: Language
    places: tuple[Place, ...]
    allowed: tuple[str, ...] = ()
    """Commands that only read, or allowed hosts."""
    beside: frozenset[str] = frozenset()
    """Other arguments that change nothing. Any further one makes what the text does unclear."""
    method: Place | None = None
    optional: bool = False
    """Where no place has a value it says nothing, instead of that this is unclear."""


@dataclass(frozen=True, slots=True)
class Naming:
    """Which names are meant. Every field that is given must fit."""

    name: Names | None = None
    server: Names | None = None
    tool: Names | None = None
    words: frozenset[str] = frozenset()
    """The name contains one of them."""
    first_word: frozenset[str] = frozenset()
    """The name begins with one of them."""

    def fits(self, action: ActionName) -> bool:
        return (
            (not self.words or not self.words.isdisjoint(action.words))
            and (not self.first_word or not self.first_word.isdisjoint(action.words[:1]))
            and (self.name is None or self.name.fit(action.spellings))
            and (self.server is None or self.server.fit((action.server,)))
            and (self.tool is None or self.tool.fit((action.tool,)))
        )


@dataclass(frozen=True, slots=True)
class Registration:
    """What is known of the actions that it is about."""

    id: str
    about: Naming
    unless: tuple[Naming, ...] = ()
    """Exceptions: names that are not meant."""
    when: Condition | None = None
    facts: Mapping[str, Source] = field(default_factory=dict[str, Source])
    text: Text | None = None
    floor: Level | None = None
    requester_may_decide: bool = False
    rollback: str = ""
    """How it is undone, in the operator's words."""
    sample: float = 0.0
    """Of those that ran without asking anybody, the share that people look at afterwards."""

    def covers(self, action: ActionName) -> bool:
        """Whether it is about actions of this name; `when` is checked separately."""
        return self.about.fits(action) and not any(other.fits(action) for other in self.unless)

    @property
    def expressions(self) -> Iterator[Condition]:
        if self.when is not None:
            yield self.when
        for source in self.facts.values():
            if source.expression is not None:
                yield source.expression


class About(NamedTuple):
    """What is registered about actions of one name."""

    entries: tuple[Registration, ...]
    paths: tuple[Path, ...]
    """The values that their expressions read."""


class Registrations:
    """All of them, and what is about a name."""

    def __init__(self, entries: Iterable[Registration]) -> None:
        self.entries = tuple(entries)
        self._known = lru_cache(REMEMBERED)(self._about)

    def about(self, name: ActionName) -> About:
        return self._known(name) if len(name.name) <= LONGEST_REMEMBERED else self._about(name)

    def _about(self, name: ActionName) -> About:
        entries = tuple(entry for entry in self.entries if entry.covers(name))
        return About(entries, conditions.paths(each for entry in entries for each in entry.expressions))

    def __iter__(self) -> Iterator[Registration]:
        return iter(self.entries)


@dataclass(frozen=True, slots=True)
class Executor:
    """What carries tasks out: for which operations, for whom, and never below which level."""

    operations: Names
    named_by: frozenset[str] = frozenset()
    """Names or roles; empty: any person or service."""
    floor: Level = Level.medium

    def serves(self, operation: Sequence[str]) -> bool:
        return self.operations.fit(operation)

    def may_be_named_by(self, who: Principal) -> bool:
        if self.named_by:
            return who.name in self.named_by or not self.named_by.isdisjoint(who.roles)
        return who.kind is not PrincipalKind.agent


def at(action: Action, place: Place) -> Json:
    """The value at a place of the action, if there is one."""
    if place == ("target",):
        return action.target
    value: Json = action.args
    for step in place[1:]:
        value = value.get(step) if isinstance(value, dict) else None
    return value
