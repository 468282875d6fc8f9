"""Figures over a graph: who is needed by many, who lies in the middle, what goes in circles."""

from dataclasses import dataclass

import rustworkx

from handrail.codegraph.graph import Graph


@dataclass(frozen=True, slots=True)
class Metrics:
    fan_in: int
    """Modules that depend on it."""
    fan_out: int
    """Modules it depends on."""
    centrality: float
    """Its PageRank among the modules: the share of random walks along dependencies that end here."""


def module_metrics(graph: Graph) -> dict[str, Metrics]:
    directed, indexes = _module_graph(graph)
    found: dict[str, Metrics] = {}
    if not indexes:
        return found
    ranks = rustworkx.pagerank(directed)
    for module, node in indexes.items():
        callers, callees = graph.get_dependencies(module)
        found[module] = Metrics(len(callers), len(callees), ranks[node])
    return found


def cycles(graph: Graph) -> list[list[str]]:
    """Groups of modules that all depend on each other, largest first."""
    directed, _ = _module_graph(graph)
    groups = [sorted(directed[node] for node in group) for group in rustworkx.strongly_connected_components(directed)]
    return sorted((group for group in groups if len(group) > 1), key=lambda group: (-len(group), group))


def symbol_ranks(graph: Graph, focus: dict[str, float]) -> dict[str, float]:
    """PageRank over symbols and modules along every edge; `focus` draws the walks towards some of them."""
    directed: rustworkx.PyDiGraph[str, float] = rustworkx.PyDiGraph(multigraph=False)
    ids = [*graph.modules, *graph.symbols, *graph.endpoints]
    indexes = dict(zip(ids, directed.add_nodes_from(ids), strict=True))
    directed.add_edges_from(
        [
            (indexes[edge.source], indexes[edge.target], edge.confidence)
            for edge in graph.edges()
            if edge.source in indexes and edge.target in indexes and edge.type != "tests"
        ]
    )
    if not ids:
        return {}
    personal = {indexes[node]: weight for node, weight in focus.items() if node in indexes}
    ranks = rustworkx.pagerank(directed, weight_fn=float, personalization=personal or None)
    return {node: ranks[index] for node, index in indexes.items()}


def _module_graph(graph: Graph) -> tuple["rustworkx.PyDiGraph[str, None]", dict[str, int]]:
    directed: rustworkx.PyDiGraph[str, None] = rustworkx.PyDiGraph()
    modules = list(graph.modules)
    indexes = dict(zip(modules, directed.add_nodes_from(modules), strict=True))
    directed.add_edges_from_no_data(
        [(indexes[m], indexes[n]) for m in modules for n in graph.get_dependencies(m).callees if n in indexes]
    )
    return directed, indexes
