"""Routes of Express and Next in one file; NestJS's controllers are read by `controllers`."""

import re
from typing import TYPE_CHECKING

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Mount, Route, Router
from handrail.codegraph.languages.javascript import controllers
from handrail.codegraph.languages.javascript.callbacks import PATHS, VERBS, arguments, route_path
from handrail.codegraph.languages.javascript.definitions import is_function
from handrail.codegraph.languages.javascript.imports import WHOLE
from handrail.codegraph.languages.javascript.members import DEFAULT
from handrail.codegraph.languages.source_file import Web

if TYPE_CHECKING:
    from handrail.codegraph.languages.javascript.extract import File

_APPLICATIONS = frozenset({"express()", "require()()"})
_ROUTERS = frozenset({"express.Router()", "Router()", "require().Router()"})
_TYPES = frozenset({"Express", "Application", "Router", "IRouter", "express.Express", "express.Application"})
_LIKELY = re.compile(r"(?:^|\.)\w*(?:app|router|routes|server|api)$", re.IGNORECASE)
"""What an application or router that arrives as an argument is called."""
_PAGES_API = re.compile(r"(?:^|/)pages/(api(?:/.*)?)\.[jt]sx?$")
_APP = re.compile(r"(?:^|/)app/((?:.*/)?)(route|page)\.[jt]sx?$")
_NEXT_VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
_UNRESOLVED = -1
_MAX_CHAIN = 50


def read(file: "File") -> Web:
    reader = _Reader(file)
    web = reader.web
    if b"express" in file.source or b"Router" in file.source:
        reader.read_routers()
    if web.routers or b"express" in file.source:
        reader.read_calls()
    controllers.read(file, web)
    reader.read_file_routes()
    return web


