"""Each event of a change in the words of the chat."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, get_args
from uuid import UUID, uuid4

import pytest

from handrail.api import catalogue
from handrail.api.chat import updates
from handrail.api.chat.updates import TABLE, Type, update
from handrail.changes import events as changes
from handrail.core import hold_events as holds
from handrail.core import run_events as runs
from handrail.core.events import Event
from handrail.core.holds import Action, Hold, Kind, Question, Status
from handrail.core.ids import HoldId, PrincipalId
from handrail.core.risk import Assessment, Level, Requirements
from handrail.core.run_events import ENDS
from handrail.feed.chunks import Delta
from handrail.feed.entries import Entry
from handrail.store.chunks import Message

RUN, HOLD = uuid4(), HoldId(uuid4())
AT = datetime(2026, 11, 16, tzinfo=UTC)
# what can be in the log of a run
OF_RUNS = ("change.", "run.", "hold.", "message.", "effect.")


def entry(event: Event, kind: str | None = None) -> Entry:
    asks = event.type.startswith("hold.")
    return Entry(
        seq=12,
        at=AT,
        type=event.type,
        actor={"id": "1", "name": "mara", "kind": "person"},
        run_id=RUN,
        run_number=1,
        case_id=None,
        kind=kind,
        roles=frozenset(),
        opener_id=None,
        starter_id=None,
        principal_id=None,
        data=json.dumps(event.data),
        hold_id=HOLD if asks else None,
        hold_number=7 if asks else None,
    )


def hold(kind: Kind = Kind.review, **more: Any) -> Hold:
    action = Action("change.plan", {"plan": {"title": "round prices"}}, "https://x/shop")
    question = Question(
        kind, "fix: round prices", action if kind is not Kind.input else None, schema={"type": "string"}
    )
    assessment = Assessment(Level.low, Requirements(1, frozenset({"developer"})))
    return Hold(HOLD, PrincipalId(uuid4()), question, question.digest(), assessment, AT, **more)


def opened(asked: Hold, digest: str | None = None) -> Entry:
    event = holds.HoldOpened(digest=digest or asked.digest, risk=Level.low, rules=(), policy_version=1)
    return entry(event, asked.question.kind)


def told(event: Event, asked: Hold | None = None) -> updates.Update:
    found = update(entry(event), asked)
    assert found is not None
    return found


def test_every_event_that_a_change_can_have_is_in_the_table() -> None:
    declared = {type_ for type_ in catalogue.declared() if type_.startswith(OF_RUNS)}
    assert {event.type for event in TABLE} == declared


@pytest.mark.parametrize(
    ("event", "type_", "says"),
    [
        (changes.ChangeStageBegan(stage="testing", attempt=2), "status", "Testing, repair 2"),
        (changes.ChangeUnderstood(intent={"description": "Round."}), "log", "Understood: Round."),
        (changes.ChangeMapped(modules=("money",), total=3, skipped=0), "log", "money"),
        (changes.ChangeEdited(path="money.py", hash="h", diff="@@"), "code_change", "Edited money.py"),
        (changes.ChangeDiffed(files=({"path": "a"},), added=2, deleted=1), "code_change", "1 file, +2"),
        (
            changes.ChangeTested(tree="head", tool="pytest", test="test_a", outcome="passed", seconds=0.1),
            "test_result",
            "test_a: passed",
        ),
        (changes.ChangeChecked(tree="head", tool="ruff", outcome="ended", summary={"findings": 2}), "log", "ruff"),
        (changes.ChangeVerified(verification={"words": "12 of 12"}), "log", "12 of 12"),
        (changes.ChangePublished(branch="b", commit="c", url="https://x/1"), "summary", "https://x/1"),
        (changes.ChangeAnswered(content="It rounds."), "summary", "It rounds."),
        (
            changes.ChangeRefused(tool="insert", code="outside_plan", message="not in the plan"),
            "log",
            "not in the plan",
        ),
        (runs.RunProgressed(message="half", done=1, total=2), "log", "half"),
        (runs.RunStarted(workflow="change", mode=None), "status", "Accepted"),
        (runs.RunFailed(code="given_up", message="a person gave up"), "error", "a person gave up"),
        (runs.RunCancelled(by=None, reason="enough"), "status", "enough"),
        (runs.RunPaused(holds=(), braked=True), "status", "emergency brake"),
        (runs.EffectUnknown(name="push", key="k", since="s"), "log", "may have been made"),
    ],
    ids=lambda value: value.type if isinstance(value, Event) else None,
)
def test_what_happens_is_told_as_its_type_with_a_sentence(event: Event, type_: Type, says: str) -> None:
    found = told(event)
    assert (found.type, says in found.data["message"]) == (type_, True), found
    assert found.type in get_args(Type)
    json.dumps(found.data)


def test_what_an_event_holds_is_told_as_it_is() -> None:
    tested = changes.ChangeTested(tree="base", tool="pytest", test="t", outcome="failed", seconds=None, message="no")
    assert told(tested).data == {"message": "no", **tested.data}
    impact: dict[str, Any] = {"facts": {"files": 2}}
    assert told(changes.ChangeWeighed(impact=impact)).data["impact"] == impact


def test_a_failure_of_the_run_has_its_code() -> None:
    found = told(runs.RunFailed(code="model_unusable", message="it cannot", traceback="secret frames"))
    assert found.data == {"code": "model_unusable", "message": "it cannot", "status": "failed"}


def test_a_plan_is_an_approval_request_with_its_digest_and_all_that_is_shown() -> None:
    asked = hold()
    found = update(opened(asked), asked)
    assert found is not None and found.type == "approval_request"
    data = found.data
    assert (data["plan_id"], data["digest"], data["asks"], data["cause"]) == (str(HOLD), asked.digest, "plan", "opened")
    assert (data["plan"], data["pending"], data["current"]) == ({"title": "round prices"}, True, True)


def test_one_that_was_amended_since_shows_nothing_that_its_digest_does_not_cover() -> None:
    asked = hold(revision=2)
    found = update(opened(asked, digest="0" * 64), asked)
    assert found is not None
    assert (found.data["digest"], found.data["current"], found.data["pending"]) == ("0" * 64, False, False)
    assert not {"plan", "action", "evidence"} & found.data.keys()
    amended = holds.HoldAmended(
        revision=2,
        digest=asked.digest,
        previous_digest="0" * 64,
        reason=None,
        counts_as_approval=False,
        risk=Level.low,
        rules=(),
        policy_version=1,
    )
    again = told(amended, asked)
    assert (again.data["cause"], again.data["digest"], again.data["current"]) == ("amended", asked.digest, True)


def test_a_question_in_words_waits_for_an_answer_and_not_for_an_approval() -> None:
    asked = hold(Kind.input)
    found = update(opened(asked), asked)
    assert found is not None
    assert (found.type, found.data["status"], found.data["schema"]) == (
        "status",
        "waiting_for_answer",
        {"type": "string"},
    )


def test_a_decision_names_who_made_it() -> None:
    decided = holds.HoldDecided(
        outcome=Status.rejected,
        basis="people",
        digest="0" * 64,
        revision=1,
        reason="half up",
        answer=None,
        items=(),
        approvers=(),
    )
    found = update(entry(decided, "review"), None)
    assert found is not None
    assert (found.data["outcome"], found.data["reason"], found.data["by"]["name"]) == ("rejected", "half up", "mara")
    assert found.data["plan_id"] == str(HOLD)


def test_words_of_a_model_come_as_they_are_said_and_once_more_as_a_whole() -> None:
    piece = updates.text(Delta(Message(UUID(int=1), "m1", 1), 4, "text", "next "))
    assert (piece.type, piece.data["message"], piece.data["start"], piece.data["message_id"]) == (
        "log",
        "next ",
        4,
        "m1",
    )
    said = runs.MessageCompleted(message_id="m1", attempt=1, role="ai", node="plan", content="all of it")
    assert told(said).data["message"] == "all of it"
    assert update(entry(replace(said, content="")), None) is None


def test_the_stage_is_the_one_that_began_last() -> None:
    began = entry(changes.ChangeStageBegan(stage="editing"))
    assert updates.stage_after(began, "planning") == "editing"
    assert updates.stage_after(entry(changes.ChangeAnswered(content="x")), "planning") == "planning"


def test_every_end_of_a_run_is_told() -> None:
    silent = {event.type for event, by in TABLE.items() if by is TABLE[runs.RunStepCompleted]}
    assert not silent & ENDS.keys()
