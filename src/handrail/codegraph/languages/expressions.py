"""What the canonical expressions of `facts` have in common in all languages."""

from collections.abc import Callable, Iterable
from typing import Protocol

from tree_sitter import Node

Lookup = Callable[[str], str | None]
"""The value of a name."""
MAX_DEPTH = 40
"""Sources may be hostile: nothing recurses deeper over a tree."""
_LONGEST_NAME = 200


class Expression(Protocol):
    def __call__(self, node: Node | None, source: bytes, depth: int = 0) -> str:
        """A node as a canonical expression; `?` where it is no chain of names."""
        ...


def canonical(name_of: Callable[[bytes], str | None], other: Callable[[Node, str, bytes, int], str]) -> Expression:
    """The `expression` of one language. `name_of` gives a dotted name its form and answers None to other text; `other`
    writes all other nodes by their type, and gives the depth on."""

    def expression(node: Node | None, source: bytes, depth: int = 0) -> str:
        if node is None or depth > MAX_DEPTH:
            return "?"
        start, end = node.start_byte, node.end_byte
        if end - start <= _LONGEST_NAME:
            name = name_of(source[start:end])
            if name is not None:
                return name
        return other(node, node.type, source, depth + 1)

    return expression


def joined(parts: Iterable[str | None]) -> str | None:
    """The parts of a string's value together; None where one is unknown."""
    found: list[str] = []
    for part in parts:
        if part is None:
            return None
        found.append(part)
    return "".join(found)
