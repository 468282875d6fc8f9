"""The workflow `code_graph`: fetch a repository, and make the graph of its code."""
# LangGraph is typed in part; annotations are read when the graph is made, so they are not postponed
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import asyncio
import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph

from handrail.codegraph import mermaid
from handrail.codegraph.document import document
from handrail.codegraph.errors import CodeGraphError
from handrail.codegraph.index import Index, Options, build
from handrail.core.errors import Braked, HandrailError
from handrail.engine.failures import Failed
from handrail.engine.port import here
from handrail.engine.repositories import allowed_by, mirrors_of
from handrail.sandbox import repositories
from handrail.workflows.kinds import GraphInput

# a run's result is kept in the database
LARGEST = 32 << 20


class State(GraphInput, total=False):
    commit: str | None
    graph: Any


def graph() -> "StateGraph[Any, Any, Any, Any]":
    builder = StateGraph(State, input_schema=GraphInput)
    builder.add_node("fetch", fetch)
    builder.add_node("index", index)
    builder.add_edge(START, "fetch")
    builder.add_edge("fetch", "index")
    builder.add_edge("index", END)
    return builder


async def fetch(state: State) -> dict[str, Any]:
    """The repository's newest commit, brought here."""
    known = here().settings
    with _failing_clearly():
        return {"commit": await repositories.fetch(state["repo_url"], allowed_by(known), mirrors_of(known))}


async def index(state: State) -> dict[str, Any]:
    known = here().settings
    commit = state.get("commit")
    with _failing_clearly():
        async with repositories.laid_out(state["repo_url"], commit, allowed_by(known), mirrors_of(known)) as folder:
            return {"graph": await asyncio.to_thread(_graph, folder, state)}


def _graph(folder: Path, state: State) -> Any:
    # one process: a run's children are not to start others without end
    found = build(folder, Options(workers=1))
    if state.get("format") == "mermaid":
        made: Any = _diagram(found)
    else:
        made = document(found, state.get("fan_threshold", 0), state.get("include_features", True))
        # the folder is not a repository of its own: git would tell of whatever is around it
        made["gitSha"] = state.get("commit") or made["gitSha"]
    if len(json.dumps(made)) > LARGEST:
        raise Failed("graph_too_large", f"the graph is larger than {LARGEST >> 20} MiB: set a fan_threshold")
    return made


def _diagram(found: Index) -> str:
    """Modules and endpoints, with what they import and serve."""
    graph = found.graph
    return mermaid.flowchart(graph, [*graph.modules, *graph.endpoints], ("imports", "routes-to"))


@contextmanager
def _failing_clearly() -> Generator[None]:
    """What is wrong with the repository becomes the run's failure, in the same words."""
    try:
        yield
    except Braked:
        raise
    except (HandrailError, CodeGraphError) as error:
        raise Failed(error.code, str(error)) from error
