"""Source that a model wrote, at the indentation of the place where it goes."""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from handrail.changes.editing.errors import BadArguments
from handrail.changes.editing.grammars import parse
from handrail.changes.editing.matching import Shift, moved, shift_of

_STRINGS = frozenset(
    {"string", "template_string", "string_literal", "raw_string_literal", "verbatim_string_literal", "text_block"}
)


def reindented(path: str, lines: Sequence[str], like: str) -> tuple[str, ...]:
    """Lines moved so that the first stands as `like` does. Raises BadArguments where that would change what a string
    of several lines says, or where tabs and spaces are mixed."""
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if not lines:
        raise BadArguments("The new source is empty.")
    shift = shift_of(lines[0], like)
    if shift is None:
        indents = "tabs" if like.startswith("\t") else "spaces"
        raise BadArguments(
            f"{path} indents with {indents} here, and the new source does not. Write it as the file does."
        )
    if shift != Shift() and _has_long_string(path, lines):
        raise BadArguments(
            "The new source holds a string over several lines, which moving it to the right depth would change. "
            f"Write it with the file's own indentation; its first line begins with {_indent(like)!r}."
        )
    return tuple(moved(line, shift) for line in lines)


def _has_long_string(path: str, lines: Sequence[str]) -> bool:
    """True where a string goes over lines and is not documentation, whose indentation says nothing."""
    root = parse(path, "\n".join(lines).encode())
    nodes = [(root, "")] if root is not None else []
    while nodes:
        node, parent = nodes.pop()
        if node.start_point.row == node.end_point.row:
            continue
        if node.type in _STRINGS and parent != "expression_statement":
            return True
        nodes.extend((child, _type(node)) for child in node.children)
    return False


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _type(node: tree_sitter.Node) -> str:
    return node.type
