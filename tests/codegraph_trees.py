"""Small repositories for tests."""

from pathlib import Path
from textwrap import dedent

from handrail.codegraph.graph import Graph
from handrail.codegraph.index import Index, Options, build


def put(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))


def index(root: Path, files: dict[str, str]) -> Index:
    put(root, files)
    return build(root, Options(workers=1))


def graph(root: Path, files: dict[str, str]) -> Graph:
    return index(root, files).graph


def edges(found: Graph, kind: str) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in found.edges() if edge.type == kind}


def served(found: Graph) -> set[tuple[str, str, str | None]]:
    return {(e.method, e.path, e.handler_symbol_id) for e in found.endpoints.values()}
