"""Typed reading of nodes: every mistake is noted with its place, and reading continues to find the next."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import TypeVar

from handrail.core.risk import Level

from .document import Mapping, Node, Place, Problem, Scalar, Sequence

T = TypeVar("T")

MAX_TEXT = 200

_DURATION = re.compile(r"(\d{1,6}) ?(s|m|h|d)")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_NAME = re.compile(r"[^\s\x00-\x1f\x7f]{1,100}")


class Fields:
    """The fields of one mapping. `close` reports unknown ones."""

    def __init__(self, node: Mapping, path: str, problems: list[Problem]) -> None:
        self.node = node
        self.path = path
        self.problems = problems
        self._asked: set[str] = set()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.node.entries)

    def place(self, name: str | None = None) -> Place:
        """Where the field's value stands, else its name, else the mapping itself."""
        node = self.node.entries.get(name) if name else None
        if node is None or name is None:
            return self.node.place
        return self.node.keys[name].place if isinstance(node, Scalar) and not node.text else node.place

    def complain(self, name: str | None, message: str, place: Place | None = None) -> None:
        at = place or self.place(name)
        field = ".".join(part for part in (self.path, name) if part)
        self.problems.append(Problem(at.file, at.line, at.column, field or "file", message))

    def close(self) -> None:
        for name, key in self.node.keys.items():
            if name not in self._asked:
                near = difflib.get_close_matches(name[:50], self._asked, 1)
                hint = f"; did you mean `{near[0]}`?" if near else f"; known: {', '.join(sorted(self._asked))}"
                self.complain(name[:50], f"unknown field{hint}", key.place)

    def node_of(self, name: str, *, required: bool = False) -> Node | None:
        self._asked.add(name)
        node = self.node.entries.get(name)
        if node is None and required:
            self.complain(None, f"`{name}` is missing")
        if isinstance(node, Scalar) and node.plain and node.text in ("", "null", "~"):
            if required:
                self.complain(name, "has no value")
            return None
        return node

    def _scalar(self, name: str, read: Callable[[str], T | None], wanted: str, *, required: bool = False) -> T | None:
        node = self.node_of(name, required=required)
        if node is None:
            return None
        value = read(node.text) if isinstance(node, Scalar) else None
        if value is None:
            got = f", not {node.text[:50]!r}" if isinstance(node, Scalar) else ""
            self.complain(name, f"must be {wanted}{got}")
        return value

    def text(self, name: str) -> str:
        """A line of text, or an empty one."""
        found = self._scalar(name, lambda text: text if len(text) <= MAX_TEXT else None, f"up to {MAX_TEXT} characters")
        return found or ""

    def name(self, name: str, *, required: bool = False) -> str | None:
        return self._scalar(name, _name, "a name without spaces", required=required)

    def flag(self, name: str, *, default: bool = False) -> bool:
        value = self._scalar(name, {"true": True, "false": False}.get, "true or false")
        return default if value is None else value

    def count(self, name: str, *, default: int, least: int = 1, most: int = 20) -> int:
        def read(text: str) -> int | None:
            return int(text) if text.isdecimal() and len(text) < 10 and least <= int(text) <= most else None

        value = self._scalar(name, read, f"a whole number from {least} to {most}")
        return default if value is None else value

    def number(self, name: str) -> float | None:
        return self._scalar(name, _number, "a number that is not negative")

    def duration(self, name: str) -> timedelta | None:
        return self._scalar(name, _duration, "a duration such as 90s, 30m, 4h or 7d")

    def level(self, name: str, *, required: bool = False) -> Level | None:
        return self._scalar(name, _level, f"one of {', '.join(Level)}", required=required)

    def one_of(self, name: str, allowed: Collection[str]) -> str | None:
        return self._scalar(name, lambda text: text if text in allowed else None, f"one of {', '.join(allowed)}")

    def parsed(self, name: str, read: Callable[[str], T], wanted: str) -> T | None:
        """What `read` makes of the text; it raises where it cannot."""

        def attempt(text: str) -> T | None:
            try:
                return read(text)
            except (ValueError, LookupError, OSError):
                return None

        return self._scalar(name, attempt, wanted)

    def items(self, name: str, *, empty: bool = False) -> tuple[Node, ...]:
        """A list's entries; a single value counts as a list of one."""
        node = self.node_of(name)
        if node is None:
            return ()
        if isinstance(node, Sequence):
            if not node.items and not empty:
                self.complain(name, "is empty; leave the field out")
            return node.items
        return (node,)

    def names_of(
        self, name: str, *, known: Collection[str] | None = None, what: str = "name", empty: bool = False
    ) -> tuple[str, ...]:
        """A list of names; each must be one of `known` where that is given."""
        found = (self._known(name, node, known, what) for node in self.items(name, empty=empty))
        return tuple(item for item in found if item is not None)

    def group(self, name: str, node: Node, known: Collection[str], what: str) -> frozenset[str]:
        items = node.items if isinstance(node, Sequence) else (node,)
        found = (self._known(name, item, known, what) for item in items)
        return frozenset(item for item in found if item is not None)

    def _known(self, name: str, node: Node, known: Collection[str] | None, what: str) -> str | None:
        text = _name(node.text) if isinstance(node, Scalar) else None
        if text is None:
            self.complain(name, "must be a name without spaces, or a list of such", node.place)
        elif known is not None and text not in known:
            self.complain(name, f"there is no {what} {text!r}; known: {', '.join(sorted(known))}", node.place)
            return None
        return text

    def mapping(self, name: str, *, required: bool = False) -> Fields | None:
        node = self.node_of(name, required=required)
        return None if node is None else self._fields(node, f"{self.path}.{name}".lstrip("."))

    def mappings(self, name: str) -> list[Fields]:
        """A list of mappings."""
        node = self.node_of(name)
        if node is None:
            return []
        path = f"{self.path}.{name}".lstrip(".")
        if not isinstance(node, Sequence):
            self.complain(name, "must be a list")
            return []
        found = (self._fields(item, f"{path}[{place}]") for place, item in enumerate(node.items))
        return [fields for fields in found if fields is not None]

    def _fields(self, node: Node, path: str) -> Fields | None:
        if isinstance(node, Mapping):
            return Fields(node, path, self.problems)
        at = node.place
        self.problems.append(Problem(at.file, at.line, at.column, path, "must be a mapping of fields"))
        return None


def _name(text: str) -> str | None:
    return text if _NAME.fullmatch(text) else None


def _level(text: str) -> Level | None:
    return Level(text) if text in Level.__members__ else None


def _number(text: str) -> float | None:
    if not re.fullmatch(r"\d{1,15}(\.\d{1,6})?", text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def _duration(text: str) -> timedelta | None:
    found = _DURATION.fullmatch(text)
    if found is None or int(found[1]) == 0:
        return None
    return timedelta(**{_UNITS[found[2]]: int(found[1])})
