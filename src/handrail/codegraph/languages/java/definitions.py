"""The types, methods, fields and constants that a Java file defines."""

from collections.abc import Iterator

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Ancestor, Definition, Parameter
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.nodes import text_of
from handrail.codegraph.languages.outline import Outline, in_order
from handrail.codegraph.languages.text import doc_before, one_line, signature
from handrail.codegraph.languages.types import type_name

_KINDS = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "annotation_type_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
}
_CONSTRUCTORS = frozenset({"constructor_declaration", "compact_constructor_declaration"})
_TAGS = {
    "RestController": "controller",
    "Controller": "controller",
    "Service": "service",
    "Component": "service",
    "Entity": "entity",
    "Document": "entity",
    "MappedSuperclass": "entity",
    "Embeddable": "entity",
    "Repository": "repository",
}
"""Annotation → what it makes of its type."""
_TESTS = frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"})
_REPOSITORIES = (
    "JpaRepository", "CrudRepository", "ListCrudRepository", "PagingAndSortingRepository", "MongoRepository",
    "ReactiveCrudRepository", "ReactiveMongoRepository", "R2dbcRepository", "Repository",
)  # fmt: skip


class Definitions(Outline):
    def __init__(self, captured: Capture) -> None:
        super().__init__(captured, in_order([*captured.of("class"), *captured.of("method")]))
        for index, node in enumerate(self.nodes):
            self.found.append(self._definition(index, node))

    def is_type(self, index: int) -> bool:
        return index != MODULE_SCOPE and self.nodes[index].type in _KINDS

    def ancestor_types(self, index: int) -> list[tuple[str, str]]:
        """(relation, type as written) of what a type extends and implements."""
        return list(_ancestors(self.nodes[index], self.source))

    def _definition(self, index: int, node: Node) -> Definition:
        parent = self.nesting.parents[index]
        kind = _KINDS.get(node.type) or ("constructor" if node.type in _CONSTRUCTORS else "method")
        name = "constructor" if kind == "constructor" else text_of(node.child_by_field_name("name"), self.source)
        marks = tuple(one_line(text_of(mark, self.source))[1:] for mark in annotations(node))
        returns = one_line(text_of(node.child_by_field_name("type"), self.source)) if kind == "method" else ""
        ancestors = [(r, type_name(t), t) for r, t in _ancestors(node, self.source)] if node.type in _KINDS else []
        body = node.child_by_field_name("body")
        parameters = node.child_by_field_name("parameters")
        return Definition(
            name=name,
            qualname=self.qualname(parent, name),
            kind=kind,
            parent=parent,
            start_line=node.start_point[0] + 1,
            end_line=node.end_point[0] + 1,
            signature=signature(self.source, _head_start(node), body.start_byte if body is not None else node.end_byte),
            parameters=tuple(self._parameters(parameters)) if parameters is not None else (),
            returns=returns,
            return_type=type_name(returns) if returns else "",
            decorators=marks,
            visibility=visibility(node, self.source, self.is_interface(parent)),
            is_async=False,
            doc=doc_before(self.source, node.start_byte),
            ancestors=tuple(Ancestor(relation, name) for relation, name, _ in ancestors if name),
            complexity=self.complexity[index],
            tags=_tags(kind, marks, [name for _, name, _ in ancestors]),
        )

    def is_interface(self, index: int) -> bool:
        return index != MODULE_SCOPE and self.nodes[index].type == "interface_declaration"

    def _parameters(self, parameters: Node) -> Iterator[Parameter]:
        for node in parameters.named_children:
            if node.type == "formal_parameter":
                written = one_line(text_of(node.child_by_field_name("type"), self.source))
                name = text_of(node.child_by_field_name("name"), self.source)
                yield Parameter(name, written, type_name(written), "")
            elif node.type == "spread_parameter":
                yield Parameter(one_line(text_of(node, self.source)).rpartition(" ")[2], "", "", "")


def annotations(node: Node) -> list[Node]:
    for child in node.named_children[:2]:
        if child.type == "modifiers":
            return [mark for mark in child.named_children if mark.type in {"annotation", "marker_annotation"}]
    return []


def visibility(node: Node, source: bytes, in_interface: bool) -> str:
    for child in node.children[:1]:
        if child.type == "modifiers":
            words = {word.type for word in child.children}
            found = next((word for word in ("public", "protected", "private") if word in words), None)
            if found is not None:
                return found
    return "public" if in_interface else "internal"


def _head_start(node: Node) -> int:
    """Where the signature starts: after the annotations."""
    marks = annotations(node)
    return marks[-1].end_byte if marks else node.start_byte


def _ancestors(node: Node, source: bytes) -> Iterator[tuple[str, str]]:
    for child in node.named_children:
        if child.type in {"superclass", "super_interfaces", "extends_interfaces"}:
            relation = "implements" if child.type == "super_interfaces" else "extends"
            listed = [n for n in child.named_children if n.type != "type_list"]
            listed += [n for inner in child.named_children if inner.type == "type_list" for n in inner.named_children]
            yield from ((relation, one_line(text_of(item, source))) for item in listed)


def _tags(kind: str, marks: tuple[str, ...], ancestors: list[str]) -> tuple[str, ...]:
    names = [mark.partition("(")[0].rpartition(".")[2] for mark in marks]
    if kind in {"method", "constructor"}:
        return ("test",) if any(name in _TESTS for name in names) else ()
    tags = [_TAGS[name] for name in names if name in _TAGS]
    if any(ancestor.rpartition(".")[2] in _REPOSITORIES for ancestor in ancestors):
        tags.append("repository")
    return tuple(dict.fromkeys(tags))
