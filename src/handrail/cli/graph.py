"""`handrail graph`: index a folder and ask its code graph, without a server."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handrail import extras
from handrail.cli import output, wording
from handrail.cli.commands import AsJson, expected, fail
from handrail.cli.exits import Exit, Failure
from handrail.cli.graph_questions import USAGE, answer, find, lines

if TYPE_CHECKING:
    from handrail.codegraph.impact import ReachedNode
    from handrail.codegraph.index import Index, Progress

app = typer.Typer(help="Index a folder of code and query its graph, without a server.", no_args_is_help=True)

Root = Annotated[Path, typer.Argument(help="The folder of a repository.", metavar="PATH")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Read every file again and cache nothing.")]
Jobs = Annotated[int, typer.Option("--jobs", help="Worker processes; 0 means one for each core.", min=0)]
Depth = Annotated[int | None, typer.Option("--depth", help="Maximum number of steps away.", min=1)]


@app.callback()
def graph() -> None:
    with expected():
        extras.require("code")


@app.command()
def build(
    path: Root,
    as_json: AsJson = False,
    no_cache: NoCache = False,
    jobs: Jobs = 0,
    fan_threshold: Annotated[
        int,
        typer.Option("--fan-threshold", help="List symbols of modules with at least this fan-in plus fan-out.", min=0),
    ] = 0,
) -> None:
    """Index PATH; `--json` prints the whole graph."""
    from handrail.codegraph.document import document

    with _index(path, no_cache, jobs) as index:
        if as_json:
            _print_json(document(index, fan_threshold))
        else:
            _print_summary(index)


@app.command()
def impact(
    path: Root,
    target: Annotated[str, typer.Argument(help="A symbol, module or endpoint: name, path or id.")],
    depth: Depth = None,
    as_json: AsJson = False,
    no_cache: NoCache = False,
    jobs: Jobs = 0,
) -> None:
    """What breaks if TARGET changes: callers, endpoints and tests."""
    from handrail.codegraph.impact import impact_of
    from handrail.core.wording import counted

    with _index(path, no_cache, jobs) as index:
        found = impact_of(index.graph, find(index, target), depth)
        if as_json:
            _print_json(asdict(found))
            return
        output.say(f"changing {', '.join(found.targets)}")
        output.say(
            f"reaches {counted(len(found.callers), 'caller')} in {counted(len(found.modules), 'module')}, "
            f"{counted(len(found.endpoints), 'endpoint')}, {counted(len(found.tests), 'test')}"
        )
        _table("callers", ("depth", "confidence", "id"), _reached(found.callers))
        _table(
            "endpoints",
            ("method", "path", "handler"),
            ((e.method, e.path, e.handler_symbol_id) for e in found.endpoints),
        )
        _table("tests", ("depth", "confidence", "id"), _reached(found.tests))


@app.command()
def endpoints(
    path: Root,
    pattern: Annotated[str, typer.Argument(help="Part of a path, a pattern with *, or a URL path.")] = "",
    as_json: AsJson = False,
    no_cache: NoCache = False,
    jobs: Jobs = 0,
) -> None:
    """List the endpoints that the code of PATH serves."""
    from handrail.codegraph.document import endpoint_json

    with _index(path, no_cache, jobs) as index:
        found = index.graph.get_endpoints_by_path(pattern)
        if as_json:
            _print_json([endpoint_json(endpoint) for endpoint in found])
        else:
            rows = ((e.method, e.path, e.handler_symbol_id or e.handler_module_id, e.framework) for e in found)
            _table("endpoints", ("method", "path", "handler", "framework"), rows)


@app.command(name="map")
def map_(
    path: Root,
    tokens: Annotated[int, typer.Option("--tokens", help="The size of the map.", min=1)] = 2000,
    focus: Annotated[list[str] | None, typer.Option("--focus", help="Rank what this one needs higher.")] = None,
    as_json: AsJson = False,
    no_cache: NoCache = False,
    jobs: Jobs = 0,
) -> None:
    """Print the most important symbols within a budget of tokens, for a model's context."""
    from handrail.codegraph import repomap

    with _index(path, no_cache, jobs) as index:
        ids = [node for name in focus or [] for node in find(index, name)]
        text = repomap.repository_map(index.graph, tokens, ids)
        if as_json:
            _print_json({"budget": tokens, "tokens": repomap.tokens(text), "map": text})
        else:
            output.say(wording.plain(text).rstrip())


