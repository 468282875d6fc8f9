"""NestJS: controllers by their decorators, and the prefix that an application gives to all of them."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Mount, Route, Router
from handrail.codegraph.languages.javascript.callbacks import arguments
from handrail.codegraph.languages.nodes import nth
from handrail.codegraph.languages.source_file import Web

if TYPE_CHECKING:
    from handrail.codegraph.languages.javascript.extract import File

_FRAMEWORK = "nestjs"
_METHODS = {
    "Get": "GET",
    "Post": "POST",
    "Put": "PUT",
    "Patch": "PATCH",
    "Delete": "DELETE",
    "Head": "HEAD",
    "Options": "OPTIONS",
    "All": "ANY",
    "Sse": "GET",
}


def read(file: "File", web: Web) -> None:
    if b"setGlobalPrefix" in file.source:
        for node, callee, scope in file.call_nodes:
            if callee.endswith(".setGlobalPrefix"):
                prefix = file.path_of(next(iter(arguments(node)), None))
                web.mounts.append(Mount("", f"every:{_FRAMEWORK}", prefix, scope, False))
    if b"@Controller" in file.source:
        for index, place in enumerate(file.definitions.places):
            for decorator in place.decorators:
                call = nth(decorator)
                if call is not None and file.expression(call).removesuffix("()") == "Controller":
                    _controller(file, index, call, web)


def _controller(file: "File", index: int, call: Node, web: Web) -> None:
    definition = file.definitions.found[index]
    for number, prefix in enumerate(_paths(file, call)):
        name = definition.qualname if number == 0 else f"{definition.qualname}#{number}"
        web.routers.append(Router(name, MODULE_SCOPE, prefix, _FRAMEWORK, True))
        for member, place in enumerate(file.definitions.places):
            if file.definitions.nesting.parents[member] == index:
                for decorator in place.decorators:
                    web.routes += _routes(file, name, index, member, nth(decorator))


def _routes(file: "File", router: str, scope: int, member: int, call: Node | None) -> list[Route]:
    mark = file.expression(call).removesuffix("()") if call is not None else ""
    if call is None or mark not in _METHODS:
        return []
    definition = file.definitions.found[member]
    return [
        Route(router, (_METHODS[mark],), path, definition.name, member, scope, definition.start_line, _FRAMEWORK)
        for path in _paths(file, call)
    ]


def _paths(file: "File", call: Node) -> list[str]:
    """`@Get()`, `@Get("a")`, `@Get(["a", "b"])`, `@Controller({path: "a"})`."""
    first = next(iter(arguments(call)), None) if call.type == "call_expression" else None
    if first is not None and first.type == "object":
        pairs = {file.text(p.child_by_field_name("key")): p.child_by_field_name("value") for p in first.named_children}
        first = pairs.get("path")
    if first is None:
        return [""]
    return [file.path_of(item) for item in (first.named_children if first.type == "array" else [first])]
