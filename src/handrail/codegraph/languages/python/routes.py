"""Routes of FastAPI and Flask applications in one file; Django's url lists are read by `urlconf`."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from handrail.codegraph.facts import Mount, Route, Router
from handrail.codegraph.languages.python import urlconf
from handrail.codegraph.languages.python.arguments import argument, keyword
from handrail.codegraph.languages.source_file import Web

if TYPE_CHECKING:
    from handrail.codegraph.languages.python.extract import File

_ROUTERS = {
    "FastAPI": ("fastapi", "", True),
    "APIRouter": ("fastapi", "prefix", False),
    "Flask": ("flask", "", True),
    "Blueprint": ("flask", "url_prefix", False),
}
_VERBS = frozenset({"get", "post", "put", "delete", "patch", "head", "options", "trace"})
_UNRESOLVED = -1
_ADDERS = ("add_api_route", "add_route", "add_url_rule")


def read(file: "File") -> Web:
    reader = _Reader(file)
    if file.called.keys() & _ROUTERS.keys():
        reader.read_routers()
    reader.read_decorators()
    reader.read_calls()
    urlconf.read(file, reader.web)
    return reader.web


class _Reader:
    def __init__(self, file: "File") -> None:
        self._file = file
        self.web = Web()

    def read_routers(self) -> None:
        for assignment in self._file.assignments:
            right = assignment.value
            if right is None or right.type != "call" or not assignment.name:
                continue
            made = self._file.expression(right).removesuffix("()").rpartition(".")[2]
            if made in _ROUTERS:
                framework, keyword_name, is_root = _ROUTERS[made]
                prefix = self._file.path_of(keyword(right, keyword_name))
                self.web.routers.append(Router(assignment.name, assignment.scope, prefix, framework, is_root))

    def read_decorators(self) -> None:
        for index, definition in enumerate(self._file.definitions.found):
            for node in self._file.definitions.decorator_nodes(index) if definition.decorators else []:
                if node.type == "call":
                    self._decorator(index, node)

    def _decorator(self, index: int, node: Node) -> None:
        owner, _, verb = self._file.expression(node).removesuffix("()").rpartition(".")
        path, methods = argument(node, 0, "path", "rule"), self._methods(node, verb)
        if owner and methods and path is not None:
            definition = self._file.definitions.found[index]
            scope = self._file.definitions.nesting.parents[index]
            text, line = self._file.path_of(path), definition.start_line
            self.web.routes.append(Route(owner, methods, text, definition.name, index, scope, line, ""))

    def read_calls(self) -> None:
        for method in (*_MOUNTS, *_ADDERS):
            for node, callee, scope in self._file.called.get(method, ()):
                owner = callee.rpartition(".")[0]
                if owner and method in _MOUNTS:
                    self._mount(node, owner, method, scope)
                elif owner:
                    self._add_route(node, owner, method, scope)

    def _mount(self, node: Node, owner: str, method: str, scope: int) -> None:
        index, keyword_name = _MOUNTS[method]
        child = argument(node, index, "router", "blueprint", "app")
        prefix = keyword(node, keyword_name) if method != "mount" else argument(node, 0, "path")
        if child is not None:
            replaces = method == "register_blueprint" and prefix is not None
            self.web.mounts.append(
                Mount(owner, self._file.expression(child), self._file.path_of(prefix), scope, replaces)
            )

    def _add_route(self, node: Node, owner: str, method: str, scope: int) -> None:
        handler = argument(node, 2 if method == "add_url_rule" else 1, "view_func", "endpoint", "route")
        path = self._file.path_of(argument(node, 0, "path", "rule"))
        if handler is None:
            return
        methods = self._listed_methods(node) or (() if handler.type == "call" else ("GET",))
        view = urlconf.view(self._file, handler)
        self.web.routes.append(Route(owner, methods, path, view, _UNRESOLVED, scope, node.start_point[0] + 1, ""))

    def _methods(self, node: Node, verb: str) -> tuple[str, ...]:
        if verb in _VERBS:
            return (verb.upper(),)
        if verb in {"websocket", "websocket_route"}:
            return ("WEBSOCKET",)
        return self._listed_methods(node) or ("GET",) if verb in {"route", "api_route"} else ()

    def _listed_methods(self, node: Node) -> tuple[str, ...]:
        listed = keyword(node, "methods")
        names = listed.named_children if listed is not None else []
        return tuple(text.upper() for name in names if (text := self._file.string(name)))


_MOUNTS = {"include_router": (0, "prefix"), "register_blueprint": (0, "url_prefix"), "mount": (1, "path")}
"""Method → position of what is mounted, keyword of the prefix."""
