"""YAML text as nodes that know their place: the one reader of all YAML that comes from outside, policies and skills.

Bombs are refused before they are built. Neither needs anchors, aliases or tags, so those are refused; size, depth and
the number of nodes are bounded. Reading as much as is allowed takes a second: not on an event loop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from ruamel.yaml import YAML, events
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.reader import ReaderError

MAX_SIZE = 131_072
"""Characters of one file, enough for a thousand rules. The parser reads about 130 KB a second."""
MAX_DEPTH = 8
MAX_NODES = 20_000

# the parser looks ahead 1,000 characters in time that grows with the square of open brackets: 0.9 s
_BRACKETS = re.compile(rf"(?:[\[{{][ \t]*){{{MAX_DEPTH + 1}}}")
_QUOTE = 'put a pattern that begins with * in quotes, such as "*delete*"'
_UNPRINTABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """What is wrong, and where. Lines and columns count from 1."""

    file: str
    line: int
    column: int
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.field}: {self.message}"


@dataclass(frozen=True, slots=True)
class Place:
    file: str
    line: int
    column: int
    start: int = 0
    end: int = 0
    """Where the node stands in the text of the file."""


@dataclass(frozen=True, slots=True)
class Scalar:
    place: Place
    text: str
    plain: bool


@dataclass(frozen=True, slots=True)
class Sequence:
    place: Place
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Mapping:
    place: Place
    entries: dict[str, Node] = field(default_factory=dict[str, "Node"])
    keys: dict[str, Scalar] = field(default_factory=dict[str, Scalar])


Node = Scalar | Sequence | Mapping


class Unreadable(Exception):
    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def parse(file: str, text: str) -> Mapping:
    """The document's mapping; raises Unreadable at the first place that is not plain, bounded YAML."""
    if len(text) > MAX_SIZE:
        raise Unreadable(Problem(file, 1, 1, "file", f"the limit is {MAX_SIZE} characters, and this has {len(text)}"))
    brackets = _BRACKETS.search(text)
    if brackets:
        line, column = position(text, brackets.start())
        raise Unreadable(Problem(file, line, column, "file", f"is nested deeper than {MAX_DEPTH} levels"))
    return _Builder(file).document(text)


def position(text: str, index: int) -> tuple[int, int]:
    """Line and column of a character, from 1."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def within(text: str, scalar: Scalar, offset: int) -> Place:
    """The place of one character of a scalar; the scalar's own where quoting or folding hides it."""
    value = scalar.text
    line_start = value.rfind("\n", 0, offset) + 1
    line_end = value.find("\n", offset)
    line = value[line_start : line_end if line_end >= 0 else len(value)]
    at = text.find(line, scalar.place.start, scalar.place.end)
    if at < 0:
        return scalar.place
    row, column = position(text, at + offset - line_start)
    return Place(scalar.place.file, row, column)


class _Builder:
    def __init__(self, file: str) -> None:
        self._file = file
        self._nodes = 0

    def document(self, text: str) -> Mapping:
        try:
            parser: Any = YAML(typ="safe", pure=True)
            stream: Iterator[Any] = parser.parse(text)
            node: Node = Mapping(Place(self._file, 1, 1))
            documents = 0
            for event in stream:
                documents += isinstance(event, events.DocumentStartEvent)
                if documents > 1:
                    raise self._refused(event, "a file holds one document")
                if isinstance(event, events.NodeEvent):
                    node = self._node(event, stream, 1)
        except (YAMLError, ValueError, RecursionError) as error:
            raise self._not_yaml(text, error) from None
        if isinstance(node, Scalar) and not node.text:
            return Mapping(node.place)
        if not isinstance(node, Mapping):
            raise Unreadable(Problem(self._file, node.place.line, node.place.column, "file", "must be a mapping"))
        return node

    def _not_yaml(self, text: str, error: Any) -> Unreadable:
        line, column, message = 1, 1, str(error)
        if isinstance(error, ReaderError):
            line, column = position(text, cast(Any, error).position)
            message = cast(Any, error).reason
        elif isinstance(error, MarkedYAMLError):
            marked = cast(Any, error)
            mark = marked.problem_mark or marked.context_mark
            line, column, message = mark.line + 1, mark.column + 1, marked.problem or marked.context
            if marked.context == "while scanning an alias":
                message = _QUOTE
        return Unreadable(Problem(self._file, line, column, "file", f"not YAML: {message}"))

    def _node(self, event: Any, stream: Iterator[Any], depth: int) -> Node:
        self._nodes += 1
        if isinstance(event, events.AliasEvent) or event.anchor is not None:
            raise self._refused(event, f"anchors and aliases are not supported; {_QUOTE}")
        if getattr(event, "ctag", None) is not None:
            raise self._refused(event, "tags are not supported")
        if depth > MAX_DEPTH:
            raise self._refused(event, f"is nested deeper than {MAX_DEPTH} levels")
        if self._nodes > MAX_NODES:
            raise self._refused(event, f"has more than {MAX_NODES} values")
        place = self._place(event)
        if isinstance(event, events.ScalarEvent):
            scalar = cast(Any, event)
            if _UNPRINTABLE.search(scalar.value):
                raise self._refused(event, "NUL characters and lone surrogates are not allowed")
            return Scalar(place, scalar.value, plain=scalar.style is None)
        if isinstance(event, events.SequenceStartEvent):
            return Sequence(place, tuple(self._until(events.SequenceEndEvent, stream, depth)))
        return self._mapping(place, stream, depth)

    def _until(self, end: type[Any], stream: Iterator[Any], depth: int) -> Iterator[Node]:
        for event in stream:
            if isinstance(event, end):
                return
            yield self._node(event, stream, depth + 1)

    def _mapping(self, place: Place, stream: Iterator[Any], depth: int) -> Mapping:
        mapping = Mapping(place)
        nodes = self._until(events.MappingEndEvent, stream, depth)
        for key in nodes:
            if not isinstance(key, Scalar):
                raise Unreadable(Problem(self._file, key.place.line, key.place.column, "file", "a key must be a word"))
            if key.text in mapping.keys:
                first = mapping.keys[key.text].place.line
                message = f"given twice, first in line {first}"
                raise Unreadable(Problem(self._file, key.place.line, key.place.column, key.text, message))
            mapping.keys[key.text] = key
            mapping.entries[key.text] = next(nodes)
        return mapping

    def _place(self, event: Any) -> Place:
        start, end = event.start_mark, event.end_mark
        return Place(self._file, start.line + 1, start.column + 1, start.index, end.index)

    def _refused(self, event: Any, message: str) -> Unreadable:
        place = self._place(event)
        return Unreadable(Problem(self._file, place.line, place.column, "file", message))
