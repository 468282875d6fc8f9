"""`insert`: new lines before or after a symbol or a line."""

from __future__ import annotations

from handrail.changes.editing.desk import Edit, changed, existing
from handrail.changes.editing.errors import BadArguments
from handrail.changes.editing.reindenting import reindented
from handrail.changes.editing.symbols import Symbol, find, region, symbols_of
from handrail.changes.editing.texts import Splice, Text, lines_of
from handrail.changes.editing.trees import Tree

_PLAIN = frozenset({"field", "constant", "variable"})


def insert(
    tree: Tree,
    path: str,
    hash: str,  # noqa: A002
    text: str,
    before: str | None = None,
    after: str | None = None,
) -> tuple[Edit, ...]:
    """An anchor is a symbol, a line's number, `start` or `end`. Beside a symbol, the new source takes its indentation
    and its distance from what is around it."""
    anchor = before or after
    if anchor is None or (before and after):
        raise BadArguments("Say where: `before` or `after`, one of them.")
    file, there = existing(tree, path, hash)
    lines = lines_of(text, "text")
    if not any(line.strip() for line in lines):
        raise BadArguments("`text` is empty: nothing would be inserted.")
    splice = _splice(path, there, anchor.strip(), after is not None, lines)
    return (changed(path, file, there.spliced([splice])),)


def _splice(path: str, there: Text, anchor: str, is_after: bool, lines: tuple[str, ...]) -> Splice:
    if anchor in {"start", "end"}:
        at = 0 if anchor == "start" else len(there.lines)
        return Splice(at, at, lines)
    if anchor.removeprefix("line ").strip().isdecimal():
        span = region(path, there, anchor)
        return _at(span.stop if is_after else span.start, lines)
    symbol = find(path, symbols_of(path, there), anchor)
    moved = reindented(path, lines, there.lines[symbol.span.start])
    blank = ("",) * _distance(there, symbol)
    if is_after:
        return _at(symbol.span.stop, (*blank, *moved))
    return _at(_above(there, symbol), (*moved, *blank))


def _at(position: int, lines: tuple[str, ...]) -> Splice:
    return Splice(position, position, lines)


def _above(there: Text, symbol: Symbol) -> int:
    """Before the comment that belongs to the symbol."""
    at = symbol.span.start
    while at and there.lines[at - 1].lstrip().startswith(("#", "//", "/*", "*")):
        at -= 1
    return at


def _distance(there: Text, symbol: Symbol) -> int:
    """Blank lines between the symbol and its neighbours, as the file has them."""
    if symbol.kind in _PLAIN or (symbol.kind == "property" and len(symbol.span) == 1):
        return 0
    above = _blanks(there, range(_above(there, symbol) - 1, -1, -1))
    below = _blanks(there, range(symbol.span.stop, len(there.lines)))
    return min(above or below or 1, 2)


def _blanks(there: Text, positions: range) -> int:
    """How many there are until the next line; none where the file ends first."""
    return next((count for count, position in enumerate(positions) if there.lines[position].strip()), 0)
