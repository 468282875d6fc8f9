"""The workflows that a worker serves: built in, installed as entry points, and named in `handrail.toml`."""

from __future__ import annotations

import json
import sys
import tomllib
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, cast

from handrail.core.canonical import Json
from handrail.core.errors import HandrailError, Misconfigured, sentence
from handrail.engine import graphs
from handrail.engine.graphs import Graph
from handrail.engine.kinds import Kind, Kinds, Owner
from handrail.settings import Settings
from handrail.store.workflows import WorkflowListing

GROUP = "handrail.workflows"


@dataclass(frozen=True, slots=True)
class Workflow:
    kind: Kind
    graph: Graph
    version: str
    description: str | None

    @property
    def name(self) -> str:
        return self.kind.name

    def published(self) -> WorkflowListing:
        schema, diagram = graphs.input_schema(self.graph), graphs.diagram(self.graph)
        return WorkflowListing(self.name, self.description, self.version, schema, diagram, example=self.kind.example)


@dataclass(frozen=True, slots=True)
class BrokenWorkflow:
    """A workflow that cannot be had, and why."""

    name: str
    error: str
    description: str | None = None

    def published(self) -> WorkflowListing:
        return WorkflowListing(self.name, self.description, error=self.error)


@dataclass(frozen=True, slots=True)
class Target:
    """Where the graph of one of the users' workflows is: `package.module:name`."""

    path: str

    def __call__(self, settings: Settings) -> Any:
        module, _, name = self.path.partition(":")
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        return found


def served(file: Path | None, built_in: Kinds) -> list[Kind]:
    """Everything that is to be served; of two with one name the file's counts. What is built in stays what it is."""
    installed = [Kind(point.name, Target(point.value)) for point in entry_points(group=GROUP)]
    found = {kind.name: kind for kind in (*installed, *(_of_file(file) if file else ()))}
    for own in built_in:
        if own.name in found:
            # rules and limits go by the name
            raise Misconfigured(f"a workflow called {own.name!r} is built in: choose another name for yours")
    found |= {kind.name: kind for kind in built_in}
    return [found[name] for name in sorted(found)]


def _of_file(file: Path) -> Iterable[Kind]:
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8")).get("workflows", {})
    except OSError as error:
        raise Misconfigured(f"{file} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Misconfigured(f"{file} is not TOML: {error}") from error
    if not isinstance(tables, dict):
        raise Misconfigured(f"{file}: `workflows` must be a table")
    for name, entry in cast("dict[str, Any]", tables).items():
        yield _kind(file, name, {"graph": entry} if isinstance(entry, str) else entry)


def _kind(file: Path, name: str, entry: Any) -> Kind:
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
    return Kind(name, Target(target), description, _json(file, name, example))


def _json(file: Path, name: str, example: Any) -> Json:
    """TOML has dates, which JSON has not."""
    try:
        return json.loads(json.dumps(example))
    except (TypeError, ValueError) as error:
        raise Misconfigured(f"{file}: the example of workflow `{name}` is not JSON: {error}") from error


async def load_all(settings: Settings, built_in: Kinds, owner: Owner) -> list[Workflow | BrokenWorkflow]:
    """All of one owner with their graphs; the file's folder is where modules of theirs are looked for first."""
    file = settings.workflows
    if file is not None and owner is Owner.theirs:
        _look_in_folder_of(file)
    return [await load(kind, settings) for kind in served(file, built_in) if kind.owner is owner]


def _look_in_folder_of(file: Path) -> None:
    sys.path.insert(0, str(file.absolute().parent))


async def load(kind: Kind, settings: Settings) -> Workflow | BrokenWorkflow:
    """The workflow with its graph. Whatever importing it raises is told, and stops no other workflow."""
    try:
        graph = await graphs.compiled(kind.graph(kind.settings(settings)))
        description = kind.description or graphs.described(graph)
        return Workflow(kind, graph, graphs.version_of(graph), description)
    except HandrailError as error:
        # raised on purpose: it says what to do, and where it was raised says no more
        return BrokenWorkflow(kind.name, sentence(error.message), kind.description)
    except (Exception, SystemExit):
        return BrokenWorkflow(kind.name, traceback.format_exc(limit=-20), kind.description)