class _Reader:
    def __init__(self, file: "File") -> None:
        self._file = file
        self.web = Web()
        self._names: set[str] = set()
        self._chained: dict[tuple[int, int], str] = {}

    def read_routers(self) -> None:
        given = [(scope, self._file.text(n), node.child_by_field_name("value")) for scope, n, node in self._declared()]
        for node in self._file.captured.of("assignment"):
            name = self._file.expression(node.child_by_field_name("left"))
            given.append((self._file.scope(node), name, node.child_by_field_name("right")))
        for index, field in self._file.fields:
            name = field.child_by_field_name("name") or field.child_by_field_name("property")
            given.append((index, f"this.{self._file.text(name)}", field.child_by_field_name("value")))
        for node in self._file.captured.of("export"):
            given.append((MODULE_SCOPE, DEFAULT, node.child_by_field_name("value")))
        for scope, name, value in given:
            made = self._maker(name, value)
            if made in _APPLICATIONS or made in _ROUTERS:
                self._names.add(name)
                self.web.routers.append(Router(name, scope, "", "express", made in _APPLICATIONS))
        for definition in self._file.definitions.found:
            self._names |= {parameter.name for parameter in definition.parameters if parameter.type in _TYPES}

    def _maker(self, name: str, value: Node | None) -> str:
        """What a value was made by, through `Router().use(a).get(b)`, whose calls then belong to `name`."""
        chain: list[Node] = []
        while value is not None and value.type == "call_expression" and len(chain) < _MAX_CHAIN:
            made = self._file.expression(value)
            if made in _APPLICATIONS or made in _ROUTERS:
                self._chained |= {(call.start_byte, call.end_byte): name for call in chain}
                return made
            chain.append(value)
            function = value.child_by_field_name("function")
            value = function.child_by_field_name("object") if function is not None else None
        return self._file.expression(value) if value is not None and not chain else ""

    def _declared(self) -> list[tuple[int, Node, Node]]:
        return [found for found in self._file.declarators if found[1].type == "identifier"]

    def read_calls(self) -> None:
        for node, callee, scope in self._file.call_nodes:
            owner, _, method = callee.rpartition(".")
            if not owner:
                continue
            chained = self._chained.get((node.start_byte, node.end_byte))
            router = chained or (owner.partition(".route()")[0] if ".route()" in owner else owner)
            if router not in self._names and not _LIKELY.search(router):
                continue
            if method == "use" and (chained or router == owner):
                self._mount(node, router, scope)
            elif method in VERBS:
                self._route(node, router, method, scope)

    def _mount(self, node: Node, owner: str, scope: int) -> None:
        given = arguments(node)
        prefixes = [""]
        if given and given[0].type in PATHS:
            listed = given[0].named_children if given[0].type == "array" else [given[0]]
            prefixes = [self._file.path_of(item) for item in listed]
            given = given[1:]
        elif len(given) > 1 and given[0].type in {"identifier", "member_expression"}:
            text = self._file.path_of(given[0])
            if not is_router_name(self._file.expression(given[0])):
                prefixes = [text]
        for child in given:
            name = self._child(child)
            if name:
                self.web.mounts += [Mount(owner, name, prefix, scope, False) for prefix in prefixes]

    def _child(self, node: Node) -> str:
        """What is mounted: a name, a call that makes a router, or a module by `require`."""
        name = self._file.expression(node)
        if node.type == "call_expression" and name == "require()":
            target = self._file.string(next(iter(arguments(node)), None))
            return f"module:{target}#{WHOLE}" if target else ""
        return "" if "?" in name else name

    def _route(self, node: Node, router: str, verb: str, scope: int) -> None:
        given = arguments(node)
        place = route_path(node)
        is_chained = place is not None and (not given or place.start_byte != given[0].start_byte)
        handlers = given if is_chained else given[1:]
        if place is None and given and given[0].type in {"identifier", "member_expression", "array"}:
            place = given[0]
        if place is None or not handlers:
            return
        methods = ("ANY",) if verb == "all" else (verb.upper(),)
        listed = place.named_children if place.type == "array" else [place]
        index, handler = self._handler(handlers[-1])
        line = node.start_point[0] + 1
        for item in listed:
            path = self._file.path_of(item)
            if path.startswith(("/", "{=", "*")) or item.type == "regex":
                text = self._file.text(item) if item.type == "regex" else path
                self.web.routes.append(Route(router, methods, text, handler, index, scope, line, "express"))

    def _handler(self, node: Node) -> tuple[int, str]:
        """(definition, expression): an inline function is a definition, a wrapper stands for what it wraps."""
        if node.type == "array" and node.named_child_count:
            node = node.named_children[-1]
        if is_function(node):
            scope = self._file.scope(node)
            is_own = scope != MODULE_SCOPE and self._file.definitions.places[scope].node.start_byte == node.start_byte
            return (scope if is_own else _UNRESOLVED), ""
        name = self._file.expression(node)
        if node.type == "call_expression":
            if name.endswith(".bind()"):
                return _UNRESOLVED, name.removesuffix(".bind()")
            inner = [a for a in arguments(node) if a.type in {"identifier", "member_expression", "call_expression"}]
            return self._handler(inner[-1]) if inner else (_UNRESOLVED, name.removesuffix("()"))
        return _UNRESOLVED, name

    def read_file_routes(self) -> None:
        """Next: the file's path is the route."""
        api = _PAGES_API.search(self._file.path)
        if api is not None and "default" in self._file.links.exports:
            self._file_route(("ANY",), "/" + api.group(1).removesuffix("/index"), "default")
        app = _APP.search(self._file.path)
        if app is None:
            return
        parts = [part for part in app.group(1).split("/") if part and not part.startswith(("(", "@"))]
        path = "/" + "/".join(parts)
        if app.group(2) == "page" and "default" in self._file.links.exports:
            self._file_route(("GET",), path, "default")
        for verb in _NEXT_VERBS if app.group(2) == "route" else ():
            if verb in self._file.links.exports:
                self._file_route((verb,), path, verb)

    def _file_route(self, methods: tuple[str, ...], path: str, name: str) -> None:
        handler = self._file.links.exports[name]
        found = [i for i, d in enumerate(self._file.definitions.found) if (d.parent, d.name) == (MODULE_SCOPE, handler)]
        index = found[-1] if found else _UNRESOLVED
        line = self._file.definitions.found[index].start_line if found else 1
        self.web.routes.append(Route("", methods, path, handler, index, MODULE_SCOPE, line, "next"))


def is_router_name(name: str) -> bool:
    return _LIKELY.search(name) is not None
