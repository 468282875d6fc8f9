"""The classes, functions, members and callbacks that a JavaScript or TypeScript file defines."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Ancestor, Definition, Parameter
from handrail.codegraph.languages.javascript.expressions import FUNCTIONS, expression, type_name
from handrail.codegraph.languages.javascript.members import DEFAULT, Place, places_of
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.nodes import nth, text_of
from handrail.codegraph.languages.outline import Outline
from handrail.codegraph.languages.text import doc_before, one_line, signature

_CLASS_KINDS = {
    "class_declaration": "class",
    "abstract_class_declaration": "class",
    "class": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "internal_module": "namespace",
}
_METHODS = frozenset({"method_definition", "method_signature", "abstract_method_signature"})
_TAGS = {
    "Controller": "controller",
    "Resolver": "controller",
    "Injectable": "service",
    "Entity": "entity",
    "ViewEntity": "entity",
    "Table": "entity",
    "Schema": "entity",
    "Component": "component",
    "Directive": "component",
    "EntityRepository": "repository",
}
"""Decorator → what it makes of its class."""
_ENTITY_BASES = frozenset({"Model", "BaseEntity", "Sequelize.Model", "mongoose.Document"})
_LONGEST = 80


class Callback(NamedTuple):
    """A function given to a call that deserves a name of its own: a test, an inline handler of a route."""

    function: Node
    name: str
    tags: tuple[str, ...]


class Definitions(Outline):
    def __init__(self, captured: Capture, callbacks: Iterable[Callback]) -> None:
        places = places_of(captured)
        places += [Place(c.function, c.function, c.name, (), c.tags) for c in callbacks]
        places.sort(key=lambda place: (place.node.start_byte, -place.node.end_byte))
        super().__init__(captured, [place.node for place in places])
        self.places = places
        drawn = {self.nesting.innermost(node.start_byte) for node in captured.of("jsx")}
        for index, place in enumerate(places):
            self.found.append(self._definition(index, place, index in drawn))

    def parameter_nodes(self, index: int) -> list[Node]:
        body = self.places[index].body
        parameters = body.child_by_field_name("parameters") if body is not None else None
        return parameters.named_children if parameters is not None else []

    def enclosing_class(self, scope: int) -> int:
        while scope != MODULE_SCOPE and self.found[scope].kind not in {"class", "interface"}:
            scope = self.nesting.parents[scope]
        return scope

    def _definition(self, index: int, place: Place, draws: bool) -> Definition:
        node, body = place.node, place.body
        parent = self.nesting.parents[index]
        name = place.name or text_of(node.child_by_field_name("name"), self.source) or DEFAULT
        decorators = tuple(one_line(text_of(d, self.source))[1:] for d in place.decorators)
        returns = _returns(body, self.source)
        ancestors = tuple(_ancestors(body, self.source)) if body is not None else ()
        kind = self._kind(place, name, parent)
        start = place.decorators[0].start_byte if place.decorators else node.start_byte
        return Definition(
            name=name,
            qualname=self.qualname(parent, name),
            kind=kind,
            parent=parent,
            start_line=(place.decorators[0] if place.decorators else node).start_point[0] + 1,
            end_line=node.end_point[0] + 1,
            signature=signature(self.source, node.start_byte, _head_end(node, body)),
            parameters=tuple(self._parameters(body)) if body is not None else (),
            returns=returns,
            return_type=type_name(returns) if returns else "",
            decorators=decorators,
            visibility=_visibility(node, name, self.source),
            is_async=body is not None and any(child.type == "async" for child in body.children[:4]),
            doc=doc_before(self.source, start),
            ancestors=ancestors,
            complexity=self.complexity[index],
            tags=place.tags or _tags(kind, name, decorators, ancestors, draws),
        )

    def _kind(self, place: Place, name: str, parent: int) -> str:
        if place.kind:
            return place.kind
        kind = place.body.type if place.body is not None else ""
        if kind in _CLASS_KINDS:
            return _CLASS_KINDS[kind]
        owner = self.found[parent].kind if parent != MODULE_SCOPE else ""
        if owner not in {"class", "interface", "constant"} or place.tags:
            return "function"
        if name == "constructor":
            return "constructor"
        is_accessor = kind in _METHODS and any(child.type in {"get", "set"} for child in place.node.children[:4])
        return "property" if is_accessor else "method"

    def _parameters(self, body: Node) -> Iterator[Parameter]:
        single = body.child_by_field_name("parameter")
        if single is not None:
            yield Parameter(text_of(single, self.source), "", "", "")
        listed = body.child_by_field_name("parameters")
        for node in listed.named_children if listed is not None else ():
            if node.type not in {"comment", "decorator"}:
                yield self._parameter(node)

    def _parameter(self, node: Node) -> Parameter:
        name = node.child_by_field_name("pattern") or node.child_by_field_name("left") or node
        annotation = one_line(text_of(node.child_by_field_name("type"), self.source)).removeprefix(":").strip()
        default = node.child_by_field_name("value") or node.child_by_field_name("right")
        return Parameter(
            one_line(text_of(name, self.source))[:_LONGEST],
            annotation,
            type_name(annotation),
            one_line(text_of(default, self.source))[:_LONGEST],
        )


def _returns(body: Node | None, source: bytes) -> str:
    node = body.child_by_field_name("return_type") if body is not None else None
    return one_line(text_of(node, source)).removeprefix(":").strip()


def _head_end(node: Node, body: Node | None) -> int:
    """Where the signature ends: at the body."""
    block = body.child_by_field_name("body") if body is not None else None
    return block.start_byte if block is not None else node.end_byte


def _ancestors(body: Node, source: bytes) -> Iterator[Ancestor]:
    for child in body.named_children if body.type in _CLASS_KINDS else ():
        if child.type == "extends_type_clause":
            yield from _named("extends", child.named_children, source)
        elif child.type == "class_heritage":
            clauses = [c for c in child.named_children if c.type in {"extends_clause", "implements_clause"}]
            for clause in clauses or [child]:
                relation = "implements" if clause.type == "implements_clause" else "extends"
                yield from _named(relation, [c for c in clause.named_children if c.type != "type_arguments"], source)


def _named(relation: str, nodes: list[Node], source: bytes) -> Iterator[Ancestor]:
    for node in nodes:
        name = type_name(text_of(node, source)) if "type" in node.type else expression(node, source)
        if node.type == "call_expression":  # a mixin: `extends Base(Other)`
            arguments = node.child_by_field_name("arguments")
            name = expression(nth(arguments), source) if arguments is not None else ""
        if name and "?" not in name and "(" not in name:
            yield Ancestor(relation, name)


def _visibility(node: Node, name: str, source: bytes) -> str:
    if name.startswith("#"):
        return "private"
    for child in node.named_children[:3]:
        if child.type == "accessibility_modifier":
            return text_of(child, source)
    return "public"


def _tags(
    kind: str, name: str, decorators: tuple[str, ...], ancestors: tuple[Ancestor, ...], draws: bool
) -> tuple[str, ...]:
    if kind == "class":
        tags = [_TAGS[mark] for d in decorators if (mark := d.partition("(")[0]) in _TAGS]
        if any(ancestor.type in _ENTITY_BASES for ancestor in ancestors):
            tags.append("entity")
        if any(a.type.endswith(("Component", "React.PureComponent")) for a in ancestors):
            tags.append("component")
        return tuple(dict.fromkeys(tags))
    return ("component",) if draws and name[:1].isupper() and kind == "function" else ()


def is_function(node: Node | None) -> bool:
    return node is not None and node.type in FUNCTIONS
