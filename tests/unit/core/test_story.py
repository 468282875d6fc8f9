"""A run's events as its story: which part each one is, and how it reads."""

from __future__ import annotations

from typing import Any, get_args
from uuid import UUID

import pytest

from handrail.api import catalogue
from handrail.core import story
from handrail.core.canonical import JsonObject
from handrail.core.events import Catalogue, Event, read
from handrail.core.parts import Call, End, FileChange, Gap, Part, Stage, TestResult
from handrail.core.run_events import ENDS
from handrail.core.story import Story
from handrail.core.wording import Scene, words

MARA = Scene("Mara", "H-7")
HOLD = str(UUID(int=7))
LARGE: dict[str, Any] = {"a": "x" * 99, "b": {"c": "y" * 99}, "d": [9] * 99, "e": 1, "f": 2}
STEP: JsonObject = {"step": 1, "task": "t", "namespace": "", "node": "plan"}
DECISION: JsonObject = {
    "digest": "d",
    "revision": 1,
    "reason": None,
    "answer": None,
    "items": [],
    "approvers": [],
    "basis": "people",
}


def told(type_: str, data: JsonObject) -> str:
    part = story.part_of(type_, read(type_, data))
    return words(part, MARA) if part else ""


@pytest.mark.parametrize(
    ("type_", "data", "line"),
    [
        ("run.started", {"workflow": "deploy", "mode": None}, "Started by Mara"),
        ("run.step_completed", {**STEP, "update": {"n": 1}}, "Finished plan: n = 1"),
        ("run.step_completed", {**STEP, "update": None}, "Finished plan"),
        ("run.step_completed", {**STEP, "update": {"messages": [{"content": "hi"}]}}, ""),
        ("run.step_completed", {**STEP, "update": "{…", "truncated": True}, "Finished plan with a long result"),
        (
            "run.step_completed",
            {**STEP, "namespace": "team:1", "update": LARGE},
            f'Finished plan in team: a = "{"x" * 60}…", b = {{c}}, d = 99 items, e = 1, 1 more',
        ),
        ("run.progressed", {"message": "pdf: new", "done": 3, "total": 18, "detail": None}, "3 of 18: pdf: new"),
        ("run.progressed", {"message": "18 folders", "done": 0, "total": 18, "detail": None}, "18 folders"),
        ("run.tool_called", {"name": "ls", "call_id": "c", "args": {"path": "a b", "all": True}},
         'Calls ls with path = "a b", all = true'),
        ("run.tool_called", {"name": "ls", "call_id": "c", "args": {}}, "Calls ls"),
        ("run.tool_returned", {"name": "ls", "call_id": "c", "content": "a\nb"}, 'ls returned "a b"'),
        ("run.tool_returned", {"name": "ls", "call_id": "c", "content": "gone", "failed": True}, "ls failed: gone"),
        ("run.paused", {"holds": [HOLD, HOLD]}, "Waiting for 2 decisions"),
        ("run.paused", {"holds": [], "braked": True}, "Paused by the emergency brake"),
        ("run.completed", {"result": {"name": "Ada"}}, "Completed"),
        ("run.failed", {"code": "node_failed", "message": "ZeroDivisionError"}, "Failed: ZeroDivisionError"),
        ("run.cancelled", {"by": None, "reason": "not now"}, "Cancelled by Mara: not now"),
        ("run.cancelled", {"by": None, "reason": "no", "hold_id": HOLD}, "Ended by a rejection: no"),
        ("run.expired", {"reason": None, "hold_id": None}, "Expired"),
        ("effect.completed", {"name": "pay"}, "External call executed: pay"),
        ("hold.opened", {"digest": "d", "risk": "high", "rules": [], "policy_version": 1}, "Asks H-7, high risk"),
        ("hold.decided", {**DECISION, "outcome": "approved", "reason": "fine"}, "H-7 approved by Mara: fine"),
        ("hold.decided", {**DECISION, "outcome": "approved", "basis": "policy"}, "H-7 approved by policy"),
        ("hold.decided", {**DECISION, "outcome": "answered", "answer": "red"}, "H-7 answered by Mara: red"),
        ("hold.reopened", {"digest": "d", "cause": "withdrawn"}, "H-7 reopened by Mara: an approval was withdrawn"),
        ("hold.resulted", {"digest": "d", "outcome": "failed", "detail": None}, "H-7 carried out by Mara: failed"),
        ("hold.commented", {"comment_id": 1, "text": "why?", "reply_to": None}, "H-7 comment by Mara: why?"),
        ("hold.redeemed", {"digest": "d"}, ""),
        ("run.tool_called", {}, "Run tool called (details are no longer kept)"),
    ],
)  # fmt: skip
def test_an_event_in_words(type_: str, data: JsonObject, line: str) -> None:
    assert told(type_, data) == line


@pytest.mark.parametrize(("approvals", "line"), [(1, "H-7 approved (1 of 2) by Mara: ok"), (2, "")])
def test_one_of_several_approvals_is_told_and_the_last_one_by_the_decision(approvals: int, line: str) -> None:
    review: dict[str, Any] = {"verdict": "approve", "reason": "ok", "roles": [], "digest": "d", "revision": 1}
    assert told("hold.reviewed", {**review, "approvals": approvals, "approvals_needed": 2}) == line


@pytest.mark.parametrize("type_", ENDS)
def test_how_a_run_ended_is_known_for_ever(type_: str) -> None:
    assert story.part_of(type_, None) == End(status=ENDS[type_])


def test_a_tool_whose_node_runs_again_is_told_once() -> None:
    call = Call(name="ls", call_id="c", args={}, truncated=False)
    reader = Story({"earlier"})
    assert [reader.is_new(each) for each in (call, call, Gap(what="x.y"))] == [True, False, True]
    assert not reader.is_new(Call(name="ls", call_id="earlier", args={}, truncated=False))


def test_events_of_any_room_are_read_as_parts_that_every_reader_knows() -> None:
    house = Catalogue()

    @house.event("garden.dug")
    class Dug(Event):
        bed: str
        diff: str

        def part(self) -> FileChange:
            return FileChange(path=self.bed, diff=self.diff)

    part = story.part_of(
        "garden.dug", house.read("garden.dug", {"bed": "roses.py", "diff": "--- a\n+++ b\n-x\n+y\n+z"})
    )
    assert part is not None
    assert story.data_of(part, Scene()) == {
        "is": "file",
        "words": "Changed roses.py (+2 −1)",
        "path": "roses.py",
        "diff": "--- a\n+++ b\n-x\n+y\n+z",
    }


def test_stages_and_tests_read_as_sentences() -> None:
    assert words(Stage(name="impact_analysis"), Scene()) == "Stage: impact analysis"
    result = TestResult(name="test_a", outcome="failed", seconds=0.25, message="1 != 2")
    assert words(result, Scene()) == "test_a failed in 0.2 s: 1 != 2"


def test_each_kind_of_part_has_its_own_name() -> None:
    kinds = [part.is_ for part in get_args(Part)]
    assert len(set(kinds)) == len(kinds)


def test_every_event_of_a_run_or_a_hold_reads_as_a_part_or_says_that_it_does_not() -> None:
    kinds = ("run.", "hold.", "effect.", "message.")
    declared = [cls for cls in catalogue.declared().values() if cls.type.startswith(kinds)]
    silent = {cls.type for cls in declared if cls.part is Event.part}
    assert silent == {"hold.redeemed"}
