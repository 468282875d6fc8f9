"""`replace_symbol`: a whole function, class or constant by new source."""

from __future__ import annotations

from handrail.changes.editing.desk import Edit, changed, existing
from handrail.changes.editing.errors import Ambiguous
from handrail.changes.editing.grammars import parse
from handrail.changes.editing.reindenting import reindented
from handrail.changes.editing.symbols import Symbol, find, shown, symbols_of
from handrail.changes.editing.texts import Splice, Text, lines_of
from handrail.changes.editing.trees import Tree


def replace_symbol(tree: Tree, path: str, hash: str, symbol: str, source: str) -> tuple[Edit, ...]:  # noqa: A002
    """Decorators belong to the symbol, comments above it do not. Raises Ambiguous where it shares lines with other
    code."""
    file, text = existing(tree, path, hash)
    symbols = symbols_of(path, text)
    target = find(path, symbols, symbol)
    if _shares_lines(path, text, target, symbols):
        raise Ambiguous(
            f"`{target.name}` ({shown(target.span)} of {path}) shares lines with other code. Use replace_text."
        )
    lines = reindented(path, lines_of(source, "source"), text.lines[target.span.start])
    return (changed(path, file, text.spliced([Splice(target.span.start, target.span.stop, lines)])),)


def _shares_lines(path: str, text: Text, target: Symbol, symbols: tuple[Symbol, ...]) -> bool:
    base = target.name.partition("#")[0]
    twins = (each for each in symbols if each is not target and each.span.start < target.span.stop)
    for other in twins:
        nested = other.name.startswith(f"{base}.") or base.startswith(f"{other.name.partition('#')[0]}.")
        if other.span.stop > target.span.start and not nested:
            return True
    return not _is_whole_node(path, text, target.span)


def _is_whole_node(path: str, text: Text, span: range) -> bool:
    """True where one node of the syntax tree begins and ends these lines."""
    root = parse(path, text.source)
    first, last = text.lines[span.start], text.lines[span.stop - 1]
    start = (span.start, len(first[: len(first) - len(first.lstrip())].encode()))
    node = root.descendant_for_point_range(start, start) if root is not None else None
    while node is not None and node.start_point == start:
        tail = last.encode()[node.end_point.column :].decode("utf-8", "replace").strip(" \t;,")
        if node.end_point.row == span.stop - 1 and (not tail or tail.startswith(("#", "//", "/*"))):
            return node.parent is not None
        node = node.parent
    return False
