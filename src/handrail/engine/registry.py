"""The workflows that a worker serves: built in, installed as entry points, and named in `handrail.toml`."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import inspect
import json
import sys
import tomllib
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import StateGraph
from langgraph.pregel import Pregel

from handrail.core.canonical import Json
from handrail.core.errors import Misconfigured
from handrail.engine.built_in import BUILT_IN, Source
from handrail.engine.orders import Kind
from handrail.engine.schemas import input_schema
from handrail.store.workflows import Published

GROUP = "handrail.workflows"
Graph = Pregel[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Workflow:
    name: str
    graph: Graph
    version: str
    description: str | None
    example: Json = None

    def published(self) -> Published:
        schema = input_schema(self.graph)
        return Published(self.name, self.description, self.version, schema, _diagram(self.graph), example=self.example)


@dataclass(frozen=True, slots=True)
class Broken:
    """A workflow that cannot be had, and why."""

    name: str
    error: str
    description: str | None = None

    def published(self) -> Published:
        return Published(self.name, self.description, error=self.error)


def sources(file: Path | None) -> list[Source]:
    """Everything that is to be served; of two with one name the file's counts. What is built in stays what it is."""
    installed = [Source(point.name, point.value) for point in entry_points(group=GROUP)]
    found = {source.name: source for source in (*installed, *(_of_file(file) if file else ()))}
    for own in BUILT_IN:
        if own.name in found:
            # the policy knows some of them by name
            raise Misconfigured(
                f"a workflow called {own.name!r} is built in: choose another name for {found[own.name]}"
            )
    found |= {source.name: source for source in BUILT_IN}
    return [found[name] for name in sorted(found)]


def _of_file(file: Path) -> Iterable[Source]:
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8")).get("workflows", {})
    except OSError as error:
        raise Misconfigured(f"{file} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Misconfigured(f"{file} is not TOML: {error}") from error
    if not isinstance(tables, dict):
        raise Misconfigured(f"{file}: `workflows` must be a table")
    for name, entry in cast("dict[str, Any]", tables).items():
        yield _source(file, name, {"graph": entry} if isinstance(entry, str) else entry)


def _source(file: Path, name: str, entry: Any) -> Source:
    fields = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
    target, description, example = fields.get("graph"), fields.get("description"), fields.get("example")
    if (
        not isinstance(target, str)
        or not all(target.partition(":"))
        or not isinstance(description, str | None)
        or fields.keys() - {"graph", "description", "example"}
    ):
        raise Misconfigured(
            f'{file}: workflow `{name}` must be "package.module:graph", or a table with `graph` '
            "and, if you like, `description` and `example`"
        )
    return Source(name, target, description, _json(file, name, example))


def _json(file: Path, name: str, example: Any) -> Json:
    """TOML has dates, which JSON has not."""
    try:
        return json.loads(json.dumps(example))
    except (TypeError, ValueError) as error:
        raise Misconfigured(f"{file}: the example of workflow `{name}` is not JSON: {error}") from error


async def load_all(file: Path | None, kind: Kind) -> list[Workflow | Broken]:
    """All workflows of a kind with their graphs; the file's folder is where modules of theirs are looked for first."""
    if file is not None and kind is Kind.theirs:
        _look_in_folder_of(file)
    return [await load(source) for source in sources(file) if source.kind is kind]


def _look_in_folder_of(file: Path) -> None:
    sys.path.insert(0, str(file.absolute().parent))


async def load(source: Source) -> Workflow | Broken:
    """The graph behind a source. Whatever its import raises is told, and stops no other workflow."""
    try:
        graph = await _graph(source.target)
        description = source.description or _described(graph)
        return Workflow(source.name, graph, version_of(graph), description, source.example)
    except (Exception, SystemExit):
        return Broken(source.name, traceback.format_exc(limit=-20), source.description)


async def _graph(target: str) -> Graph:
    module, _, name = target.partition(":")
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    if not isinstance(found, StateGraph | Pregel) and callable(found):
        found = found()
        if inspect.isawaitable(found):
            found = await found
    if isinstance(found, StateGraph):
        found = cast("StateGraph[Any]", found).compile()
    if not isinstance(found, Pregel):
        raise TypeError(
            f"{target} is a {type(found).__name__}: it must be a LangGraph graph or a function that returns one"
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


def _diagram(graph: Graph) -> str | None:
    try:
        return graph.get_graph(xray=True).draw_mermaid()
    except Exception:  # drawing is a convenience
        return None


def _described(graph: Graph) -> str | None:
    """The docstring of a functional entrypoint; graphs made of nodes have none of their own."""
    text = inspect.getdoc(graph)
    return text.splitlines()[0] if text and text != inspect.getdoc(type(graph)) else None
