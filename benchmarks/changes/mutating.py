"""Small faults in real code: one operator or constant of one line is another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter

from handrail.changes.editing.grammars import parse

# both ways, in all languages that have them
_PAIRS = (
    *(("==", "!="), ("===", "!=="), ("<", ">="), (">", "<="), ("and", "or"), ("&&", "||"), ("+", "-")),
    *(("True", "False"), ("true", "false"), ("is not", "is"), ("not in", "in")),
)
SWAPS = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
# in which an operator is one: `<` is also a part of a type, `in` one of a loop
_OPERATIONS = frozenset(
    {"comparison_operator", "boolean_operator", "binary_operator", "binary_expression", "return_statement"}
    | {"assignment", "if_statement", "variable_declarator", "keyword_argument", "argument_list", "arguments", "pair"}
)


@dataclass(frozen=True)
class Mutant:
    path: str
    start: int
    end: int
    new: str

    def of(self, source: str) -> str:
        data = source.encode()
        return (data[: self.start] + self.new.encode() + data[self.end :]).decode()

    def line(self, source: str) -> int:
        return source.encode()[: self.start].count(b"\n")


def mutants(path: str, source: str) -> list[Mutant]:
    root = parse(path, source.encode())
    return [] if root is None else list(_within(path, root))


def _within(path: str, root: tree_sitter.Node) -> Iterator[Mutant]:
    nodes = [root]
    while nodes:
        node = nodes.pop()
        nodes.extend(reversed(node.children))
        text = node.text.decode() if node.text and not node.children else ""
        inside = node.parent is not None and node.parent.type in _OPERATIONS
        if text in SWAPS and inside and node.type != "string_content":
            yield Mutant(path, node.start_byte, node.end_byte, SWAPS[text])
