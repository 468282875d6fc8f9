"""Entries of the log as spans: under the id of their run or hold, in a tree, each told once."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from handrail.feed import spans
from handrail.feed.entries import Entry
from handrail.telemetry import Span, id_of

RUN, HOLD = UUID(int=7), UUID(int=8)
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def log(*events: tuple[str, dict[str, object]], run: UUID | None = RUN) -> list[Entry]:
    """One each second."""
    return [
        Entry(
            seq=number,
            at=BEGAN + timedelta(seconds=number),
            type=type_,
            actor=None,
            hold_id=HOLD if type_.startswith("hold.") else None,
            hold_number=None,
            run_id=run,
            run_number=None,
            case_id=None,
            kind="approval" if type_.startswith("hold.") else None,
            roles=frozenset(),
            opener_id=None,
            starter_id=None,
            principal_id=None,
            data=json.dumps(data),
        )
        for number, (type_, data) in enumerate(events, 1)
    ]


WHOLE = log(
    ("run.started", {"workflow": "deploy"}),
    ("run.step_completed", {"step": 1, "node": "plan"}),
    ("hold.opened", {}),
    ("run.paused", {"holds": []}),
    ("hold.decided", {"outcome": "approved", "basis": "people"}),
    ("run.resumed", {"holds": []}),
    ("effect.reserved", {"name": "ship", "key": "k"}),
    ("effect.completed", {"name": "ship"}),
    ("run.step_completed", {"step": 2, "node": "act"}),
    ("run.step_completed", {"step": 2, "node": "note"}),
    ("run.completed", {"result": None}),
)


def told(entries: list[Entry]) -> list[Span]:
    return [span for entry in entries if spans.is_due(entry) for span in spans.due(entries, entry.seq)]


def seconds(span: Span) -> tuple[float, float]:
    began = int(BEGAN.timestamp()) * 10**9
    return (span.start - began) / 1e9, (span.end - began) / 1e9


def test_a_run_is_a_tree_of_nodes_calls_and_holds() -> None:
    found = {span.name: span for span in told(WHOLE)}
    assert {name: seconds(span) for name, span in found.items()} == {
        "run deploy": (1, 11),
        "node plan": (1, 2),
        "hold approval": (3, 5),
        "node act": (6, 9),
        "node note": (6, 10),
        "effect ship": (7, 8),
    }
    assert {span.trace for span in found.values()} == {RUN}
    root = found["run deploy"].about
    assert found["run deploy"].parent is None
    assert {found[name].parent for name in ("node plan", "node act", "node note", "hold approval")} == {root}
    assert found["effect ship"].parent == found["node act"].about
    assert found["hold approval"].attributes["handrail.outcome"] == "approved"


def test_each_span_is_told_once_as_soon_as_the_run_pauses_or_ends() -> None:
    names = [span.name for span in told(WHOLE)]
    assert len(names) == len(set(names)) == 6
    assert [span.name for span in spans.due(WHOLE, 4)] == ["node plan"]


def test_a_leader_that_comes_later_tells_the_same_spans_under_the_same_ids() -> None:
    first, second = spans.due(WHOLE, 11), spans.due(list(WHOLE), 11)
    assert [(id_of(span.trace, span.about), span) for span in first] == [
        (id_of(span.trace, span.about), span) for span in second
    ]


def test_a_failure_is_an_error_and_keeps_the_call_that_it_ended_in() -> None:
    failed = log(
        ("run.started", {"workflow": "deploy"}),
        ("run.tool_called", {"name": "git", "call_id": "1"}),
        ("run.tool_returned", {"name": "git", "call_id": "1", "failed": True}),
        ("run.failed", {"code": "node_failed"}),
    )
    assert [(span.name, span.failed) for span in told(failed)] == [("tool git", True), ("run deploy", True)]


def test_a_hold_without_a_run_is_a_trace_with_its_action() -> None:
    alone = log(
        ("hold.opened", {}),
        ("hold.decided", {"outcome": "approved", "basis": "people"}),
        ("hold.redeemed", {}),
        ("hold.resulted", {"outcome": "succeeded"}),
        run=None,
    )
    hold, action = told(alone)
    assert (hold.trace, hold.parent, seconds(hold)) == (HOLD, None, (1, 2))
    assert (action.trace, action.parent, seconds(action)) == (HOLD, hold.about, (3, 4))


@pytest.mark.parametrize("type_", ["person.added", "hold.opened", "run.step_completed"])
def test_nothing_else_is_due(type_: str) -> None:
    assert not spans.is_due(log((type_, {}))[0])
