"""What happened as spans: a run with its nodes, tools, external calls and holds; a hold with its action."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from handrail.core.run_events import ENDS
from handrail.feed.entries import Entry
from handrail.telemetry import Span

# with one of these, all that has ended since the last of them is told
_OF_RUNS = frozenset({"run.paused", *ENDS})
_OF_HOLDS = frozenset({"hold.decided", "hold.resulted"})

Ended = tuple[int, Span]


def is_due(entry: Entry) -> bool:
    return entry.type in (_OF_RUNS if entry.run_id is not None else _OF_HOLDS)


def due(entries: Sequence[Entry], until: int) -> list[Span]:
    """Of all entries of a run, or of a hold without one: the spans that ended since some were last due."""
    known = [entry for entry in entries if entry.seq <= until]
    before = max((entry.seq for entry in known if entry.seq < until and is_due(entry)), default=0)
    return [span for seq, span in _Trace().read(known) if before < seq <= until]


@dataclass(slots=True)
class _Trace:
    """Reads entries in their order; what has begun waits here for its end."""

    started: Entry | None = None
    step: Any = None
    # when the steps began that are at work, and when the last one ended
    boundary: datetime | None = None
    last: datetime | None = None
    open: dict[str, Entry] = field(default_factory=dict[str, Entry])
    inner: list[Ended] = field(default_factory=list[Ended])

    def read(self, entries: Sequence[Entry]) -> Iterator[Ended]:
        for entry in entries:
            data: dict[str, Any] = json.loads(entry.data)
            match entry.type.partition("."):
                case ("hold", _, what):
                    yield from self._hold(entry, what, data)
                case ("effect" | "run", _, "reserved" | "tool_called"):
                    self.open[_key(entry, data)] = entry
                case ("effect" | "run", _, "completed" | "unknown" | "tool_returned") if entry.type not in ENDS:
                    self._call(entry, data)
                case ("run", _, what):
                    yield from self._run(entry, what, data)
                case _:
                    pass

    def _run(self, entry: Entry, what: str, data: dict[str, Any]) -> Iterator[Ended]:
        if what == "started":
            self.started = entry
        if what in {"started", "resumed", "retried"}:
            self.boundary = self.last = entry.at
        elif what == "step_completed":
            yield from self._node(entry, data)
        elif entry.type in ENDS:
            yield from self.inner
            start = self.started or entry
            name = json.loads(start.data).get("workflow", "") if self.started else ""
            span = _span(start, entry, _root(entry), f"run {name}", None, {"handrail.outcome": what})
            yield entry.seq, replace(span, failed=what == "failed")

    def _node(self, entry: Entry, data: dict[str, Any]) -> Iterator[Ended]:
        # nodes of one step run side by side, from the end of the step before
        if data.get("step") != self.step:
            self.step, self.boundary = data.get("step"), self.last
        node, about = str(data.get("node", "")), f"node {entry.seq}"
        start = self.boundary or entry.at
        attributes = {**_ids(entry), "handrail.node": node}
        yield entry.seq, Span(_trace(entry), about, f"node {node}", _ns(start), _ns(entry.at), _root(entry), attributes)
        for seq, span in self.inner:
            yield seq, replace(span, parent=about)
        self.inner, self.last = [], entry.at

    def _call(self, entry: Entry, data: dict[str, Any]) -> None:
        began = self.open.pop(_key(entry, data), None) or entry
        kind = "effect" if entry.type.startswith("effect.") else "tool"
        name = str(data.get("name", ""))
        span = _span(began, entry, f"{kind} {entry.seq}", f"{kind} {name}", _root(entry), {f"handrail.{kind}": name})
        failed = bool(data.get("failed")) or entry.type == "effect.unknown"
        self.inner.append((entry.seq, replace(span, failed=failed)))

    def _hold(self, entry: Entry, what: str, data: dict[str, Any]) -> Iterator[Ended]:
        about, parent = f"hold {entry.hold_id}", _root(entry) if entry.run_id else None
        if what in {"opened", "reopened", "redeemed"}:
            self.open[f"{what.removeprefix('re')} {entry.hold_id}"] = entry
        elif what == "decided":
            began = self.open.get(f"opened {entry.hold_id}", entry)
            attributes = {f"handrail.{name}": str(data[name]) for name in ("outcome", "basis") if data.get(name)}
            yield entry.seq, _span(began, entry, about, f"hold {entry.kind or ''}".strip(), parent, attributes)
        elif what == "resulted":
            began = self.open.pop(f"deemed {entry.hold_id}", entry)
            outcome = str(data.get("outcome", ""))
            span = _span(began, entry, f"action {entry.seq}", "action", about, {"handrail.outcome": outcome})
            yield entry.seq, replace(span, failed=outcome == "failed")


def _key(entry: Entry, data: dict[str, Any]) -> str:
    """Calls that end are found by their name; tools by the id of the call."""
    return f"tool {data.get('call_id')}" if entry.type.startswith("run.") else f"effect {data.get('name')}"


def _root(entry: Entry) -> str:
    return f"run {entry.run_id}"


def _trace(entry: Entry) -> UUID:
    trace = entry.run_id or entry.hold_id
    assert trace is not None, "only entries of runs and holds are read"
    return trace


def _ids(entry: Entry) -> dict[str, str | int]:
    found = {"handrail.hold_id": entry.hold_id, "handrail.run_id": entry.run_id, "handrail.case_id": entry.case_id}
    return {"handrail.entry": entry.seq, **{name: str(value) for name, value in found.items() if value is not None}}


def _span(began: Entry, ended: Entry, about: str, name: str, parent: str | None, attributes: dict[str, str]) -> Span:
    given = {**_ids(ended), **attributes}
    return Span(_trace(ended), about, name, _ns(began.at), max(_ns(began.at), _ns(ended.at)), parent, given)


def _ns(at: datetime) -> int:
    return int(at.timestamp() * 1_000_000) * 1000
