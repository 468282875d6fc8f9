"""A run's story as lines that a person reads."""

from __future__ import annotations

from typing import Any

from handrail.cli.story import Story

Json = dict[str, Any]

HOLD: Json = {
    "title": "Deploy api 2.14",
    "risk": "medium",
    "kind": "approval",
    "status": "pending",
    "requirements": {"required": [], "approvals": 1, "roles": ["team_lead"]},
    "reviews": [],
    "decision": None,
}


def part(is_: str, words: str = "", **more: Any) -> Json:
    return {
        "type": "run.anything",
        "at": "2026-11-16T12:00:00+00:00",
        "hold_id": "h",
        "hold_short_id": "H-7",
        "story": {"is": is_, "words": words, **more},
    }


def told(*parts: Json, hold: Json | None = None) -> list[str]:
    """Without the day and the times."""
    story = Story(lambda _id: hold)
    day, *lines = [line for each in parts for line in story.lines(each)]
    assert day.endswith("16 November 2026")
    return [line[10:] for line in lines]


OPENED = part("question", "Asks H-7, high risk", cause="opened")


def test_what_the_server_says_is_printed() -> None:
    assert told(part("note", "It rains"), part("something_new", "It shines")) == ["It rains", "It shines"]


def test_a_result_is_told_without_the_conversation_and_fits_on_a_screen() -> None:
    def end(result: Any) -> Json:
        return part("end", "Completed", status="completed", result=result)

    result = {"messages": [{"content": "hello"}], "receipt": "240 EUR refunded", "rows": [1000] * 500, "url": None}
    assert told(end(result)) == ["Completed", "receipt: 240 EUR refunded", "rows: 500 items"]
    assert told(end("Ada")) == ["Completed", "result: Ada"]
    assert told(end(None)) == ["Completed"]
    *_, last = told(end({"poem": "line\n" * 500}))
    assert last == "… `handrail runs show` prints all of it."


def test_a_question_says_who_is_needed_and_the_next_step() -> None:
    assert told(OPENED, hold=HOLD) == ["Asks H-7, ■ medium: Deploy api 2.14", "Needs team_lead. handrail show H-7"]
    assert told(OPENED, hold={**HOLD, "status": "approved"}) == ["Asks H-7, ■ medium: Deploy api 2.14"]
    assert told(OPENED) == ["Asks H-7, high risk"], "one that the person may not see"


def test_what_the_policy_decides_by_itself_takes_one_line() -> None:
    waved = {**HOLD, "status": "approved", "decision": {"basis": "policy"}}
    after = [part("decision", "H-7 approved by policy"), part("resumption", "Resumed")]
    assert told(OPENED, *after, hold=waved) == ["Policy approved H-7, ■ medium: Deploy api 2.14"]


def test_what_is_told_already_is_not_told_twice() -> None:
    call = part("call", "Calls ls", call_id="c")
    silent = [part("effect"), part("retraction")]
    assert told(part("pause", "Waiting for a decision"), part("resumption", "Resumed"), call, call, *silent) == [
        "Waiting for a decision",
        "Resumed",
        "Calls ls",
    ]


def test_what_an_agent_says_cannot_move_the_cursor_and_keeps_its_lines() -> None:
    assert told(part("message", "Model: first\n\x1b[2Jsecond")) == ["Model: first", "�[2Jsecond"]
    assert Story(lambda _id: None).lines(part("message")) == []
