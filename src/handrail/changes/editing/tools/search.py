"""`search`: where a text or a regular expression occurs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import regex

from handrail.changes.editing.desk import existing
from handrail.changes.editing.errors import BadArguments, Refused
from handrail.changes.editing.listing import Listing, matching
from handrail.changes.editing.symbols import enclosing, symbols_of
from handrail.changes.editing.texts import Text
from handrail.changes.editing.trees import Tree

MOST = 100
_LONG = 240
_SECONDS = 5.0


class Hit(NamedTuple):
    path: str
    line: int
    text: str
    symbol: str
    """The one around it, or empty."""


def search(tree: Listing, text: str, paths: Sequence[str] = ("**",), is_regex: bool = False) -> tuple[Hit, ...]:
    """Lines in the order of their files, MOST at most. Files that are no text are left out."""
    if not text:
        raise BadArguments("`text` is empty.")
    pattern = _pattern(text if is_regex else regex.escape(text))
    return tuple(hit for hit, _ in zip(_hits(tree, paths, pattern), range(MOST), strict=False))


def _pattern(source: str) -> regex.Pattern[str]:
    try:
        return regex.compile(source)
    except regex.error as error:
        raise BadArguments(f"The regular expression cannot be read: {error}.") from None


def _hits(tree: Listing, paths: Sequence[str], pattern: regex.Pattern[str]) -> Iterator[Hit]:
    for path in matching(tree, paths):
        there = _text(tree, path)
        found = [number for number, line in enumerate(there.lines) if _has(pattern, line)] if there else []
        if there and found:
            symbols = symbols_of(path, there)
            for number in found:
                around = enclosing(symbols, number)
                yield Hit(path, number + 1, there.lines[number][:_LONG], around.name if around else "")


def _has(pattern: regex.Pattern[str], line: str) -> bool:
    try:
        return pattern.search(line, timeout=_SECONDS) is not None
    except TimeoutError:
        raise BadArguments(
            "The regular expression takes too long. Search for plain text, or make it simpler."
        ) from None


def _text(tree: Tree, path: str) -> Text | None:
    try:
        return existing(tree, path)[1]
    except Refused:
        return None
