"""C# nodes in the canonical forms of `facts`: expressions and string values."""

import re
from functools import lru_cache

from tree_sitter import Node

from handrail.codegraph.languages.expressions import MAX_DEPTH, Lookup, canonical, joined
from handrail.codegraph.languages.nodes import nth, text_of
from handrail.codegraph.languages.types import type_name

_DOTTED = re.compile(rb"[A-Za-z_]\w*(?:\??\.\w+)*\Z")
_VERBATIM = "verbatim_string_literal"
_NOT_NAMES = frozenset({"null", "true", "false", "default"})
_STEPS = frozenset(
    {"member_access_expression", "conditional_access_expression", "invocation_expression", "generic_name"}
)
_WRAPPERS = frozenset({"parenthesized_expression", "await_expression", "postfix_unary_expression", "argument"})
_STRINGS = frozenset(
    {"string_literal", "interpolated_string_expression", "verbatim_string_literal", "raw_string_literal"}
)


def _other(node: Node, kind: str, source: bytes, depth: int) -> str:
    """What is no plain name."""
    if kind in _STEPS:
        return _step(node, kind, source, depth)
    if kind in {"object_creation_expression", "cast_expression"}:  # a cast is as good as an instance of its type
        name = type_name(text_of(node.child_by_field_name("type"), source))
        return f"{name}()" if name else "?"
    if kind in _WRAPPERS:
        return expression(nth(node), source, depth)
    return "String()" if kind in _STRINGS else "?"


def _step(node: Node, kind: str, source: bytes, depth: int) -> str:
    if kind == "generic_name":
        return text_of(nth(node), source)
    if kind == "invocation_expression":
        return f"{expression(node.child_by_field_name('function'), source, depth)}()"
    if kind == "conditional_access_expression":
        owner = expression(node.child_by_field_name("condition"), source, depth)
        rest = text_of(node.named_children[-1], source).lstrip("?.")
        return f"{owner}.{rest}" if rest.isidentifier() else "?"
    name = node.child_by_field_name("name")
    text = text_of(nth(name) if name is not None and name.type == "generic_name" else name, source)
    owner = expression(node.child_by_field_name("expression"), source, depth)
    return f"{'super' if owner == 'base' else owner}.{text}"


@lru_cache(maxsize=50_000)
def _name(raw: bytes) -> str | None:
    if not _DOTTED.match(raw):
        return None
    text = raw.decode().replace("?.", ".")
    head, dot, rest = text.partition(".")
    return "?" if text in _NOT_NAMES else f"super{dot}{rest}" if head == "base" else text


expression = canonical(_name, _other)


def string_value(node: Node | None, source: bytes, lookup: Lookup, depth: int = 0) -> str | None:
    """What a string expression says, through names, `+` and interpolation; None where a part is unknown."""
    if node is None or depth > MAX_DEPTH:
        return None
    kind = node.type
    if kind in _STRINGS:
        parts = [_part(child, source, lookup, depth) for child in node.named_children] if kind != _VERBATIM else []
        verbatim = [text_of(node, source)[2:-1]] if kind == _VERBATIM else []
        return joined([*parts, *verbatim])
    if kind in {"identifier", "member_access_expression"}:
        return lookup(expression(node, source))
    if kind in _WRAPPERS:
        return string_value(nth(node), source, lookup, depth + 1)
    operator = node.child_by_field_name("operator") if kind == "binary_expression" else None
    if operator is None or operator.type != "+":
        return None
    sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
    return joined([string_value(side, source, lookup, depth + 1) for side in sides])


def _part(node: Node, source: bytes, lookup: Lookup, depth: int) -> str | None:
    if node.type == "interpolation":
        return string_value(nth(node, 1) or nth(node), source, lookup, depth + 1)
    return text_of(node, source) if node.type.endswith("content") else ""
