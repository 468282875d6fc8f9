"""A run's events as lines that a person reads."""

from __future__ import annotations

from typing import Any

import pytest

from handrail.cli.story import Story

Json = dict[str, Any]

MARA = {"id": "1", "name": "Mara", "kind": "person"}
HOLD: Json = {
    "title": "Deploy api 2.14",
    "risk": "medium",
    "kind": "approval",
    "status": "pending",
    "requirements": {"required": [], "approvals": 1, "roles": ["team_lead"]},
    "reviews": [],
}


def event(type_: str, data: Json | None = None, **more: Any) -> Json:
    return {
        "type": type_,
        "at": "2026-11-16T12:00:00+00:00",
        "actor": None,
        "hold_id": "h",
        "hold_short_id": "H-7",
        "data": data or {},
        **more,
    }


def told(*events: Json, hold: Json | None = None) -> list[str]:
    """Without the day and the times."""
    story = Story(lambda _id: hold)
    day, *lines = [line for each in events for line in story.lines(each)]
    assert day.endswith("16 November 2026")
    return [line[10:] for line in lines]


@pytest.mark.parametrize(
    ("type_", "data", "line"),
    [
        ("run.started", {"workflow": "deploy"}, "Started by Mara"),
        ("run.step_completed", {"node": "plan", "update": {"n": 1}}, 'plan: {"n": 1}'),
        (
            "run.progressed",
            {"message": "pdf version 1: new, safe", "done": 3, "total": 18},
            "[3/18] pdf version 1: new, safe",
        ),
        ("run.tool_returned", {"name": "ls", "content": "a", "failed": True}, 'ls → failed: "a"'),
        ("run.completed", {"result": {"name": "Ada"}}, 'Completed: {"name": "Ada"}'),
        ("run.failed", {"code": "node_failed", "message": "ZeroDivisionError"}, "Failed: ZeroDivisionError"),
        ("run.cancelled", {"reason": "not now"}, "Cancelled by Mara: not now"),
        ("run.cancelled", {"reason": "no", "hold_id": "h"}, "Cancelled: no"),
        ("run.paused", {"holds": [], "braked": True}, "Paused by the emergency brake"),
        ("hold.decided", {"outcome": "approved", "basis": "people", "reason": "fine"}, "H-7 approved by Mara: fine"),
        ("hold.decided", {"outcome": "approved", "basis": "policy"}, "H-7 approved by policy"),
        ("hold.decided", {"outcome": "answered", "basis": "people", "answer": "red"}, 'H-7 answered by Mara: "red"'),
        ("hold.escalated", {"added_roles": ["cto"]}, "H-7 escalated to cto"),
        ("something.new", {}, "something.new"),
    ],
)
def test_an_event_in_words(type_: str, data: Json, line: str) -> None:
    assert told(event(type_, data, actor=MARA)) == [line]


def test_a_result_is_told_without_the_conversation_and_fits_on_a_screen() -> None:
    result = {"messages": [{"content": "hello"}], "receipt": "240 EUR refunded"}
    assert told(event("run.completed", {"result": result})) == ['Completed: {"receipt": "240 EUR refunded"}']
    *_, last = told(event("run.completed", {"result": {"rows": list(range(500))}}))
    assert last == "… `handrail runs show` prints all of it."


def test_a_question_says_who_is_needed_and_the_next_step() -> None:
    assert told(event("hold.opened"), hold=HOLD) == [
        "Asks H-7, ■ medium: Deploy api 2.14",
        "Needs team_lead. handrail show H-7",
    ]
    assert told(event("hold.opened"), hold={**HOLD, "status": "approved"}) == ["Asks H-7, ■ medium: Deploy api 2.14"]
    assert told(event("hold.opened")) == ["Asks H-7"], "one that the person may not see"


def test_what_is_told_by_what_follows_is_not_told_twice() -> None:
    call = event("run.tool_called", {"name": "ls", "args": {}, "call_id": "c"})
    silent = [event("run.paused", {"holds": ["h"]}), event("hold.redeemed"), event("effect.reserved", {"name": "x"})]
    assert told(event("run.resumed"), call, call, *silent) == ["Resumed", "Calls ls {}"]


def test_what_an_agent_says_cannot_move_the_cursor_and_keeps_its_lines() -> None:
    said = event("message.completed", {"role": "ai", "content": "first\n\x1b[2Jsecond"})
    assert told(said) == ["Model: first", "�[2Jsecond"]
    assert Story(lambda _id: None).lines(event("message.completed", {"role": "ai", "content": ""})) == []
