"""The symbols of a file and where they are, by the code graph's readers."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from handrail.changes.editing.errors import Ambiguous, BadArguments, NoSymbol
from handrail.changes.editing.texts import Text
from handrail.codegraph import languages, reading

_LINES = re.compile(r"(?:lines?\s+)?(\d+)(?:\s*[-–:]\s*(\d+))?")
_SHOWN = 12


@dataclass(frozen=True)
class Symbol:
    name: str
    """Qualified; where several are called so, the second ends with `#2`."""
    kind: str
    span: range
    """Its lines, from 0, decorators included."""


def symbols_of(path: str, text: Text) -> tuple[Symbol, ...]:
    """In the order of the file; none where no reader knows the language."""
    if languages.language_of(path) is None:
        return ()
    try:
        definitions = reading.facts_of(path, text.source).definitions
    except reading.Unreadable:
        return ()
    seen: Counter[str] = Counter()
    found: list[Symbol] = []
    for definition in sorted(definitions, key=lambda each: (each.start_line, -each.end_line)):
        seen[definition.qualname] += 1
        count = seen[definition.qualname]
        name = definition.qualname if count == 1 else f"{definition.qualname}#{count}"
        found.append(Symbol(name, definition.kind, range(definition.start_line - 1, definition.end_line)))
    return tuple(found)


def enclosing(symbols: tuple[Symbol, ...], line: int) -> Symbol | None:
    """The innermost one around a line."""
    around = [symbol for symbol in symbols if line in symbol.span]
    return min(around, key=lambda symbol: len(symbol.span), default=None)


def find(path: str, symbols: tuple[Symbol, ...], name: str) -> Symbol:
    """By qualified name, or by its end where that is the only one. Raises NoSymbol or Ambiguous."""
    if not symbols:
        raise NoSymbol(f"No symbols are known in {path}. Work with its lines instead.")
    base = name.partition("#")[0]
    same = [symbol for symbol in symbols if symbol.name.partition("#")[0] == base]
    if not same:
        same = [symbol for symbol in symbols if symbol.name.partition("#")[0].endswith(f".{base}")]
    chosen = (
        [symbol for symbol in same if symbol.name.partition("#")[2] == name.partition("#")[2]] if "#" in name else same
    )
    if len(chosen) == 1:
        return chosen[0]
    if len(chosen) > 1 or len(same) > 1:
        listed = "; ".join(f"`{symbol.name}` {shown(symbol.span)}" for symbol in same[:_SHOWN])
        raise Ambiguous(f"`{name}` could be any of these in {path}: {listed}. Give one of these names as it is here.")
    raise NoSymbol(f"{path} defines no `{name}`. It defines: {_listed(symbols)}.")


def region(path: str, text: Text, within: str | None) -> range:
    """The lines that `within` names: a symbol, or `10-40`."""
    whole = range(len(text.lines))
    if not within:
        return whole
    lines = _LINES.fullmatch(within.strip())
    if lines is None:
        return find(path, symbols_of(path, text), within.strip()).span
    first, last = int(lines[1]), int(lines[2] or lines[1])
    if not 1 <= first <= last <= len(text.lines):
        raise BadArguments(f"{path} has lines 1 to {len(text.lines)}; {within!r} is not a part of them.")
    return range(first - 1, last)


def shown(span: range) -> str:
    return f"lines {span.start + 1}-{span.stop}" if len(span) > 1 else f"line {span.start + 1}"


def _listed(symbols: tuple[Symbol, ...]) -> str:
    names = [f"`{symbol.name}`" for symbol in symbols[: _SHOWN * 2]]
    more = len(symbols) - len(names)
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")
