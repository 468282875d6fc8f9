"""C's declarators: the name, and the function where it is one, inside of pointers, references and arrays."""

from collections.abc import Iterator

from tree_sitter import Node

from handrail.codegraph.facts import Parameter
from handrail.codegraph.languages.c.expressions import type_name
from handrail.codegraph.languages.nodes import nth, text_of
from handrail.codegraph.languages.text import one_line

_DEEPEST = 30
_WRAPPING = frozenset(
    {
        "pointer_declarator", "reference_declarator", "array_declarator", "init_declarator", "parenthesized_declarator",
        "attributed_declarator",
    }
)  # fmt: skip


def function_in(node: Node | None) -> Node | None:
    """The function declarator in a declarator."""
    for _ in range(_DEEPEST):
        if node is None or node.type == "function_declarator":
            return node
        if node.type not in _WRAPPING:
            return None
        node = node.child_by_field_name("declarator") or nth(node)
    return None


def name_in(node: Node | None, source: bytes) -> str:
    """The declared name, with `::` where it is qualified; empty where there is none."""
    for _ in range(_DEEPEST):
        if node is None:
            return ""
        if node.type in _WRAPPING or node.type == "function_declarator":
            node = node.child_by_field_name("declarator") or nth(node)
            continue
        text = one_line(text_of(node, source))
        return text if len(text) <= 200 and node.type != "abstract_function_declarator" else ""
    return ""


def parameters_of(function: Node, source: bytes) -> Iterator[Parameter]:
    listed = function.child_by_field_name("parameters")
    for each in listed.named_children if listed is not None else ():
        if each.type in {"parameter_declaration", "optional_parameter_declaration"}:
            written = one_line(text_of(each.child_by_field_name("type"), source))
            name = name_in(each.child_by_field_name("declarator"), source)
            if name:
                yield Parameter(name, written, type_name(written), "")
