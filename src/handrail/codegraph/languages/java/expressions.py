"""Java nodes in the canonical forms of `facts`: expressions and string values."""

import re
from functools import lru_cache

from tree_sitter import Node

from handrail.codegraph.languages.expressions import MAX_DEPTH, Lookup, canonical, joined
from handrail.codegraph.languages.nodes import nth, text_of
from handrail.codegraph.languages.types import type_name

_DOTTED = re.compile(rb"[A-Za-z_$][\w$]*(?:\.[\w$]+)*\Z")
_STRINGS = frozenset({"string_literal", "text_block"})
_NOT_NAMES = frozenset({"null", "true", "false"})


def _other(node: Node, kind: str, source: bytes, depth: int) -> str:
    """What is no plain name."""
    if kind == "method_invocation":
        return f"{callee(node, source, depth)}()"
    if kind in {"object_creation_expression", "cast_expression"}:  # a cast is as good as an instance of its type
        return f"{type_name(text_of(node.child_by_field_name('type'), source)) or '?'}()"
    if kind in {"field_access", "array_access"}:
        owner = node.child_by_field_name("object") or node.child_by_field_name("array")
        member = f".{text_of(node.child_by_field_name('field'), source)}" if kind == "field_access" else "[]"
        return f"{expression(owner, source, depth)}{member}"
    inner = nth(node) if kind == "parenthesized_expression" else None
    return expression(inner, source, depth) if inner is not None else "String()" if kind in _STRINGS else "?"


def callee(node: Node, source: bytes, depth: int = 0) -> str:
    """What a method invocation calls."""
    owner, name = node.child_by_field_name("object"), text_of(node.child_by_field_name("name"), source)
    return name if owner is None else f"{expression(owner, source, depth)}.{name}"


@lru_cache(maxsize=50_000)
def _name(raw: bytes) -> str | None:
    if not _DOTTED.match(raw):
        return None
    text = raw.decode()
    return "?" if text in _NOT_NAMES else text


expression = canonical(_name, _other)


def string_value(node: Node | None, source: bytes, lookup: Lookup, depth: int = 0) -> str | None:
    """What a string expression says, through names and `+`; None where a part is unknown."""
    if node is None or depth > MAX_DEPTH:
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
    sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
    return joined(string_value(side, source, lookup, depth + 1) for side in sides)
