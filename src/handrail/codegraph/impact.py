"""What a change reaches: callers, modules, endpoints and tests; and what a range of lines holds."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from handrail.codegraph.errors import UnknownNode
from handrail.codegraph.graph import Graph
from handrail.codegraph.model import Edge, Endpoint, Symbol

_OVERRIDDEN = 0.5
"""A caller of the base's method may reach the one that overrides it."""
_MEMBERS = frozenset({"method", "constructor", "property", "field"})


@dataclass(frozen=True, slots=True)
class ReachedNode:
    """A symbol or module that a change may break."""

    id: str
    depth: int
    confidence: float
    via: str
    """The id it depends on, one step nearer to the change."""


@dataclass(frozen=True, slots=True)
class Impact:
    targets: tuple[str, ...]
    callers: tuple[ReachedNode, ...]
    """Code that depends on the targets, nearest first, tests left out."""
    modules: tuple[str, ...]
    endpoints: tuple[Endpoint, ...]
    tests: tuple[ReachedNode, ...]


def impact_of(graph: Graph, targets: Iterable[str], depth: int | None = None, least: float = 0.0) -> Impact:
    """Follow every edge backwards from the targets (ids), at most `depth` steps, over edges of at least `least`
    confidence."""
    start = tuple(dict.fromkeys(targets))
    reached = _walk_back(graph, start, depth, least)
    around = {module for node in (*start, *reached) if (module := graph.module_of(node)) is not None}
    tests = [r for r in reached.values() if is_test(graph, r.id)]
    return Impact(
        start,
        tuple(r for r in reached.values() if not is_test(graph, r.id) and r.id not in graph.endpoints),
        tuple(sorted(around)),
        tuple(graph.endpoints[r.id] for r in reached.values() if r.id in graph.endpoints),
        tuple(tests),
    )


def covering_tests(graph: Graph, target: str) -> list[ReachedNode]:
    """Tests that run a symbol or module, directly or over other code; nearest first."""
    return list(impact_of(graph, [target]).tests)


def is_test(graph: Graph, node: str) -> bool:
    module, symbol = graph.module_of(node), graph.symbols.get(node)
    is_inline = symbol is not None and "test" in symbol.tags
    return is_inline or (module is not None and "test" in graph.modules[module].tags)


def symbols_in(graph: Graph, module: str, first: int, last: int) -> list[Symbol]:
    """Symbols that a range of lines touches, outermost first."""
    return [s for s in graph.symbols_of(module) if s.start_line <= last and s.end_line >= first]


def shortest_path(graph: Graph, source: str, target: str) -> list[Edge]:
    """The shortest way along edges from one node to another; empty where there is none."""
    for node in (source, target):
        if graph.module_of(node) is None:
            raise UnknownNode(f"the graph has nothing with the id {node!r}: search names and paths with `find`")
    came: dict[str, Edge] = {}
    queue = deque([source])
    while queue and target not in came:
        for edge in graph.edges_from(queue.popleft()):
            if edge.target not in came and edge.target != source:
                came[edge.target] = edge
                queue.append(edge.target)
    path: list[Edge] = []
    node = target
    while node in came:
        path.insert(0, came[node])
        node = came[node].source
    return path


def _walk_back(graph: Graph, start: tuple[str, ...], depth: int | None, least: float) -> dict[str, ReachedNode]:
    reached: dict[str, ReachedNode] = {}
    queue = deque(ReachedNode(node, 0, 1.0, "") for target in start for node in _with_members(graph, target))
    inside = {item.id for item in queue}
    while queue:
        item = queue.popleft()
        if depth is not None and item.depth >= depth:
            continue
        for edge in _dependents(graph, item.id):
            confidence = min(item.confidence, edge.confidence)
            if edge.source not in inside and edge.source not in reached and confidence >= least:
                found = ReachedNode(edge.source, item.depth + 1, confidence, item.id)
                reached[edge.source] = found
                queue.append(found)
    return reached


def _with_members(graph: Graph, node: str) -> list[str]:
    """A module stands for its symbols too, a class for its members."""
    if node in graph.modules:
        return [node, *(symbol.id for symbol in graph.symbols_of(node))]
    symbol = graph.symbols.get(node)
    if symbol is None:
        if node in graph.endpoints:
            return [node]
        raise UnknownNode(f"the graph has nothing with the id {node!r}: search names and paths with `find`")
    prefix = f"{symbol.qualname}."
    return [node, *(s.id for s in graph.symbols_of(symbol.module_id) if s.qualname.startswith(prefix))]


def _dependents(graph: Graph, node: str) -> list[Edge]:
    edges = graph.edges_to(node)
    symbol = graph.symbols.get(node)
    if symbol is not None and symbol.kind in _MEMBERS:
        calls = [edge for base in _overridden(graph, symbol) for edge in graph.edges_to(base, "calls")]
        edges += [Edge(call.source, node, "calls", min(call.confidence, _OVERRIDDEN)) for call in calls]
    return edges


def _overridden(graph: Graph, symbol: Symbol) -> list[str]:
    """The members of base classes that a member takes the place of."""
    owner, _, name = symbol.id.rpartition(".")
    found: list[str] = []
    classes, seen = [owner], {owner}
    while classes:
        for edge in graph.edges_from(classes.pop(), "extends", "implements"):
            if edge.target not in seen:
                seen.add(edge.target)
                classes.append(edge.target)
                if f"{edge.target}.{name}" in graph.symbols:
                    found.append(f"{edge.target}.{name}")
    return found
