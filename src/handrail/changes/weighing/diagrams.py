"""Mermaid diagrams: of what a change reaches, of the surroundings of a name, and those that a model wrote, checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from handrail.changes.editing.errors import Refused
from handrail.codegraph import mermaid
from handrail.codegraph.graph import Graph
from handrail.codegraph.impact import Impact

MOST_NODES = 40
"""More than these nobody reads."""
_MOST_CHARACTERS = 20_000
_MOST_LINES = 400
_KINDS = re.compile(
    r"(flowchart|graph)\s+(LR|RL|TD|TB|BT)\b|sequenceDiagram\b|classDiagram\b|stateDiagram(-v2)?\b|erDiagram\b|mindmap\b"
)
_REFUSED: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a directive (`%%{`)", re.compile(r"%%\s*\{")),
    ("front matter (`---`)", re.compile(r"^\s*---\s*$", re.MULTILINE)),
    ("`click`, `link` or `callback`", re.compile(r"^\s*(click|links?|callback|href)\b", re.MULTILINE | re.IGNORECASE)),
    ("an address", re.compile(r"\b(javascript|data|vbscript|https?|file)\s*:", re.IGNORECASE)),
    ("an HTML tag", re.compile(r"<\s*/?\s*(?!br\s*/?\s*>)[a-z!]", re.IGNORECASE)),
    ("`url(` or `@import`", re.compile(r"url\s*\(|@import", re.IGNORECASE)),
    ("math (`$$`)", re.compile(r"\$\$")),
)


class BadDiagram(Refused):
    """The text is no diagram that can be shown."""

    code = "bad_diagram"


def checked(text: str) -> str:
    """A model's Mermaid text without its fence, where it holds shapes and words only. Raises BadDiagram: nothing in a
    diagram may lead elsewhere, run, or change how it is drawn."""
    text = re.sub(r"^\s*```(?:mermaid)?[ \t]*\n|\n```\s*$", "", text.strip()).strip() + "\n"
    if len(text) > _MOST_CHARACTERS or text.count("\n") > _MOST_LINES:
        raise BadDiagram(
            f"The diagram has more than {_MOST_LINES} lines or {_MOST_CHARACTERS:,} characters. Show less."
        )
    if not _KINDS.match(text):
        raise BadDiagram(
            "The diagram does not begin with `flowchart LR`, `sequenceDiagram`, `classDiagram` or their like."
        )
    if any(not char.isprintable() and char not in "\n\t" for char in text):
        raise BadDiagram("The diagram has characters that cannot be seen. Leave them out.")
    for name, pattern in _REFUSED:
        if pattern.search(text):
            raise BadDiagram(f"The diagram has {name}, which is not shown. Leave it out.")
    return text


def impact(graph: Graph, seeds: Sequence[str], found: Impact) -> str:
    """What changes, and what depends on it: nearest first, at most 40 nodes."""
    near = sorted((*found.callers, *found.tests), key=lambda reached: reached.depth)
    return bounded(graph, [*seeds, *(each.id for each in found.endpoints), *(each.id for each in near)])


def around(graph: Graph, node: str) -> str:
    """A module, symbol or endpoint with what it uses and what uses it."""
    others = [edge.target for edge in graph.edges_from(node)] + [edge.source for edge in graph.edges_to(node)]
    if node in graph.modules:
        callers, callees = graph.get_dependencies(node)
        others = [*callees, *callers]
    return bounded(graph, [node, *others])


def bounded(graph: Graph, nodes: Iterable[str]) -> str:
    """Mermaid text; what is left out is counted in one more node."""
    every = list(dict.fromkeys(nodes))
    text = mermaid.flowchart(graph, every[:MOST_NODES])
    left = len(every) - MOST_NODES
    return f'{text}  more["and {left} more"]\n' if left > 0 else text
