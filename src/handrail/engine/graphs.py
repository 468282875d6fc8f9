"""LangGraph graphs, as the engine needs them: compiled, with a version, a schema of their input and a diagram."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import inspect
import json
from hashlib import sha256
from typing import Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.pregel import Pregel
from typing_extensions import is_typeddict

from handrail.core.canonical import JsonObject
from handrail.engine.schemas import schema_of

Graph = Pregel[Any, Any, Any, Any]


async def compiled(found: Any) -> Graph:
    """Of a graph, or of a function that returns one; `TypeError` where it is neither."""
    if not isinstance(found, StateGraph | Pregel) and callable(found):
        found = found()
        if inspect.isawaitable(found):
            found = await found
    if isinstance(found, StateGraph):
        found = cast("StateGraph[Any]", found).compile()
    if not isinstance(found, Pregel):
        raise TypeError(
            f"the graph is a {type(found).__name__}: it must be a LangGraph graph or a function that returns one"
        )
    graph = cast("Graph", found)
    async for _, inner in graph.aget_subgraphs(recurse=True):
        # a saver of its own would lose the subgraph's state with the process: it uses the run's
        if isinstance(inner, Pregel) and isinstance(inner.checkpointer, BaseCheckpointSaver):
            inner.checkpointer = None
    return graph


def version_of(graph: Graph) -> str:
    """Changes when the graph's nodes, edges or schemas do."""
    drawn = graph.get_graph(xray=True)
    shape = {
        "nodes": sorted(drawn.nodes),
        "edges": sorted([edge.source, edge.target, str(edge.data), str(edge.conditional)] for edge in drawn.edges),
        "channels": sorted(map(str, graph.channels)),
        "input": input_schema(graph),
    }
    return sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest()[:16]


def diagram(graph: Graph) -> str | None:
    try:
        return graph.get_graph(xray=True).draw_mermaid()
    except Exception:  # drawing is a convenience
        return None


def described(graph: Graph) -> str | None:
    """The docstring of a functional entrypoint; graphs made of nodes have none of their own."""
    text = inspect.getdoc(graph)
    return text.splitlines()[0] if text and text != inspect.getdoc(type(graph)) else None


def input_schema(graph: Graph) -> JsonObject | None:
    """Nothing where a state of arbitrary types has none."""
    try:
        schema = _of_typed_dict(graph) or graph.get_input_jsonschema()
        return cast("JsonObject", json.loads(json.dumps(schema)))
    except Exception:  # whatever types a state has
        return None


def _of_typed_dict(graph: Graph) -> dict[str, Any] | None:
    if not isinstance(graph, CompiledStateGraph):
        return None
    kind: Any = graph.builder.input_schema
    if not is_typeddict(kind):
        return None
    schema: dict[str, Any] = schema_of(kind)
    if kind is graph.builder.state_schema and len(schema.get("required", ())) == len(schema["properties"]):
        # a state that says nothing about it: LangGraph begins with any part, and nodes make the rest
        del schema["required"]
    return schema
