"""Python nodes in the canonical forms of `facts`: expressions, types, string values."""

import re
from functools import lru_cache

from tree_sitter import Node

from handrail.codegraph.languages.expressions import MAX_DEPTH, Lookup, canonical, joined
from handrail.codegraph.languages.nodes import nth, text_of

_DOTTED = re.compile(rb"[A-Za-z_]\w*(?:\.\w+)*\Z")
_WRAPPERS = frozenset({"Optional", "Annotated", "ClassVar", "Final", "Required", "NotRequired", "Type", "type"})
_AWAITED = frozenset({"Awaitable", "Coroutine", "AsyncIterator", "Iterator", "Generator", "AsyncGenerator"})
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


def _other(node: Node, kind: str, source: bytes, depth: int) -> str:
    """What is no plain name."""
    literal = _LITERALS.get(kind)
    if literal is not None:
        return literal
    if kind in {"await", "parenthesized_expression"} and node.named_child_count == 1:
        return expression(nth(node), source, depth)
    if kind not in _STEPS:
        return text_of(node, source) if kind == "identifier" else "?"
    inner = expression(node.child_by_field_name(_STEPS[kind]), source, depth)
    if kind == "call":
        return called(inner)
    name = node.child_by_field_name("attribute")
    return f"{inner}[]" if name is None else f"{inner}.{text_of(name, source)}"


def called(callee: str) -> str:
    """What a call of an expression stands for."""
    return "super" if callee == "super" else f"{callee}()"


@lru_cache(maxsize=50_000)
def name_of(raw: bytes) -> str | None:
    """A dotted name in canonical form, None for other text. Names repeat: two of three are found in the cache."""
    if not _DOTTED.match(raw):
        return None
    text = raw.decode()
    if text in {"None", "True", "False"}:
        return "?"
    head, dot, rest = text.partition(".")
    return f"this{dot}{rest}" if head in {"self", "cls"} else text


expression = canonical(name_of, _other)


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
    kind = node.type if node is not None and depth < MAX_DEPTH else ""
    if node is None or not kind:
        return None
    if kind == "string":
        return _literal(node, source, lookup, depth)
    if kind in {"identifier", "attribute"}:
        return lookup(expression(node, source))
    operator = node.child_by_field_name("operator") if kind == "binary_operator" else None
    if kind in {"concatenated_string", "parenthesized_expression"} or (operator is not None and operator.type == "+"):
        return joined([string_value(part, source, lookup, depth + 1) for part in node.named_children])
    return None


def _literal(node: Node, source: bytes, lookup: Lookup, depth: int) -> str | None:
    parts: list[str | None] = []
    for child in node.named_children:
        text = source[child.start_byte : child.end_byte].decode("utf-8", "replace")
        if child.type == "string_content":
            parts.append(text)
        elif child.type == "interpolation":
            parts.append(string_value(child.child_by_field_name("expression"), source, lookup, depth + 1))
    return joined(parts)
