"""The log in the words of the chat: each event of a change as one `agent_update`, or as none. One table, and pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast
from uuid import UUID

from handrail.changes import events as changes
from handrail.changes.events import STAGES
from handrail.core import hold_events as holds
from handrail.core import run_events as runs
from handrail.core.events import Event
from handrail.core.holds import Hold, Kind
from handrail.feed.chunks import Delta
from handrail.feed.entries import Entry
from handrail.holds.events import HoldAssigned, HoldCommented, HoldReleased, HoldReminded, HoldSampled, HoldWarned

Type = Literal["log", "status", "code_change", "test_result", "error", "approval_request", "summary"]
# where a change is before its first stage has begun
FIRST_STAGE = "intent_extraction"
# what people are asked to approve, by the action's name
ASKED = {"change.plan": "plan", "change.prepare": "dependencies", "change.publish": "publish"}

E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True)
class Update:
    """What is told of an event, without its place. `data` always has `message`, a sentence for people."""

    type: Type
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scene:
    """What the event itself does not say: its hold as it is now, whose it is, and who did it."""

    hold: Hold | None = None
    hold_id: UUID | None = None
    kind: str | None = None
    by: Mapping[str, Any] | None = None


Told = Callable[[E, Scene], Update | None]


def update(entry: Entry, hold: Hold | None) -> Update | None:
    """How an entry of a change's log is told; nothing where it says nothing new to who follows a chat."""
    event = entry.event
    if event is None:
        return None
    told = cast("Told[Event] | None", TABLE.get(type(event)))
    return told(event, Scene(hold, entry.hold_id, entry.kind, entry.actor)) if told else None


def text(delta: Delta) -> Update:
    """The next words of a model. They come again as a whole once the message is complete."""
    said = {"message_id": delta.message.message_id, "attempt": delta.message.attempt, "start": delta.start}
    return Update("log", {"kind": "text", "message": delta.text, "reasoning": delta.kind == "reasoning", **said})


def stage_after(entry: Entry, stage: str) -> str:
    if entry.type != changes.ChangeStageBegan.type:
        return stage
    event = entry.event
    return event.stage if isinstance(event, changes.ChangeStageBegan) else stage


def _log(kind: str, message: str, **more: Any) -> Update:
    return Update("log", {"kind": kind, "message": message, **more})


def _noted(kind: str) -> Told[Any]:
    """As the event words itself, with all that it holds."""

    def told(event: Event, _: Scene) -> Update:
        part = event.part()
        words = getattr(part, "text", None) or getattr(part, "message", "")
        return Update("log", {"kind": kind, "message": words, **event.data})

    return told


def _silent(_event: Event, _scene: Scene) -> None:
    return None


def _status(status: str, message: str, **more: Any) -> Update:
    return Update("status", {"status": status, "message": message, **more})


def _began(event: changes.ChangeStageBegan, _: Scene) -> Update:
    again = f", repair {event.attempt}" if event.attempt else ""
    return _status("running", f"{STAGES[event.stage].capitalize()}{again}", attempt=event.attempt or 0)


def _edited(event: changes.ChangeEdited, _: Scene) -> Update:
    return Update("code_change", {"message": f"Edited {event.path}", **event.data})


def _diffed(event: changes.ChangeDiffed, _: Scene) -> Update:
    part = event.part()
    return Update("code_change", {"message": getattr(part, "text", ""), **event.data})


def _tested(event: changes.ChangeTested, _: Scene) -> Update:
    return Update("test_result", {"message": f"{event.test}: {event.outcome}", **event.data})


def _published(event: changes.ChangePublished, _: Scene) -> Update:
    where = f": {event.url}" if event.url else ""
    return Update("summary", {"kind": "published", "message": f"Published {event.branch}{where}", **event.data})


def _answered(event: changes.ChangeAnswered, _: Scene) -> Update:
    return Update("summary", {"kind": "answer", "message": event.content})


def _said(event: runs.MessageCompleted, _: Scene) -> Update | None:
    said = {"message_id": event.message_id, "attempt": event.attempt, "node": event.node}
    if not event.content and not event.reasoning:
        return None
    return _log("model", event.content, reasoning=event.reasoning, **said)


def _discarded(event: runs.MessageDiscarded, _: Scene) -> Update:
    return _log("discarded", "What the model was saying does not count", **event.data)


def _question(event: holds.HoldOpened | holds.HoldAmended | holds.HoldReopened, scene: Scene) -> Update | None:
    part = event.part()
    cause, hold = part.cause, scene.hold
    if hold is None:
        return None
    if hold.question.kind is Kind.input:
        return _status(
            "waiting_for_answer",
            hold.question.title,
            question_id=str(hold.id),
            schema=hold.question.schema,
            description=hold.description,
            evidence=hold.question.evidence,
            pending=hold.pending,
        )
    action = hold.question.action
    # what was amended since has a request of its own further on
    is_current = hold.digest == event.digest
    shown = {
        "description": hold.description,
        "action": action and {"name": action.name, "args": action.args, "target": action.target},
        "plan": action.args.get("plan") if action else None,
        "evidence": hold.question.evidence,
    }
    return Update(
        "approval_request",
        {
            "message": hold.question.title,
            "plan_id": str(hold.id),
            "plan_short_id": hold.short_id,
            "digest": event.digest,
            "cause": cause,
            "asks": ASKED.get(action.name) if action else None,
            "risk": hold.assessment.level.value,
            "expires_at": hold.expires_at.isoformat() if hold.expires_at else None,
            "pending": hold.pending and is_current,
            "current": is_current,
            **(shown if is_current else {}),
        },
    )


