"""The types, methods, properties and inline handlers that a C# file defines."""

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Ancestor, Definition, Parameter
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.nodes import text_of
from handrail.codegraph.languages.outline import Outline, in_order
from handrail.codegraph.languages.text import one_line, signature
from handrail.codegraph.languages.types import type_name

_KINDS = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "struct_declaration": "struct",
    "record_declaration": "record",
    "enum_declaration": "enum",
}
_MEMBERS = {
    "method_declaration": "method",
    "constructor_declaration": "constructor",
    "property_declaration": "property",
    "local_function_statement": "function",
}
_TESTS = frozenset({"Fact", "Theory", "Test", "TestCase", "TestCaseSource", "TestMethod", "DataTestMethod"})
_TYPE_TAGS = {"ApiController": "controller", "Controller": "controller", "Table": "entity", "Owned": "entity"}
_VISIBILITIES = ("public", "protected", "internal", "private")
_LONGEST_DOC = 200


class Handler(NamedTuple):
    """A lambda that serves a route."""

    node: Node
    name: str


class Definitions(Outline):
    def __init__(self, captured: Capture, handlers: list[Handler]) -> None:
        named = {handler.node.start_byte: handler.name for handler in handlers}
        nodes = [*captured.of("class"), *captured.of("method"), *(handler.node for handler in handlers)]
        super().__init__(captured, in_order(nodes))
        for index, node in enumerate(self.nodes):
            self.found.append(self._definition(index, node, named.get(node.start_byte, "")))

    def is_type(self, index: int) -> bool:
        return index != MODULE_SCOPE and self.nodes[index].type in _KINDS

    def _definition(self, index: int, node: Node, handler: str) -> Definition:
        parent = self.nesting.parents[index]
        kind = _KINDS.get(node.type) or _MEMBERS.get(node.type, "function")
        name = handler or text_of(node.child_by_field_name("name"), self.source)
        marks = attributes(node)
        returns = one_line(text_of(_returned(node), self.source)) if kind not in _KINDS.values() else ""
        ancestors = tuple(self._ancestors(node)) if node.type in _KINDS else ()
        body = node.child_by_field_name("body") or node.child_by_field_name("accessors")
        words = {text_of(child, self.source) for child in node.named_children if child.type == "modifier"}
        written = tuple(one_line(text_of(mark, self.source)) for mark in marks)
        return Definition(
            name="constructor" if kind == "constructor" else name,
            qualname=self.qualname(parent, "constructor" if kind == "constructor" else name),
            kind=kind,
            parent=parent,
            start_line=node.start_point[0] + 1,
            end_line=node.end_point[0] + 1,
            signature=signature(self.source, _head_start(node), body.start_byte if body is not None else node.end_byte),
            parameters=tuple(self._parameters(node)),
            returns=returns,
            return_type=type_name(returns) if returns else "",
            decorators=written,
            visibility=self._visibility(words, parent),
            is_async="async" in words,
            doc=_doc(self.source, node.start_byte),
            ancestors=ancestors,
            complexity=self.complexity[index],
            tags=("handler",) if handler else _tags(kind, name, written, ancestors),
        )

    def _visibility(self, words: set[str], parent: int) -> str:
        found = next((word for word in _VISIBILITIES if word in words), None)
        if found is not None:
            return found
        if parent == MODULE_SCOPE:
            return "internal"
        return "public" if self.found[parent].kind == "interface" else "private"

    def _ancestors(self, node: Node) -> Iterator[Ancestor]:
        """A type's bases: what is called like an interface is implemented, unless an interface names it."""
        for bases in (child for child in node.named_children if child.type == "base_list"):
            for base in bases.named_children:
                name = type_name(one_line(text_of(base, self.source)).partition("(")[0])
                last = name.rpartition(".")[2]
                is_interface = last[:1] == "I" and last[1:2].isupper() and node.type != "interface_declaration"
                if name:
                    yield Ancestor("implements" if is_interface else "extends", name)

    def _parameters(self, node: Node) -> Iterator[Parameter]:
        listed = node.child_by_field_name("parameters")
        listed = listed or next((child for child in node.named_children if child.type == "parameter_list"), None)
        for child in listed.named_children if listed is not None else ():
            if child.type == "parameter":
                written = one_line(text_of(child.child_by_field_name("type"), self.source))
                name = text_of(child.child_by_field_name("name"), self.source)
                yield Parameter(name, written, type_name(written), "")


def attributes(node: Node) -> list[Node]:
    """`[A("x"), B]` before a declaration: each attribute."""
    lists = [child for child in node.named_children if child.type == "attribute_list"]
    return [mark for listed in lists for mark in listed.named_children if mark.type == "attribute"]


def _returned(node: Node) -> Node | None:
    return node.child_by_field_name("returns") or node.child_by_field_name("type")


def _head_start(node: Node) -> int:
    lists = [child for child in node.named_children if child.type == "attribute_list"]
    return lists[-1].end_byte if lists else node.start_byte


def _doc(source: bytes, start: int) -> str:
    """The text of the `///` comment right above."""
    line = source.rfind(b"\n", 0, start) + 1
    words: list[str] = []
    while line > 0:
        before = source.rfind(b"\n", 0, line - 1) + 1
        text = source[before : line - 1].strip()
        if not text.startswith(b"///"):
            break
        words.insert(0, text[3:].decode("utf-8", "replace").strip())
        line = before
    text = one_line(" ".join(words)).partition("</summary>")[0]
    return text.removeprefix("<summary>").strip()[:_LONGEST_DOC]


def _tags(kind: str, name: str, marks: tuple[str, ...], ancestors: tuple[Ancestor, ...]) -> tuple[str, ...]:
    names = [mark.partition("(")[0].rpartition(".")[2] for mark in marks]
    if kind in {"method", "function"}:
        return ("test",) if any(mark in _TESTS for mark in names) else ()
    tags = [_TYPE_TAGS[mark] for mark in names if mark in _TYPE_TAGS]
    bases = {ancestor.type.rpartition(".")[2] for ancestor in ancestors}
    if bases & {"Controller", "ControllerBase"}:
        tags.append("controller")
    if "DbContext" in bases or (kind == "class" and name.endswith("Repository")):
        tags.append("repository")
    if kind == "class" and name.endswith("Service"):
        tags.append("service")
    return tuple(dict.fromkeys(tags))
