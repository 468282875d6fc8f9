"""JavaScript and TypeScript nodes in the canonical forms of `facts`: expressions, types, string values."""

import re
from functools import lru_cache

from tree_sitter import Node

from handrail.codegraph.languages.expressions import MAX_DEPTH, Lookup, canonical, joined
from handrail.codegraph.languages.nodes import nth, text_of

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_DOTTED = re.compile(rb"[A-Za-z_$][\w$]*(?:\??\.[\w$]+)*\Z")
_TYPE = re.compile(r"[A-Za-z_$][\w$]*(?:\.[\w$]+)*\Z")
_LITERALS = {
    "string": "String()",
    "template_string": "String()",
    "number": "Number()",
    "array": "Array()",
    "regex": "RegExp()",
}
"""A literal is an instance of its class: what is called on it is known to be outside."""
_STEPS = {"member_expression": "object", "call_expression": "function", "subscript_expression": "object"}
_WRAPPERS = frozenset(
    {"parenthesized_expression", "await_expression", "non_null_expression", "as_expression", "satisfies_expression"}
)
_NAMES = frozenset({"identifier", "property_identifier", "type_identifier"})
_PROMISES = frozenset({"Promise", "Readonly", "Partial", "Required", "Awaited", "NonNullable", "Ref", "Observable"})
"""Types that stand for their argument."""
_PRIMITIVES = {"string": "String", "number": "Number", "boolean": "Boolean", "bigint": "BigInt", "symbol": "Symbol"}
_LONGEST_TYPE = 200
_NOT_NAMES = frozenset({"null", "undefined", "true", "false", "NaN"})


def _other(node: Node, kind: str, source: bytes, depth: int) -> str:
    """What is no plain name."""
    if kind in _STEPS:
        return _step(node, kind, source, depth)
    if kind == "new_expression":
        return f"{expression(node.child_by_field_name('constructor'), source, depth)}()"
    if kind in _WRAPPERS:
        return expression(nth(node), source, depth)
    return text_of(node, source) if kind in _NAMES else _LITERALS.get(kind, "?")


def _step(node: Node, kind: str, source: bytes, depth: int) -> str:
    owner = expression(node.child_by_field_name(_STEPS[kind]), source, depth)
    if kind == "call_expression":
        return f"{owner}()"
    member = node.child_by_field_name("property") if kind == "member_expression" else None
    return f"{owner}[]" if member is None else f"{owner}.{text_of(member, source)}"


@lru_cache(maxsize=50_000)
def _name(raw: bytes) -> str | None:
    """A dotted name in canonical form, None for other text."""
    if not _DOTTED.match(raw):
        return None
    text = raw.decode().replace("?.", ".")
    return "?" if text in _NOT_NAMES else text


expression = canonical(_name, _other)


@lru_cache(maxsize=20_000)
def type_name(annotation: str) -> str:
    """The one class an annotation names: `Foo | null`, `Promise<Foo>` and `Partial<Foo>` are `Foo`."""
    parts = [p for p in _split(annotation.removeprefix(":").strip(), "|") if p not in {"null", "undefined", "void"}]
    if len(parts) != 1 or len(annotation) > _LONGEST_TYPE:
        return ""
    text = parts[0].removeprefix("readonly ").strip()
    if text.endswith("[]"):
        return "Array"
    head, bracket, rest = text.partition("<")
    if bracket and head.rpartition(".")[2] in _PROMISES and rest.endswith(">"):
        return type_name(rest.removesuffix(">"))
    name = _PRIMITIVES.get(head.strip(), head.strip())
    return name if _TYPE.match(name) and name not in {"any", "unknown", "never", "object"} else ""


def type_argument(annotation: str) -> str:
    """The first argument of a generic type: `User` in `Repository<User>`."""
    rest = annotation.partition("<")[2]
    return type_name(_split(rest.rpartition(">")[0], ",")[0]) if rest else ""


def _split(text: str, separator: str) -> list[str]:
    """Split outside brackets."""
    parts, depth, start = list[str](), 0, 0
    for index, char in enumerate(text):
        if char in "[(<{":
            depth += 1
        elif char in "])}" or (char == ">" and text[index - 1 : index] != "="):
            depth -= 1
        elif char == separator and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part] or [""]


def string_value(node: Node | None, source: bytes, lookup: Lookup, depth: int = 0) -> str | None:
    """What a string expression says, through names, `+` and templates; None where a part is unknown."""
    if node is None or depth > MAX_DEPTH:
        return None
    kind = node.type
    if kind in {"string", "template_string"}:
        return joined([_part(child, source, lookup, depth) for child in node.named_children])
    if kind in {"identifier", "member_expression"}:
        name = expression(node, source)
        return lookup(name) if "?" not in name and "(" not in name else None
    if kind in _WRAPPERS:
        return string_value(nth(node), source, lookup, depth + 1)
    if kind == "binary_expression" and text_of(node.child_by_field_name("operator"), source) == "+":
        sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        return joined([string_value(side, source, lookup, depth + 1) for side in sides])
    return None


def _part(node: Node, source: bytes, lookup: Lookup, depth: int) -> str | None:
    if node.type == "template_substitution":
        return string_value(nth(node), source, lookup, depth + 1)
    text = text_of(node, source)
    return text[1:] if node.type == "escape_sequence" else text
