"""Java nodes in the canonical forms of `facts`: expressions and string values."""

import re
from collections.abc import Callable
from functools import lru_cache

from tree_sitter import Node

from handrail.codegraph.languages.nodes import nth, text_of
from handrail.codegraph.languages.types import type_name

Lookup = Callable[[str], str | None]
"""The value of a name."""

_DOTTED = re.compile(rb"[A-Za-z_$][\w$]*(?:\.[\w$]+)*\Z")
_MAX_DEPTH = 40
_LONGEST_NAME = 200
_STRINGS = frozenset({"string_literal", "text_block"})
_NOT_NAMES = frozenset({"null", "true", "false"})


def expression(node: Node | None, source: bytes, depth: int = 0) -> str:
    """A node as a canonical expression; `?` where it is no chain of names."""
    if node is None or depth > _MAX_DEPTH:
        return "?"
    if node.end_byte - node.start_byte <= _LONGEST_NAME:
        name = _name(source[node.start_byte : node.end_byte])
        if name is not None:
            return name
    kind = node.type
    if kind == "method_invocation":
        return f"{callee(node, source, depth)}()"
    if kind in {"object_creation_expression", "cast_expression"}:  # a cast is as good as an instance of its type
        return f"{type_name(text_of(node.child_by_field_name('type'), source)) or '?'}()"
    if kind in {"field_access", "array_access"}:
        owner = node.child_by_field_name("object") or node.child_by_field_name("array")
        member = f".{text_of(node.child_by_field_name('field'), source)}" if kind == "field_access" else "[]"
        return f"{expression(owner, source, depth + 1)}{member}"
    inner = nth(node) if kind == "parenthesized_expression" else None
    return expression(inner, source, depth + 1) if inner is not None else "String()" if kind in _STRINGS else "?"


def callee(node: Node, source: bytes, depth: int = 0) -> str:
    """What a method invocation calls."""
    owner, name = node.child_by_field_name("object"), text_of(node.child_by_field_name("name"), source)
    return name if owner is None else f"{expression(owner, source, depth + 1)}.{name}"


@lru_cache(maxsize=50_000)
def _name(raw: bytes) -> str | None:
    if not _DOTTED.match(raw):
        return None
    text = raw.decode()
    return "?" if text in _NOT_NAMES else text


def string_value(node: Node | None, source: bytes, lookup: Lookup, depth: int = 0) -> str | None:
    """What a string expression says, through names and `+`; None where a part is unknown."""
    if node is None or depth > _MAX_DEPTH:
        return None
    if node.type == "string_literal":
        return "".join(text_of(child, source) for child in node.named_children)
    if node.type in {"identifier", "field_access"}:
        return lookup(expression(node, source))
    if node.type == "parenthesized_expression":
        return string_value(nth(node), source, lookup, depth + 1)
    operator = node.child_by_field_name("operator") if node.type == "binary_expression" else None
    if operator is None or operator.type != "+":
        return None
    left = string_value(node.child_by_field_name("left"), source, lookup, depth + 1)
    right = string_value(node.child_by_field_name("right"), source, lookup, depth + 1)
    return None if left is None or right is None else left + right
