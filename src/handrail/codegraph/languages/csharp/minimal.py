"""ASP.NET's minimal APIs: `app.MapGet("/x", handler)`, groups, and extension methods that map routes."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Mount, Route, Router
from handrail.codegraph.languages.csharp.controllers import FRAMEWORK
from handrail.codegraph.languages.csharp.definitions import Handler
from handrail.codegraph.languages.csharp.expressions import expression, string_value
from handrail.codegraph.languages.nodes import nth
from handrail.codegraph.languages.source_file import Web

if TYPE_CHECKING:
    from handrail.codegraph.languages.csharp.extract import File

_METHODS = {
    "MapGet": "GET",
    "MapPost": "POST",
    "MapPut": "PUT",
    "MapPatch": "PATCH",
    "MapDelete": "DELETE",
    "Map": "ANY",
}
_BUILDERS = frozenset({"WebApplication", "IEndpointRouteBuilder", "RouteGroupBuilder", "IApplicationBuilder"})
"""Types of parameters that routes are mapped on."""
_LAMBDAS = frozenset({"lambda_expression", "anonymous_method_expression"})
_MAX_CHAIN = 20


def handlers(calls: list[tuple[Node, str]], source: bytes) -> list[Handler]:
    """Lambdas given to `Map…`, named by method and path."""
    found: list[Handler] = []
    for node, callee in calls:
        method = callee.rpartition(".")[2]
        given = arguments(node) if method in _METHODS and "." in callee else []
        if len(given) > 1 and given[-1].type in _LAMBDAS:
            path = string_value(given[0], source, lambda name: f"{{={name}}}")
            found.append(Handler(given[-1], f"{_METHODS[method]} {path or '?'}"[:120]))
    return found


def arguments(call: Node) -> list[Node]:
    listed = call.child_by_field_name("arguments")
    items = listed.named_children if listed is not None else []
    return [inner for item in items if item.type == "argument" and (inner := nth(item, item.named_child_count - 1))]


def read(file: "File") -> Web:
    web = Web()
    if b".Map" not in file.source:
        return web
    _routers(file, web)
    known = {(router.name, router.scope) for router in web.routers}
    for node, callee, scope in file.call_nodes:
        owner, _, method = callee.rpartition(".")
        if not owner:
            continue
        receiver, prefix = _receiver(file, node)
        is_known = any((receiver, around) in known for around in _around(file, scope))
        if method in _METHODS or method == "MapMethods":
            _route(file, web, node, receiver, prefix, method, scope)
        elif is_known and method.startswith("Map") and method not in {"MapGroup", "MapControllers", "MapHub"}:
            web.mounts.append(Mount(receiver, f"method:{method}", prefix, scope, False))
    return web


def _around(file: "File", scope: int) -> list[int]:
    found = [scope]
    while scope != MODULE_SCOPE:
        scope = file.definitions.nesting.parents[scope]
        found.append(scope)
    return found


def _routers(file: "File", web: Web) -> None:
    builders: set[str] = set()
    for variable in file.captured.of("variable"):
        for declarator in (child for child in variable.named_children if child.type == "variable_declarator"):
            name, value = file.text(declarator.child_by_field_name("name")), nth(declarator, 1)
            made, scope = file.expression(value), file.scope(variable)
            if made.startswith(("WebApplication.CreateBuilder()", "WebApplication.CreateSlimBuilder()")):
                builders.add(name)
            if made == "WebApplication.Create()" or made.removesuffix(".Build()") in {
                *builders,
                "WebApplication.CreateBuilder()",
            }:
                if made not in builders:
                    web.routers.append(Router(name, scope, "", FRAMEWORK, True))
            elif ".MapGroup()" in made and value is not None:
                parent, prefix = _receiver(file, value, with_own=True)
                web.routers.append(Router(name, scope, "", FRAMEWORK, False))
                web.mounts.append(Mount(parent, name, prefix, scope, False))
    for index, definition in enumerate(file.definitions.found):
        for parameter in definition.parameters:
            if parameter.type.rpartition(".")[2] in _BUILDERS:
                web.routers.append(Router(parameter.name, index, "", FRAMEWORK, False))


def _receiver(file: "File", call: Node, with_own: bool = False) -> tuple[str, str]:
    """What a chain of calls starts from, and the prefixes of the groups made on the way."""
    prefix, node = "", call if with_own else _owner(call)
    for _ in range(_MAX_CHAIN):
        if node is None or node.type != "invocation_expression":
            break
        function = node.child_by_field_name("function")
        name = function.child_by_field_name("name") if function is not None else None
        if file.text(name) == "MapGroup":
            given = arguments(node)
            prefix = f"{file.path_of(given[0]).strip('/')}/{prefix}" if given else prefix
        node = _owner(node)
    return file.expression(node), prefix.rstrip("/")


def _owner(call: Node) -> Node | None:
    function = call.child_by_field_name("function")
    return function.child_by_field_name("expression") if function is not None else None


def _route(file: "File", web: Web, node: Node, receiver: str, prefix: str, method: str, scope: int) -> None:
    given = arguments(node)
    if len(given) < 2 or (expression(given[0], file.source) == "?" and given[0].type != "binary_expression"):
        return
    methods = (_METHODS[method],) if method in _METHODS else _listed(file, given[1])
    path = f"{prefix}/{file.path_of(given[0]).lstrip('/')}" if prefix else file.path_of(given[0])
    handler, line = given[-1], node.start_point[0] + 1
    inner = file.scope(handler)
    is_own = inner != MODULE_SCOPE and file.definitions.nodes[inner].start_byte == handler.start_byte
    index = inner if is_own else -1
    path = path if path.startswith("/") else f"/{path}"
    web.routes.append(Route(receiver, methods, path, file.expression(handler), index, scope, line, FRAMEWORK))


def _listed(file: "File", node: Node) -> tuple[str, ...]:
    """The strings of `new[] { "GET", "PUT" }`."""
    found = [node]
    texts: list[str] = []
    while found:
        item = found.pop(0)
        text = file.string(item) if item.type == "string_literal" else None
        texts += [text.upper()] if text else []
        found += item.named_children if not text else []
    return tuple(texts) or ("ANY",)
