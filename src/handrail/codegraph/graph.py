"""The code graph of a repository: its nodes, its edges and the questions asked of them most.

Held in memory and changed in place by `index.Index.update`; readers of one graph must not run during an update.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple

from handrail.codegraph import paths
from handrail.codegraph.errors import UnknownNode
from handrail.codegraph.model import Call, Edge, EdgeType, Endpoint, Module, Symbol
from handrail.codegraph.parts import Part


class Dependencies(NamedTuple):
    """Modules on both sides of one: `callers` depend on it, it depends on `callees`."""

    callers: tuple[str, ...]
    callees: tuple[str, ...]


class Graph:
    def __init__(self) -> None:
        self._parts: dict[str, Part] = {}
        self._modules: dict[str, Module] = {}
        self._symbols: dict[str, Symbol] = {}
        self._endpoints: dict[str, Endpoint] = {}
        self._out: dict[str, list[Edge]] = {}
        self._in: dict[str, dict[Edge, None]] = {}
        self._needs: dict[str, frozenset[str]] = {}
        self._needed_by: dict[str, set[str]] = {}
        self.version = 0
        """Grows with every change, so that derived figures know when they are stale."""

    @property
    def modules(self) -> Mapping[str, Module]:
        return self._modules

    @property
    def symbols(self) -> Mapping[str, Symbol]:
        return self._symbols

    @property
    def endpoints(self) -> Mapping[str, Endpoint]:
        return self._endpoints

    def edges(self) -> Iterable[Edge]:
        for edges in self._out.values():
            yield from edges

    def edges_from(self, node: str, *types: EdgeType) -> list[Edge]:
        return [edge for edge in self._out.get(node, ()) if not types or edge.type in types]

    def edges_to(self, node: str, *types: EdgeType) -> list[Edge]:
        return [edge for edge in self._in.get(node, ()) if not types or edge.type in types]

    def calls_of(self, module: str) -> tuple[Call, ...]:
        """Every call of a module, the unresolved ones too."""
        return self._part(module).calls()

    def symbols_of(self, module: str) -> tuple[Symbol, ...]:
        return self._part(module).symbols

    def module_of(self, node: str) -> str | None:
        """The module that a module, symbol or endpoint id belongs to."""
        if node in self._parts:
            return node
        symbol = self._symbols.get(node)
        if symbol is not None:
            return symbol.module_id
        endpoint = self._endpoints.get(node)
        return endpoint.handler_module_id if endpoint is not None else None

    def find(self, text: str) -> list[str]:
        """Ids that a person may mean: an id, a path, a module's name, or the (qualified) name of a symbol."""
        if text in self._parts or text in self._symbols or text in self._endpoints:
            return [text]
        modules = [
            p.module.id for p in self._parts.values() if p.module.name == text or p.module.path.endswith(f"/{text}")
        ]
        if modules:
            return modules
        qualified = [s.id for s in self._symbols.values() if s.qualname == text or s.id.endswith(f"::{text}")]
        if qualified:
            return qualified
        owner, _, name = text.rpartition(".")
        full = [s.id for s in self._symbols.values() if s.name == name and self._full_name(s) == text] if owner else []
        return full or [s.id for s in self._symbols.values() if s.name == text]

    def get_modules_by_tag(self, tag: str) -> list[Module]:
        return [part.module for part in self._parts.values() if tag in part.module.tags]

    def get_impacted_modules(self, ids: Iterable[str], depth: int | None = None) -> list[str]:
        """Modules that depend on the given ones, directly or over others; nearest first, the given ones left out."""
        start = [self._known_module(node) for node in ids]
        distance = dict.fromkeys(start, 0)
        queue = deque(start)
        while queue:
            module = queue.popleft()
            if depth is not None and distance[module] >= depth:
                continue
            for other in sorted(self._needed_by.get(module, ())):
                if other not in distance:
                    distance[other] = distance[module] + 1
                    queue.append(other)
        return [module for module, steps in distance.items() if steps > 0]

    def get_endpoints_by_path(self, pattern: str) -> list[Endpoint]:
        """Endpoints whose path contains the text, matches a pattern with `*`, or serves the given URL path."""
        if "*" in pattern:
            return [e for e in self._endpoints.values() if fnmatchcase(e.path, pattern)]
        return [e for e in self._endpoints.values() if pattern in e.path or paths.serves(e.path, pattern)]

    def get_dependencies(self, module: str) -> Dependencies:
        known = self._known_module(module)
        return Dependencies(tuple(sorted(self._needed_by.get(known, ()))), tuple(sorted(self._needs.get(known, ()))))

    def put(self, part: Part) -> None:
        """Add a module, or take the place of the one with its id."""
        self.remove(part.module.id)
        self._parts[part.module.id] = part
        self._modules[part.module.id] = part.module
        for symbol in part.symbols:
            self._symbols[symbol.id] = symbol
        for edge in part.edges:
            self._out.setdefault(edge.source, []).append(edge)
            self._in.setdefault(edge.target, {})[edge] = None
        needs = {_module_of(edge.target) for edge in part.edges} - {part.module.id}
        self._needs[part.module.id] = frozenset(n for n in needs if not n.startswith("table:"))
        for other in self._needs[part.module.id]:
            self._needed_by.setdefault(other, set()).add(part.module.id)

    def remove(self, module: str) -> None:
        self.version += 1
        part = self._parts.pop(module, None)
        if part is None:
            return
        del self._modules[module]
        for symbol in part.symbols:
            self._symbols.pop(symbol.id, None)
        for edge in part.edges:
            self._out.pop(edge.source, None)
            self._in[edge.target].pop(edge, None)
        for other in self._needs.pop(module):
            self._needed_by[other].discard(module)

    def put_endpoints(self, endpoints: Iterable[Endpoint]) -> None:
        """Take the place of all endpoints."""
        self.version += 1
        for endpoint in self._endpoints.values():
            for edge in self._out.pop(endpoint.id, ()):
                self._in[edge.target].pop(edge, None)
        self._endpoints = {endpoint.id: endpoint for endpoint in endpoints}
        for endpoint in self._endpoints.values():
            edge = Edge(
                endpoint.id, endpoint.handler_symbol_id or endpoint.handler_module_id, "routes-to", endpoint.confidence
            )
            self._out[endpoint.id] = [edge]
            self._in.setdefault(edge.target, {})[edge] = None

    def _part(self, module: str) -> Part:
        try:
            return self._parts[module]
        except KeyError:
            raise UnknownNode(f"the graph has no module {module!r}: give a path relative to its root") from None

    def _known_module(self, node: str) -> str:
        module = self.module_of(node)
        if module is None:
            raise UnknownNode(f"the graph has nothing with the id {node!r}: search names and paths with `find`")
        return module

    def _full_name(self, symbol: Symbol) -> str:
        return f"{self._parts[symbol.module_id].module.name}.{symbol.qualname}"


def _module_of(node: str) -> str:
    return node.partition("::")[0]
