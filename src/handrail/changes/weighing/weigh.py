"""What a change touches and reaches: for people as a list and a diagram, for the policy as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from handrail.changes.running import ordering
from handrail.changes.verifying.change import Change, side
from handrail.changes.verifying.integrity.places import is_test
from handrail.changes.weighing import diagrams, migrations, owners, risk
from handrail.codegraph.graph import Graph
from handrail.codegraph.impact import Impact, ReachedNode, impact_of, symbols_in

_MOST = 100
"""Of each list, in data for events; the counts are of all."""


class TouchedFile(NamedTuple):
    path: str
    lines: tuple[int, ...] | None = None
    """Changed lines, as the graph's tree numbers them; None for the whole file, as a plan knows no lines."""


def touched_by(change: Change) -> tuple[TouchedFile, ...]:
    """For a graph of the head. Where lines only went, the line before them stands for the place."""
    found: list[TouchedFile] = []
    for file in change.files:
        lines = {line.number for line in file.added} or {max(1, line.number - 1) for line in file.removed}
        found.append(TouchedFile(file.path, tuple(sorted(lines)) if file.after is not None else None))
        if file.old_path:
            found.append(TouchedFile(file.old_path))
    return tuple(found)


@dataclass(frozen=True)
class Weight:
    files: tuple[str, ...]
    symbols: tuple[str, ...]
    """Ids of the symbols that change, where lines are known."""
    impact: Impact
    fan_in: int
    """Modules that use a changed one directly, tests and those that change left out."""
    fan_out: int
    migrations: tuple[tuple[str, str], ...]
    """(path, framework)."""
    owners: Mapping[str, tuple[str, ...]]
    tests: tuple[ordering.Stage, ...]
    """In the order in which they run; the last is the whole suite, which alone decides."""
    parts: tuple[risk.Part, ...]
    diagram: str
    unread: tuple[str, ...]
    """Files that the graph does not know: in languages without a reader, new, or no code."""

    @property
    def risk_score(self) -> int:
        return risk.score(self.parts)

    @property
    def facts(self) -> dict[str, int]:
        """What the policy decides by."""
        return {
            "files": len(self.files),
            "migrations": len(self.migrations),
            "endpoints": len(self.impact.endpoints),
            "fan_in": self.fan_in,
            "risk_score": self.risk_score,
            "tests_changed": sum(map(is_test, self.files)),
        }

    def as_data(self) -> dict[str, Any]:
        return {
            "facts": self.facts,
            "files": list(self.files[:_MOST]),
            "symbols": list(self.symbols[:_MOST]),
            "callers": [_reached(each) for each in self.impact.callers[:_MOST]],
            "modules": list(self.impact.modules[:_MOST]),
            "endpoints": [each.id for each in self.impact.endpoints[:_MOST]],
            "tests": [_reached(each) for each in self.impact.tests[:_MOST]],
            "migrations": [{"path": path, "framework": name} for path, name in self.migrations[:_MOST]],
            "owners": {path: list(names) for path, names in list(self.owners.items())[:_MOST]},
            "order": [stage.as_data() for stage in self.tests],
            "risk": [part._asdict() for part in self.parts],
            "diagram": self.diagram,
            "unread": list(self.unread[:_MOST]),
        }


def weigh(
    root: Path,
    graph: Graph,
    touched: Sequence[TouchedFile],
    *,
    planned_tests: Iterable[str] = (),
    coverage: Mapping[str, float] | None = None,
    hosting: owners.Hosting | None = None,
) -> Weight:
    """`root` is the folder that the graph was made of. `coverage` is the covered share of a file, from 0 to 1, for
    those that were measured."""
    files = tuple(dict.fromkeys(each.path for each in touched))
    modules = [path for path in files if path in graph.modules]
    seeds = tuple(dict.fromkeys(seed for each in touched for seed in _seeds(graph, each)))
    impact = impact_of(graph, seeds)
    callers = {caller for module in modules for caller in graph.get_dependencies(module).callers} - {*modules}
    fan_in = [caller for caller in callers if not is_test(caller)]
    fan_out = {callee for module in modules for callee in graph.get_dependencies(module).callees} - {*modules}
    moved = tuple((path, kind) for path in files if (kind := migrations.kind_of(path)))
    code = [path for path in modules if not is_test(path)]
    stakes = risk.Stakes(
        files=len(files),
        fan_in=len(fan_in),
        fan_out=len(fan_out),
        endpoints=len(impact.endpoints),
        migrations=len(moved),
        uncovered=_uncovered(graph, code, coverage),
        is_measured=coverage is not None,
    )
    known = owners.find(lambda path: _text(root, path), hosting)
    return Weight(
        files=files,
        symbols=tuple(seed for seed in seeds if seed in graph.symbols),
        impact=impact,
        fan_in=len(fan_in),
        fan_out=len(fan_out),
        migrations=moved,
        owners={path: found for path in files if (found := known.of(path))},
        tests=_order(graph, planned_tests, modules, impact),
        parts=risk.parts_of(stakes),
        diagram=diagrams.impact(graph, seeds, impact),
        # one that is new has nothing to be read yet
        unread=tuple(path for path in files if path not in graph.modules and (root / path).exists()),
    )


def _order(graph: Graph, planned: Iterable[str], modules: Sequence[str], impact: Impact) -> tuple[ordering.Stage, ...]:
    depths = {module: 0 for module in modules if is_test(module)}
    for reached in sorted(impact.tests, key=lambda each: (each.depth, -each.confidence, each.id)):
        depths.setdefault(graph.module_of(reached.id) or reached.id, reached.depth)
    importing = [module for module in graph.get_impacted_modules(modules) if is_test(module)]
    return ordering.order(planned, depths, importing)


def _seeds(graph: Graph, touched: TouchedFile) -> list[str]:
    """The innermost symbols around changed lines; the module for lines outside of all."""
    if touched.path not in graph.modules:
        return []
    found: dict[str, None] = {}
    for line in touched.lines or ():
        inside = symbols_in(graph, touched.path, line, line)
        found[min(inside, key=lambda s: s.end_line - s.start_line).id if inside else touched.path] = None
    return list(found) or [touched.path]


def _uncovered(graph: Graph, code: Sequence[str], coverage: Mapping[str, float] | None) -> float:
    if not code:
        return 0.0
    if coverage is not None:
        return sum(1.0 - coverage.get(path, 0.0) for path in code) / len(code)
    tested = _tested(graph)
    return sum(path not in tested for path in code) / len(code)


def _tested(graph: Graph) -> set[str]:
    """Modules that tests reach, directly or through others: one walk, whatever the number of changed files."""
    waiting = [path for path in graph.modules if is_test(path)]
    found = set(waiting)
    while waiting:
        for callee in graph.get_dependencies(waiting.pop()).callees:
            if callee not in found and callee in graph.modules:
                found.add(callee)
                waiting.append(callee)
    return found


def _text(root: Path, path: str) -> str | None:
    found = side(root, path)
    return found.text if found is not None else None


def _reached(reached: ReachedNode) -> dict[str, Any]:
    return {"id": reached.id, "depth": reached.depth, "via": reached.via, "confidence": reached.confidence}
