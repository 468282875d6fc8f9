"""Mermaid diagrams of a slice of the graph."""

from collections.abc import Iterable

from handrail.codegraph.graph import Graph
from handrail.codegraph.model import EdgeType

_ARROWS: dict[EdgeType, str] = {
    "imports": "-->",
    "calls": "-->",
    "extends": "-->",
    "implements": "-.->",
    "routes-to": "==>",
    "uses-db": "-.->",
    "tests": "-.->",
}
_LABELLED = frozenset({"extends", "implements", "uses-db", "tests"})
_CLASSES = frozenset({"class", "interface", "enum", "struct", "record"})
_BRACKETS = {"module": ("[", "]"), "symbol": ("(", ")"), "endpoint": ("{{", "}}"), "table": ("[(", ")]")}

_CODES = {char: f"#{ord(char)};" for char in "#<>{}`\\"} | {'"': "#quot;"}
"""Characters that end a label, or make it markup."""


def flowchart(graph: Graph, nodes: Iterable[str], types: Iterable[EdgeType] = ()) -> str:
    """The given modules, symbols and endpoints with the edges between them; symbols stand inside their module."""
    names = {node: f"n{number}" for number, node in enumerate(dict.fromkeys(nodes))}
    wanted = tuple(types)
    lines = ["flowchart LR"]
    for module, inside in _by_module(graph, names).items():
        lines += _box(graph, module, inside, names)
    for node, name in names.items():
        for edge in graph.edges_from(node, *wanted):
            if edge.target in names and edge.target != node:
                label = f"|{edge.type}|" if edge.type in _LABELLED else ""
                lines.append(f"  {name} {_ARROWS[edge.type]}{label} {names[edge.target]}")
    return "\n".join(lines) + "\n"


def class_diagram(graph: Graph, classes: Iterable[str]) -> str:
    """The given classes with their members, and what they extend and implement among each other."""
    chosen = [graph.symbols[node] for node in dict.fromkeys(classes) if graph.symbols[node].kind in _CLASSES]
    names = {symbol.id: f"c{number}" for number, symbol in enumerate(chosen)}
    lines = ["classDiagram"]
    for symbol in chosen:
        lines.append(f'  class {names[symbol.id]}["{_escape(symbol.qualname)}"] {{')
        for member in graph.symbols_of(symbol.module_id):
            if member.qualname == f"{symbol.qualname}.{member.name}" and member.visibility == "public":
                call = "()" if member.kind in {"method", "constructor"} else ""
                lines.append(f"    +{_escape(member.name)}{call}")
        lines.append("  }")
        for edge in graph.edges_from(symbol.id, "extends", "implements"):
            if edge.target in names:
                arrow = "--|>" if edge.type == "extends" else "..|>"
                lines.append(f"  {names[symbol.id]} {arrow} {names[edge.target]}")
    return "\n".join(lines) + "\n"


def _by_module(graph: Graph, names: dict[str, str]) -> dict[str, list[str]]:
    """Symbols by their module; everything else under the empty string."""
    groups: dict[str, list[str]] = {}
    for node in names:
        symbol = graph.symbols.get(node)
        groups.setdefault(symbol.module_id if symbol is not None else "", []).append(node)
    return groups


def _box(graph: Graph, module: str, nodes: list[str], names: dict[str, str]) -> list[str]:
    lines = [f"  {_node(graph, node, names[node])}" for node in nodes]
    if not module:
        return lines
    return [f'  subgraph s{names[nodes[0]]}["{_escape(module)}"]', *(f"  {line}" for line in lines), "  end"]


def _node(graph: Graph, node: str, name: str) -> str:
    if node in graph.symbols:
        kind, label = "symbol", graph.symbols[node].qualname
    elif node in graph.endpoints:
        kind, label = "endpoint", node
    elif node in graph.modules:
        kind, label = "module", node
    else:
        kind, label = "table", node.removeprefix("table:")
    opening, closing = _BRACKETS[kind]
    return f'{name}{opening}"{_escape(label)}"{closing}'


def _escape(text: str) -> str:
    text = "".join(char if char.isprintable() else " " for char in text)
    return " ".join("".join(_CODES.get(char, char) for char in text).split())
