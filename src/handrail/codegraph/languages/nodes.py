"""Children of a syntax node, which may be missing: sources are often broken."""

from tree_sitter import Node


def nth(node: Node | None, index: int = 0) -> Node | None:
    """The named child at a position."""
    return node.named_child(index) if node is not None and node.named_child_count > index else None


def text_of(node: Node | None, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace") if node is not None else ""
