"""Spring's controllers (MVC and WebFlux): routes by their annotations."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Route, Router
from handrail.codegraph.languages.java.definitions import annotations
from handrail.codegraph.languages.source_file import Web

if TYPE_CHECKING:
    from handrail.codegraph.languages.java.extract import File

_FRAMEWORK = "spring"
_METHODS = {
    "GetMapping": "GET",
    "PostMapping": "POST",
    "PutMapping": "PUT",
    "PatchMapping": "PATCH",
    "DeleteMapping": "DELETE",
}
_MAPPING = "RequestMapping"
_CONTROLLERS = frozenset({"RestController", "Controller", _MAPPING})
_CLIENT = "FeignClient"
"""An interface with this annotation calls routes and serves none."""


def read(file: "File") -> Web:
    web = Web()
    if b"Mapping" in file.source:
        for index, node in enumerate(file.definitions.nodes):
            marks = {_name(file, mark): mark for mark in annotations(node)}
            if file.definitions.is_type(index) and marks.keys() & _CONTROLLERS and _CLIENT not in marks:
                _controller(file, index, marks.get(_MAPPING), web)
    return web


def _controller(file: "File", index: int, mapping: Node | None, web: Web) -> None:
    name = file.definitions.found[index].qualname
    for number, prefix in enumerate(_paths(file, mapping)):
        router = name if number == 0 else f"{name}#{number}"
        web.routers.append(Router(router, MODULE_SCOPE, prefix, _FRAMEWORK, True))
        for member, node in enumerate(file.definitions.nodes):
            if file.definitions.nesting.parents[member] == index:
                for mark in annotations(node):
                    web.routes.extend(_routes(file, router, index, member, mark))


def _routes(file: "File", router: str, scope: int, member: int, mark: Node) -> list[Route]:
    name = _name(file, mark)
    if name not in _METHODS and name != _MAPPING:
        return []
    methods = (_METHODS[name],) if name in _METHODS else _requested(file, mark)
    definition = file.definitions.found[member]
    return [
        Route(router, methods, path, definition.name, member, scope, definition.start_line, _FRAMEWORK)
        for path in _paths(file, mark)
    ]


def _name(file: "File", mark: Node) -> str:
    return file.text(mark.child_by_field_name("name")).rpartition(".")[2]


def _requested(file: "File", mark: Node) -> tuple[str, ...]:
    """`method = RequestMethod.GET`, or a list of them; without it any method is taken."""
    value = _arguments(file, mark).get("method")
    listed = [file.text(item).rpartition(".")[2] for item in _items(value)]
    return tuple(listed) or ("ANY",)


def _paths(file: "File", mark: Node | None) -> list[str]:
    given = _arguments(file, mark)
    value = given.get("value") or given.get("path")
    return [file.path_of(item) for item in _items(value)] or [""]


def _items(node: Node | None) -> list[Node]:
    if node is None:
        return []
    return node.named_children if node.type == "element_value_array_initializer" else [node]


def _arguments(file: "File", mark: Node | None) -> dict[str, Node]:
    """An annotation's arguments by name; one without is its `value`."""
    listed = mark.child_by_field_name("arguments") if mark is not None else None
    found: dict[str, Node] = {}
    for child in listed.named_children if listed is not None else ():
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if child.type == "element_value_pair" and value is not None:
            found[file.text(key)] = value
        elif child.type != "comment":
            found["value"] = child
    return found
