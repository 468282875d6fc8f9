"""Where the definitions of a file are: declarations, members of classes and objects, functions given to names."""

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from handrail.codegraph.languages.javascript.expressions import FUNCTIONS
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.nodes import nth, text_of

DEFAULT = "default"
"""The name of what is exported without one."""
_FUNCTION_MEMBERS = frozenset({"method_definition", "method_signature", "abstract_method_signature"})
_FIELDS = frozenset({"public_field_definition", "field_definition"})
_MAX_OBJECTS = 3
"""Objects in objects deeper than this are data."""


class Place(NamedTuple):
    node: Node
    """The whole definition, with its name."""
    body: Node | None
    """The function, class or object itself."""
    name: str
    """Empty where the node's own `name` field holds it."""
    decorators: tuple[Node, ...] = ()
    tags: tuple[str, ...] = ()
    kind: str = ""
    """Empty where body and owner tell it."""


def places_of(captured: Capture) -> list[Place]:
    """Every definition that holds code, in no order."""
    source = captured.source
    exported = _decorators_of_exports(captured)
    places = [Place(node, node, "") for node in captured.of("function")]
    for node in captured.of("class"):
        own = tuple(node.children_by_field_name("decorator"))
        places.append(Place(node, node, "", exported.get(node.start_byte, own)))
        places += _members(node, source)
    for node in captured.of("declarator"):
        name = node.child_by_field_name("name")
        if name is not None and name.type == "identifier":
            places += _given(node, node.child_by_field_name("value"), text_of(name, source), source)
    for node in captured.of("assignment"):
        places += _assigned(node, source)
    for node in captured.of("export"):
        value = node.child_by_field_name("value")
        if value is not None and value.type not in {"identifier", "call_expression"}:
            places += _given(value, value, text_of(value.child_by_field_name("name"), source) or DEFAULT, source)
    return places


def _decorators_of_exports(captured: Capture) -> dict[int, tuple[Node, ...]]:
    """Decorators before `export class`, by the class's start."""
    found: dict[int, tuple[Node, ...]] = {}
    for node in captured.of("export"):
        decorators = tuple(node.children_by_field_name("decorator"))
        declaration = node.child_by_field_name("declaration")
        if decorators and declaration is not None:
            found[declaration.start_byte] = decorators
    return found


def _given(node: Node, value: Node | None, name: str, source: bytes, depth: int = 0) -> Iterator[Place]:
    """A name that is given a function, a class, an object with functions, or a function in a wrapper."""
    if value is None:
        return
    if value.type in FUNCTIONS:
        yield Place(node, value, name)
    elif value.type == "class":
        yield Place(node, value, name, tuple(value.children_by_field_name("decorator")))
        yield from _members(value, source)
    elif value.type == "object" and depth < _MAX_OBJECTS:
        members = list(_object_members(value, source, depth))
        if members:
            yield Place(node, value, name, kind="constant")
            yield from members
    elif value.type == "call_expression":
        function = wrapped_function(value)
        if function is not None:
            yield Place(node, function, name)


def wrapped_function(call: Node) -> Node | None:
    """The function in `memo(function …)` or `asyncHandler(async () => …)`: the first argument."""
    arguments = call.child_by_field_name("arguments")
    first = nth(arguments) if arguments is not None and arguments.type == "arguments" else None
    return first if first is not None and first.type in FUNCTIONS else None


def _object_members(value: Node, source: bytes, depth: int) -> Iterator[Place]:
    for child in value.named_children:
        if child.type == "method_definition":
            yield Place(child, child, "")
        elif child.type == "pair":
            key = text_of(child.child_by_field_name("key"), source).strip("\"'")
            inner = child.child_by_field_name("value")
            if inner is not None and inner.type in {*FUNCTIONS, "object"}:
                yield from _given(child, inner, key, source, depth + 1)


def _members(node: Node, source: bytes) -> Iterator[Place]:
    """Methods, and fields that hold functions. A method's decorators stand before it in the body."""
    body = node.child_by_field_name("body")
    waiting: list[Node] = []
    for child in body.named_children if body is not None else ():
        if child.type == "decorator":
            waiting.append(child)
            continue
        if child.type in _FUNCTION_MEMBERS:
            yield Place(child, child, "", tuple(waiting))
        elif child.type in _FIELDS:
            value = child.child_by_field_name("value")
            if value is not None and value.type in FUNCTIONS:
                yield Place(child, value, field_name(child, source))
        if child.type != "comment":
            waiting = []


def field_name(node: Node, source: bytes) -> str:
    return text_of(node.child_by_field_name("name") or node.child_by_field_name("property"), source)


def _assigned(node: Node, source: bytes) -> Iterator[Place]:
    """`exports.x = function …`, `module.exports = class …`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or left.type != "member_expression":
        return
    target = text_of(left, source)
    if target == "module.exports":
        own = text_of(right.child_by_field_name("name"), source)
        if right.type == "object":
            yield from _object_members(right, source, 1)
        elif right.type != "call_expression":
            yield from _given(node, right, own or DEFAULT, source)
    elif target.startswith(("exports.", "module.exports.")) and right.type != "call_expression":
        yield from _given(node, right, target.rpartition(".")[2], source)