@app.command()
def query(
    path: Root,
    question: Annotated[str, typer.Argument(help=f"One of: {USAGE}.")],
    about: Annotated[list[str] | None, typer.Argument(help="What the question is about.")] = None,
    depth: Depth = None,
    as_json: AsJson = False,
    no_cache: NoCache = False,
    jobs: Jobs = 0,
) -> None:
    """Ask the graph of PATH one question."""
    with _index(path, no_cache, jobs) as index:
        found = answer(index, question, about or [], depth)
        if as_json:
            _print_json(found)
        else:
            for line in lines(found):
                output.say(wording.plain(line))


@contextmanager
def _index(path: Path, no_cache: bool, jobs: int) -> Generator[Index]:
    """The index of a folder, with a progress bar on standard error; expected failures end with one line."""
    # the command ends with its answer: walking a whole graph for garbage, at the end too, takes a tenth of its time
    gc.disable()
    from handrail.codegraph import cache
    from handrail.codegraph.errors import CodeGraphError
    from handrail.codegraph.index import Options, build

    options = Options(workers=jobs, cache_folder=None if no_cache else cache.default_folder())
    try:
        with _progress() as report:
            index = build(path, options, report)
        yield index
    except CodeGraphError as error:
        fail(Failure(Exit.not_found, wording.line(error)))
    except Failure as failure:
        fail(failure)


@contextmanager
def _progress() -> Generator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("walk", total=None)

        def report(progress: Progress) -> None:
            bar.update(task, description=progress.stage, completed=progress.done, total=progress.total)

        yield report


def _print_json(value: object) -> None:
    """On one line, for a graph is long; ASCII, so that nothing inside can speak to the terminal."""
    json.dump(value, sys.stdout, separators=(",", ":"))
    sys.stdout.write("\n")


def _print_summary(index: Index) -> None:
    from handrail.codegraph import features, metrics, stack

    graph = index.graph
    counts = f"{len(graph.modules)} modules, {len(graph.symbols)} symbols, {len(graph.endpoints)} endpoints"
    output.say(f"{index.root.name}: {counts}, {sum(1 for _ in graph.edges())} edges")
    languages = stack.languages_of(index).items()
    output.say("languages: " + ", ".join(f"{name} ({n['modules']} files, {n['loc']} lines)" for name, n in languages))
    output.say("frameworks: " + ", ".join(stack.frameworks_of(index)))
    output.say("build tools: " + ", ".join(stack.build_tools_of(index)))
    ranked = sorted(metrics.module_metrics(graph).items(), key=lambda item: -item[1].centrality)[:10]
    _table("most central modules", ("module", "fan-in", "fan-out"), ((m, f.fan_in, f.fan_out) for m, f in ranked))
    rows = ((f.name, f.path, len(f.modules), len(f.endpoints)) for f in features.features_of(graph))
    _table("features", ("name", "path", "modules", "endpoints"), rows)
    _table("skipped", ("path", "reason"), index.skipped[:20])
    if len(index.skipped) > 20:
        output.say(f"… and {len(index.skipped) - 20} more: `--json` lists all")


def _reached(items: Iterable[ReachedNode]) -> Iterator[tuple[int, float, str]]:
    return ((item.depth, item.confidence, item.id) for item in items)


def _table(title: str, heads: tuple[str, ...], rows: Iterable[Iterable[object]]) -> None:
    cells = [tuple(wording.line(cell) for cell in row) for row in rows]
    if cells:
        output.say(f"\n{title}")
        output.table(heads, cells)
