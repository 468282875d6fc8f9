"""In which order tests are run: those most likely to fail first. An order and not a choice: the whole suite decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from handrail.codegraph.graph import Graph
from handrail.codegraph.impact import Impact


class Stage(NamedTuple):
    name: str
    """plan, impact, imports or whole."""
    tests: tuple[str, ...]
    """Test files, or `file::name`; empty for the whole suite."""
    words: str

    def as_data(self) -> dict[str, Any]:
        return {"name": self.name, "tests": list(self.tests), "words": self.words}


def order(graph: Graph, planned: Iterable[str], touched: Sequence[str], impact: Impact) -> tuple[Stage, ...]:
    """`planned` are the plan's tests as written, `touched` the modules that change. A test is named once, in the
    earliest stage that has it; empty stages are left out."""
    seen: set[str] = set()
    plan = _fresh(planned, seen)
    own = [module for module in touched if "test" in graph.modules[module].tags]
    nearest = sorted(impact.tests, key=lambda reached: (reached.depth, -reached.confidence, reached.id))
    reached = _fresh([*own, *(_module(graph, each.id) for each in nearest)], seen)
    closure = [m for m in graph.get_impacted_modules(touched) if "test" in graph.modules[m].tags]
    imports = _fresh(closure, seen)
    stages = (
        Stage("plan", plan, "the tests that the plan names"),
        Stage("impact", reached, "tests that run changed code, nearest first"),
        Stage("imports", imports, "tests that import it, directly or through others"),
    )
    return (*(stage for stage in stages if stage.tests), Stage("whole", (), "the whole suite, which decides"))


def _fresh(tests: Iterable[str], seen: set[str]) -> tuple[str, ...]:
    found = tuple(test for test in dict.fromkeys(tests) if test not in seen)
    seen.update(found)
    return found


def _module(graph: Graph, node: str) -> str:
    return graph.module_of(node) or node
