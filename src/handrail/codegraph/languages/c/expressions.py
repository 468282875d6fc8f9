"""C and C++ nodes in the canonical forms of `facts`."""

import re
from functools import lru_cache

from tree_sitter import Node

from handrail.codegraph.languages.expressions import canonical
from handrail.codegraph.languages.nodes import nth, text_of

_CHAIN = re.compile(rb"~?[A-Za-z_]\w*(?:(?:\.|->|::)~?[A-Za-z_]\w*)*\Z")
_NOT_NAMES = frozenset({"NULL", "nullptr", "true", "false"})
_INNER = frozenset({"parenthesized_expression", "pointer_expression", "co_await_expression"})
_TRANSPARENT = frozenset({"unique_ptr", "shared_ptr", "weak_ptr", "optional", "reference_wrapper", "expected"})
_WORDS = re.compile(r"\b(const|volatile|struct|class|union|enum|static|inline|extern|constexpr|typename|mutable)\b")
_TYPE = re.compile(r"\s*((?:::)?[A-Za-z_]\w*(?:::\w+)*)\s*(?:<(.*)>)?[\s*&]*\Z", re.DOTALL)
_NO_TYPE = frozenset(
    {
        "void",
        "int",
        "long",
        "short",
        "char",
        "float",
        "double",
        "bool",
        "unsigned",
        "signed",
        "auto",
        "size_t",
        "wchar_t",
    }
)


def _other(node: Node, kind: str, source: bytes, depth: int) -> str:
    if kind == "call_expression":
        return f"{expression(node.child_by_field_name('function'), source, depth)}()"
    if kind in {"new_expression", "cast_expression", "compound_literal_expression"}:
        return f"{type_name(text_of(node.child_by_field_name('type'), source)) or '?'}()"
    if kind == "field_expression":
        owner = expression(node.child_by_field_name("argument"), source, depth)
        return f"{owner}.{text_of(node.child_by_field_name('field'), source).partition('<')[0]}"
    if kind == "subscript_expression":
        return f"{expression(node.child_by_field_name('argument'), source, depth)}[]"
    if kind in {"template_function", "qualified_identifier"}:
        return type_name(text_of(node, source)) or "?"
    inner = node.child_by_field_name("argument") or nth(node) if kind in _INNER else None
    return expression(inner, source, depth) if inner is not None else "?"


@lru_cache(maxsize=50_000)
def _name(raw: bytes) -> str | None:
    if not _CHAIN.match(raw):
        return None
    text = raw.decode().replace("->", ".").replace("::", ".")
    return "?" if text in _NOT_NAMES else text


expression = canonical(_name, _other)


@lru_cache(maxsize=20_000)
def type_name(text: str) -> str:
    """The one type that a type names: `const Cart &` and `std::unique_ptr<Cart>` are `Cart`; numbers are none."""
    found = _TYPE.match(_WORDS.sub(" ", text[:300]))
    if found is None or found[1] in _NO_TYPE:
        return ""
    if found[1].rpartition("::")[2] in _TRANSPARENT and found[2]:
        return type_name(found[2])
    return found[1].removeprefix("::").replace("::", ".")
