"""Functions given to calls that deserve a name: tests by their title, inline handlers by method and path."""

from tree_sitter import Node

from handrail.codegraph.facts import CALLBACK
from handrail.codegraph.languages.javascript.definitions import Callback, is_function
from handrail.codegraph.languages.javascript.expressions import string_value
from handrail.codegraph.languages.nodes import nth
from handrail.codegraph.languages.text import one_line

TESTS = frozenset({"describe", "it", "test", "suite", "context", "specify"})
VERBS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "all"})
PATHS = frozenset({"string", "template_string", "binary_expression", "array"})
"""Kinds of nodes that can be nothing but a path, or a list of them."""
_LONGEST = 120
_MAX_CHAIN = 20


def find(calls: list[tuple[Node, str]], source: bytes) -> list[Callback]:
    found: list[Callback] = []
    for node, callee in calls:
        head = callee.partition(".")[0]
        if head.removesuffix("()") in TESTS:
            found += _test(node, source)
        elif "." in callee and callee.rpartition(".")[2] in VERBS:
            found += _handler(node, callee.rpartition(".")[2], source)
    return found


def arguments(call: Node) -> list[Node]:
    listed = call.child_by_field_name("arguments")
    if listed is None or listed.type != "arguments":
        return []
    return [child for child in listed.named_children if child.type != "comment"]


def route_path(call: Node) -> Node | None:
    """The node of a route's path: its own first argument, or that of `route(path)` before it."""
    given = arguments(call)
    if given and given[0].type in PATHS:
        return given[0]
    inner = call.child_by_field_name("function")
    for _ in range(_MAX_CHAIN):
        if inner is None or inner.type not in {"member_expression", "call_expression"}:
            break
        if inner.type == "call_expression":
            function = inner.child_by_field_name("function")
            name = function.child_by_field_name("property") if function is not None else None
            if name is not None and name.text == b"route":
                return next(iter(arguments(inner)), None)
            inner = function
        else:
            inner = inner.child_by_field_name("object")
    return None


def _test(node: Node, source: bytes) -> list[Callback]:
    given = arguments(node)
    function = next((argument for argument in given[1:] if is_function(argument)), None)
    if function is None:
        return []
    title = string_value(given[0], source, lambda name: f"${{{name}}}") or "?"
    return [Callback(function, one_line(title)[:_LONGEST] or "?", ("test", CALLBACK))]


def _handler(node: Node, verb: str, source: bytes) -> list[Callback]:
    given = arguments(node)
    if not given or not is_function(given[-1]):
        return []
    place = route_path(node)
    place = nth(place) if place is not None and place.type == "array" else place
    path = string_value(place, source, lambda name: f"{{={name}}}")
    if path is None or not path.startswith(("/", "{=", "*")):
        return []
    return [Callback(given[-1], f"{'ANY' if verb == 'all' else verb.upper()} {path}"[:_LONGEST], ("handler", CALLBACK))]
