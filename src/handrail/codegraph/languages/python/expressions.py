"""Python nodes in the canonical forms of `facts`: expressions, types, string values."""

import re
from collections.abc import Callable
from functools import lru_cache

from tree_sitter import Node

Lookup = Callable[[str], str | None]
"""The value of a name."""

_DOTTED = re.compile(rb"[A-Za-z_]\w*(?:\.\w+)*\Z")
_WRAPPERS = frozenset({"Optional", "Annotated", "ClassVar", "Final", "Required", "NotRequired", "Type", "type"})
_AWAITED = frozenset({"Awaitable", "Coroutine", "AsyncIterator", "Iterator", "Generator", "AsyncGenerator"})
_MAX_DEPTH = 40
_LONGEST_NAME = 200
_LITERALS = {
    "string": "str()",
    "concatenated_string": "str()",
    "integer": "int()",
    "float": "float()",
    "list": "list()",
    "list_comprehension": "list()",
    "dictionary": "dict()",
    "dictionary_comprehension": "dict()",
    "set": "set()",
    "tuple": "tuple()",
}
"""A literal is an instance of its class: what is called on it is known to be outside."""
_STEPS = {"attribute": "object", "call": "function", "subscript": "value"}
"""Node kind → the field that holds what it is applied to."""


def expression(node: Node, source: bytes, depth: int = 0) -> str:
    """A node as a canonical expression; `?` where it is no chain of names."""
    raw = source[node.start_byte : node.end_byte]
    if len(raw) <= _LONGEST_NAME:
        name = _name(raw)
        if name is not None:
            return name
    kind = node.type if depth < _MAX_DEPTH else ""
    if kind in {"await", "parenthesized_expression"} and node.named_child_count == 1:
        return expression(node.named_children[0], source, depth + 1)
    if kind not in _STEPS:
        return raw.decode("utf-8", "replace") if kind == "identifier" else _LITERALS.get(kind, "?")
    owner = node.child_by_field_name(_STEPS[kind])
    inner = "?" if owner is None else expression(owner, source, depth + 1)
    if kind == "call":
        return "super" if inner == "super" else f"{inner}()"
    name = node.child_by_field_name("attribute")
    return (
        f"{inner}[]"
        if name is None
        else f"{inner}.{source[name.start_byte : name.end_byte].decode('utf-8', 'replace')}"
    )


@lru_cache(maxsize=50_000)
def _name(raw: bytes) -> str | None:
    """A dotted name in canonical form, None for other text. Names repeat: two of three are found in the cache."""
    if not _DOTTED.match(raw):
        return None
    text = raw.decode()
    if text in {"None", "True", "False"}:
        return "?"
    head, dot, rest = text.partition(".")
    return f"this{dot}{rest}" if head in {"self", "cls"} else text


def type_name(annotation: str) -> str:
    """The one class an annotation names: `"Foo" | None`, `Optional[Foo]` and `Annotated[Foo, …]` are `Foo`."""
    text = annotation.strip().strip("\"'").strip()
    parts = [part for part in _split(text, "|") if part != "None"]
    if len(parts) != 1:
        return ""
    text = parts[0].strip("\"'")
    head, bracket, rest = text.partition("[")
    if not bracket:
        return text if re.fullmatch(r"[A-Za-z_][\w.]*", text) else ""
    last = head.rpartition(".")[2]
    if last in _WRAPPERS:
        return type_name(_split(rest.removesuffix("]"), ",")[0])
    if last == "Union":
        return type_name("|".join(_split(rest.removesuffix("]"), ",")))
    return "" if last in _AWAITED else head


def _split(text: str, separator: str) -> list[str]:
    """Split outside brackets."""
    parts, depth, start = list[str](), 0, 0
    for index, char in enumerate(text):
        if char in "[(":
            depth += 1
        elif char in "])":
            depth -= 1
        elif char == separator and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    parts.append(text[start:].strip())
    return parts


def string_value(node: Node | None, source: bytes, lookup: Lookup, depth: int = 0) -> str | None:
    """What a string expression says, through names, `+` and f-strings; None where a part is unknown."""
    kind = node.type if node is not None and depth < _MAX_DEPTH else ""
    if node is None or not kind:
        return None
    if kind == "string":
        return _literal(node, source, lookup, depth)
    if kind in {"identifier", "attribute"}:
        return lookup(expression(node, source))
    operator = node.child_by_field_name("operator") if kind == "binary_operator" else None
    if kind in {"concatenated_string", "parenthesized_expression"} or (operator is not None and operator.type == "+"):
        return _joined([string_value(part, source, lookup, depth + 1) for part in node.named_children])
    return None


def _literal(node: Node, source: bytes, lookup: Lookup, depth: int) -> str | None:
    parts: list[str | None] = []
    for child in node.named_children:
        text = source[child.start_byte : child.end_byte].decode("utf-8", "replace")
        if child.type == "string_content":
            parts.append(text)
        elif child.type == "interpolation":
            parts.append(string_value(child.child_by_field_name("expression"), source, lookup, depth + 1))
    return _joined(parts)


def _joined(parts: list[str | None]) -> str | None:
    known = [part for part in parts if part is not None]
    return "".join(known) if len(known) == len(parts) else None
