"""The questions that `handrail graph query` answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

from handrail.cli.exits import Exit, Failure

if TYPE_CHECKING:
    from handrail.codegraph.index import Index

USAGE = (
    "find NAME, tag TAG, impacted ID…, dependencies ID, tests ID, lines FILE FIRST LAST, path FROM TO, cycles, "
    "mermaid [ID…]"
)


def answer(index: Index, question: str, about: list[str], depth: int | None) -> object:
    ask = QUESTIONS.get(question)
    if ask is None:
        raise Failure(Exit.usage, f"{question!r} is not a question. Ask one of: {USAGE}")
    return ask(index, about, depth)


def lines(found: object) -> Iterator[str]:
    """An answer for people: a line for each thing found."""
    if isinstance(found, dict):
        for key, values in cast(dict[str, Any], found).items():
            yield f"{key}:"
            yield from lines(values)
    elif isinstance(found, list | tuple):
        for item in cast(list[Any], found):
            yield item if isinstance(item, str) else json.dumps(item)
    else:
        yield str(found).rstrip()


def find(index: Index, name: str) -> list[str]:
    found = index.graph.find(name)
    if not found:
        raise Failure(Exit.not_found, f"Nothing is called {name!r} here. Give a name, a path or an id")
    return found


def _one(about: list[str], usage: str) -> str:
    if len(about) != 1:
        raise Failure(Exit.usage, f"Usage: {usage}")
    return about[0]


def _find_names(index: Index, about: list[str], _: int | None) -> object:
    return [node for name in about for node in index.graph.find(name)]


def _tag(index: Index, about: list[str], _: int | None) -> object:
    return [module.id for tag in about for module in index.graph.get_modules_by_tag(tag)]


def _impacted(index: Index, about: list[str], depth: int | None) -> object:
    return index.graph.get_impacted_modules([node for name in about for node in find(index, name)], depth)


def _dependencies(index: Index, about: list[str], _: int | None) -> object:
    return index.graph.get_dependencies(find(index, _one(about, "dependencies ID"))[0])._asdict()


def _tests(index: Index, about: list[str], _: int | None) -> object:
    from handrail.codegraph.impact import covering_tests

    return [asdict(test) for node in find(index, _one(about, "tests ID")) for test in covering_tests(index.graph, node)]


def _lines(index: Index, about: list[str], _: int | None) -> object:
    from handrail.codegraph.document import symbol_json
    from handrail.codegraph.impact import symbols_in

    if len(about) != 3 or not (about[1].isdigit() and about[2].isdigit()):
        raise Failure(Exit.usage, "Usage: lines FILE FIRST LAST")
    found = symbols_in(index.graph, find(index, about[0])[0], int(about[1]), int(about[2]))
    return [symbol_json(symbol) for symbol in found]


def _path(index: Index, about: list[str], _: int | None) -> object:
    from handrail.codegraph.document import edge_json
    from handrail.codegraph.impact import shortest_path

    if len(about) != 2:
        raise Failure(Exit.usage, "Usage: path FROM TO")
    source, target = (find(index, name)[0] for name in about)
    return [edge_json(edge) for edge in shortest_path(index.graph, source, target)]


def _cycles(index: Index, _: list[str], __: int | None) -> object:
    from handrail.codegraph.metrics import cycles

    return cycles(index.graph)


def _mermaid(index: Index, about: list[str], depth: int | None) -> object:
    """The named nodes with what depends on them; without names, all modules."""
    from handrail.codegraph.mermaid import flowchart

    graph = index.graph
    named = [node for name in about for node in find(index, name)]
    around = graph.get_impacted_modules(named, depth or 1) if named else sorted(graph.modules)
    return flowchart(graph, [*named, *around])


QUESTIONS: dict[str, Callable[[Index, list[str], int | None], object]] = {
    "find": _find_names,
    "tag": _tag,
    "impacted": _impacted,
    "dependencies": _dependencies,
    "tests": _tests,
    "lines": _lines,
    "path": _path,
    "cycles": _cycles,
    "mermaid": _mermaid,
}
