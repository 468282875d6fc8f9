"""Go nodes in the canonical forms of `facts`."""

import re
from functools import lru_cache

from tree_sitter import Node

from handrail.codegraph.languages.expressions import canonical
from handrail.codegraph.languages.nodes import nth, text_of

_DOTTED = re.compile(rb"[A-Za-z_]\w*(?:\.\w+)*\Z")
_NOT_NAMES = frozenset({"nil", "true", "false", "iota", "_"})
_TYPE = re.compile(r"(?:\*|\.\.\.)*([A-Za-z_]\w*(?:\.\w+)?)(?:\[.*\])?\Z", re.DOTALL)
_TYPED = frozenset({"composite_literal", "type_conversion_expression", "type_assertion_expression"})
_INNER = frozenset({"unary_expression", "parenthesized_expression", "type_instantiation_expression"})


def _other(node: Node, kind: str, source: bytes, depth: int) -> str:
    if kind == "call_expression":
        return f"{expression(node.child_by_field_name('function'), source, depth)}()"
    if kind in _TYPED:  # a conversion or assertion is as good as an instance of its type
        return f"{type_name(text_of(node.child_by_field_name('type'), source)) or '?'}()"
    if kind in {"selector_expression", "index_expression"}:
        owner = expression(node.child_by_field_name("operand"), source, depth)
        member = f".{text_of(node.child_by_field_name('field'), source)}" if kind == "selector_expression" else "[]"
        return f"{owner}{member}"
    inner = node.child_by_field_name("operand") or nth(node) if kind in _INNER else None
    return expression(inner, source, depth) if inner is not None else "?"


@lru_cache(maxsize=50_000)
def _name(raw: bytes) -> str | None:
    if not _DOTTED.match(raw):
        return None
    text = raw.decode()
    return "?" if text in _NOT_NAMES else text


expression = canonical(_name, _other)


@lru_cache(maxsize=20_000)
def type_name(text: str) -> str:
    """The one type that a type names: `*Cart` and `Cart[int]` are `Cart`; a slice, map, channel or function is none."""
    found = _TYPE.match(text.strip()[:200])
    return found[1] if found else ""
