"""What a `use` of Rust names: paths in braces, aliases and stars, one by one."""

from collections.abc import Iterator

from tree_sitter import Node

from handrail.codegraph.languages.nodes import nth, text_of
from handrail.codegraph.languages.rust.expressions import dotted

_DEEPEST = 20


def names_of(node: Node | None, source: bytes, before: str = "", depth: int = 0) -> Iterator[tuple[str, str, str]]:
    """(path, name there, name here); a star is `*` without a name here."""
    if node is None or depth > _DEEPEST:
        return
    if node.type == "use_list":
        for each in node.named_children:
            yield from names_of(each, source, before, depth + 1)
    elif node.type == "scoped_use_list":
        path = _joined(before, text_of(node.child_by_field_name("path"), source))
        yield from names_of(node.child_by_field_name("list"), source, path, depth + 1)
    elif node.type == "use_wildcard":
        yield _joined(before, text_of(nth(node), source)), "*", ""
    elif node.type == "use_as_clause":
        path, name = _split(before, text_of(node.child_by_field_name("path"), source))
        alias = text_of(node.child_by_field_name("alias"), source)
        if alias != "_":
            yield path, name, alias
    else:
        path, name = _split(before, text_of(node, source))
        yield path, name, name


def _joined(before: str, path: str) -> str:
    written = dotted(path)
    return f"{before}.{written}" if before and written else before or written


def _split(before: str, path: str) -> tuple[str, str]:
    """`self` in braces is what stands before them."""
    whole = before if path.strip() == "self" and before else _joined(before, path)
    head, _, name = whole.rpartition(".")
    return head, name
