"""Tree-sitter's view of a file, where a grammar is known."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import tree_sitter
import tree_sitter_bash

from handrail.codegraph import languages

_OTHERS: dict[str, Callable[[], object]] = dict.fromkeys((".sh", ".bash"), tree_sitter_bash.language)
"""Languages that the code graph has no reader for."""


def parse(path: str, source: bytes) -> tree_sitter.Node | None:
    """The root of the tree; None for a language without a grammar here."""
    parser = _parser(languages.suffix_of(path))
    return None if parser is None else parser.parse(source).root_node


def errors(root: tree_sitter.Node) -> list[tree_sitter.Node]:
    """Nodes that the parser could not read, or made up to go on."""
    found: list[tree_sitter.Node] = []
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if node.is_error or node.is_missing:
            found.append(node)
        if node.has_error:
            nodes.extend(child for child in node.children if child.has_error or child.is_missing)
    return sorted(found, key=lambda node: node.start_byte)


@cache
def _parser(suffix: str) -> tree_sitter.Parser | None:
    name = languages.language_of(suffix)
    if name is not None:
        return tree_sitter.Parser(tree_sitter.Language(languages.load(name).grammars[suffix].language()))
    other = _OTHERS.get(suffix)
    return tree_sitter.Parser(tree_sitter.Language(other())) if other else None
