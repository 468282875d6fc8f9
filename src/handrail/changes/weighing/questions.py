"""Questions about the code that the graph answers, with the file and line of everything it names.

Each is a function of the graph and a name, and a tool that can be offered to a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import partial
from typing import Any, NamedTuple

from handrail.changes.weighing import diagrams
from handrail.codegraph.graph import Graph
from handrail.codegraph.impact import covering_tests

MOST = 60
_MOST_MEANT = 5


class Place(NamedTuple):
    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.text}"


class Answer(NamedTuple):
    text: str
    places: tuple[Place, ...] = ()

    def as_data(self) -> dict[str, Any]:
        return {"text": self.text, "places": [place._asdict() for place in self.places]}


def where_is(graph: Graph, name: str) -> Answer:
    """Where a name is defined."""
    found = graph.find(name)
    if not found:
        return _unknown(graph, name)
    return _listed(f"`{name}` is defined here", [_place(graph, node) for node in found])


def callers(graph: Graph, name: str) -> Answer:
    """Who calls it, imports it, extends it or routes to it: one step."""
    return _about(graph, name, "used by", lambda node: _sources(graph, node))


def callees(graph: Graph, name: str) -> Answer:
    """What it calls, imports, extends or stores: one step."""
    return _about(graph, name, "uses", lambda node: _targets(graph, node))


def tests_of(graph: Graph, name: str) -> Answer:
    """Tests that run it, directly or over other code, nearest first."""
    return _about(
        graph,
        name,
        "is run by these tests",
        lambda node: [_place(graph, reached.id) for reached in covering_tests(graph, node)],
    )


def endpoints(graph: Graph, pattern: str) -> Answer:
    """Endpoints whose path holds the text, matches a pattern with `*`, or serves the path; all for an empty one."""
    found = graph.get_endpoints_by_path(pattern)
    if not found:
        return Answer(f"No endpoint matches {pattern!r}. The graph knows {len(graph.endpoints)} endpoints.")
    return _listed(f"Endpoints for {pattern!r}" if pattern else "Endpoints", [_place(graph, each.id) for each in found])


def diagram(graph: Graph, name: str) -> Answer:
    """A Mermaid diagram of a name with what it uses and what uses it."""
    found = graph.find(name)
    if not found:
        return _unknown(graph, name)
    return Answer(diagrams.around(graph, found[0]), (_place(graph, found[0]),))


_ASKED: dict[str, tuple[Callable[[Graph, str], Answer], str]] = {
    "where_is": (where_is, "name"),
    "callers": (callers, "name"),
    "callees": (callees, "name"),
    "tests_of": (tests_of, "name"),
    "endpoints": (endpoints, "pattern"),
    "diagram": (diagram, "name"),
}
_ARGUMENTS = {
    "name": "A path, a module, or a symbol such as `Cart.total` or `shop/cart.py::Cart.total`",
    "pattern": "A path, part of one, or a pattern with `*`; empty for all",
}


def schemas() -> list[dict[str, Any]]:
    """The questions as tools: name, description and JSON schema of the arguments."""
    return [
        {
            "name": name,
            "description": (ask.__doc__ or "").strip(),
            "parameters": {
                "type": "object",
                "properties": {argument: {"type": "string", "maxLength": 400, "description": _ARGUMENTS[argument]}},
                "required": [argument] if argument == "name" else [],
                "additionalProperties": False,
            },
        }
        for name, (ask, argument) in _ASKED.items()
    ]


def tools(graph: Graph) -> dict[str, Callable[[Mapping[str, Any]], str]]:
    """What to call for each of `schemas`: takes the arguments as the model gave them, and always answers in words."""
    return {name: partial(_call, graph, *each) for name, each in _ASKED.items()}


def _call(graph: Graph, ask: Callable[[Graph, str], Answer], argument: str, given: Mapping[str, Any]) -> str:
    value: object = given.get(argument, "")
    if not isinstance(value, str) or len(value) > 400 or (argument == "name" and not value.strip()):
        return f"Give `{argument}` as text of 1 to 400 characters."
    return ask(graph, value.strip()).text


def _about(graph: Graph, name: str, relation: str, related: Callable[[str], Iterable[Place]]) -> Answer:
    nodes = graph.find(name)
    if not nodes:
        return _unknown(graph, name)
    texts: list[str] = []
    places: list[Place] = []
    for node in nodes[:_MOST_MEANT]:
        answer = _listed(f"{_place(graph, node)}\n  {relation}", sorted(set(related(node))))
        texts.append(answer.text)
        places += answer.places
    if len(nodes) > _MOST_MEANT:
        texts.append(f"{len(nodes) - _MOST_MEANT} more are called {name!r}: give a path or a qualified name.")
    return Answer("\n".join(texts), tuple(places))


def _listed(title: str, places: list[Place]) -> Answer:
    if not places:
        return Answer(f"{title}: nothing that the graph knows.")
    more = f"\n  … and {len(places) - MOST} more" if len(places) > MOST else ""
    lines = "".join(f"\n  {place}" for place in places[:MOST])
    return Answer(f"{title} ({len(places)}):{lines}{more}", tuple(places[:MOST]))


def _sources(graph: Graph, node: str) -> Iterable[Place]:
    for edge in graph.edges_to(node):
        yield _place(graph, edge.source, edge.type, _call_line(graph, edge.source, node))


def _targets(graph: Graph, node: str) -> Iterable[Place]:
    for edge in graph.edges_from(node):
        if edge.target.startswith("table:"):
            yield _place(graph, node, f"{edge.type} {edge.target.removeprefix('table:')}")
        else:
            yield _place(graph, edge.target, edge.type)


def _call_line(graph: Graph, caller: str, target: str) -> int:
    module = graph.module_of(caller)
    calls = graph.calls_of(module) if module is not None else ()
    return next((call.line for call in calls if call.caller == caller and call.target == target), 0)


def _place(graph: Graph, node: str, relation: str = "", line: int = 0) -> Place:
    note = f" ({relation})" if relation else ""
    symbol = graph.symbols.get(node)
    if symbol is not None:
        return Place(symbol.module_id, line or symbol.start_line, f"{symbol.kind} {symbol.qualname}{note}")
    endpoint = graph.endpoints.get(node)
    if endpoint is not None:
        return Place(endpoint.handler_module_id, endpoint.line, f"endpoint {endpoint.method} {endpoint.path}{note}")
    return Place(node, line or 1, f"module{note}")


def _unknown(graph: Graph, name: str) -> Answer:
    names = {symbol.name: None for symbol in graph.symbols.values()} | dict.fromkeys(graph.modules)
    close = get_close_matches(name.rpartition(".")[2], names, n=5, cutoff=0.7)
    hint = f" Did you mean {', '.join(f'`{each}`' for each in close)}?" if close else " Use `search` to look for text."
    return Answer(f"The graph knows nothing called {name!r}.{hint}")