def _decided(event: holds.HoldDecided, scene: Scene) -> Update:
    decided = {"outcome": event.outcome, "basis": event.basis, "reason": event.reason, "by": scene.by}
    name = "question_id" if scene.kind == Kind.input else "plan_id"
    return _log("decision", str(event.outcome).capitalize(), **{name: str(scene.hold_id)}, **decided)


def _hold_noted(event: Event, scene: Scene) -> Update | None:
    part = event.part()
    if part is None:
        return None
    words, reason = getattr(part, "text", ""), getattr(part, "reason", None)
    return _log("hold", words.capitalize(), plan_id=str(scene.hold_id), reason=reason, by=scene.by)


def _effect(event: runs.EffectReserved | runs.EffectCompleted | runs.EffectUnknown, _: Scene) -> Update:
    state = event.part().state
    words = {"reserved": "is being made", "completed": "was made", "unknown": "may have been made"}
    return _log("effect", f"The external call {event.name!r} {words[state]}", name=event.name, state=state)


def _paused(event: runs.RunPaused, _: Scene) -> Update:
    why = "Stopped by the emergency brake" if event.braked else "Waiting for people"
    return _status("paused", why, holds=[str(hold) for hold in event.holds])


def _completed(event: runs.RunCompleted, _: Scene) -> Update:
    return _status("completed", "Done", result=event.result)


def _failed(event: runs.RunFailed, _: Scene) -> Update:
    return Update("error", {"code": event.code, "message": event.message, "status": "failed"})


def _cancelled(event: runs.RunCancelled, scene: Scene) -> Update:
    return _status("cancelled", event.reason or "Cancelled", by=scene.by, plan_id=event.hold_id)


TABLE: Mapping[type[Event], Told[Any]] = {
    changes.ChangeStageBegan: _began,
    changes.ChangeUnderstood: _noted("intent"),
    changes.ChangeMapped: _noted("modules"),
    changes.ChangeWeighed: _noted("impact"),
    changes.ChangePlanned: _noted("plan"),
    changes.ChangeEdited: _edited,
    changes.ChangeDiffed: _diffed,
    changes.ChangeRefused: _noted("refused"),
    changes.ChangePrepared: _noted("dependencies"),
    changes.ChangeTested: _tested,
    changes.ChangeChecked: _noted("check"),
    changes.ChangeVerified: _noted("verification"),
    changes.ChangeRebased: _noted("rebased"),
    changes.ChangeApprovalKept: _noted("approval_kept"),
    changes.ChangeCommitted: _noted("committed"),
    changes.ChangePublished: _published,
    changes.ChangeAnswered: _answered,
    runs.MessageCompleted: _said,
    runs.MessageDiscarded: _discarded,
    runs.RunStarted: lambda _event, _: _status("queued", "Accepted"),
    # the stages say where a change is; its graph's nodes, and tools that are only heard of, say it again
    runs.RunStepCompleted: _silent,
    runs.RunToolCalled: _silent,
    runs.RunToolReturned: _silent,
    runs.RunProgressed: _noted("progress"),
    runs.RunPaused: _paused,
    runs.RunResumed: lambda event, _: _status("running", "Resumed", holds=[str(hold) for hold in event.holds]),
    runs.RunRetried: lambda _event, scene: _status("queued", "Retried", by=scene.by),
    runs.RunGraphChanged: _noted("workflow"),
    runs.RunCompleted: _completed,
    runs.RunFailed: _failed,
    runs.RunCancelled: _cancelled,
    runs.RunExpired: lambda event, _: _status("expired", event.reason or "Expired", plan_id=event.hold_id),
    runs.EffectReserved: _effect,
    runs.EffectCompleted: _effect,
    runs.EffectUnknown: _effect,
    holds.HoldOpened: _question,
    holds.HoldAmended: _question,
    holds.HoldReopened: _question,
    holds.HoldDecided: _decided,
    holds.HoldReviewed: _hold_noted,
    holds.HoldWithdrawn: _hold_noted,
    holds.HoldEscalated: _hold_noted,
    holds.HoldResulted: _hold_noted,
    holds.HoldRedeemed: _silent,
    HoldCommented: _hold_noted,
    HoldReminded: _hold_noted,
    HoldWarned: _hold_noted,
    HoldAssigned: _silent,
    HoldReleased: _silent,
    HoldSampled: _silent,
}
# whose hold has to be read for them
ASKS = frozenset({holds.HoldOpened.type, holds.HoldAmended.type, holds.HoldReopened.type})
