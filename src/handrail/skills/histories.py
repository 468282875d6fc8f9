"""A session's conversation, made from what the log says about its run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from handrail.core.canonical import Json
from handrail.core.holds import Hold, Status
from handrail.core.parts import Call, Decision, End, Message, Return
from handrail.core.people import NameCard
from handrail.core.runs import Run, RunStatus
from handrail.core.sessions import Message as Entry
from handrail.core.sessions import Role
from handrail.store.chunks import Piece
from handrail.store.sessions import StoryEvent

# a session that asks more than this was told to go on and on
MOST_HOLDS = 1000
ENDS = {RunStatus.cancelled: "The session was cancelled", RunStatus.expired: "The session expired"}


def history(
    run: Run, told: Sequence[StoryEvent], holds: Sequence[Hold], live: Sequence[Piece], people: Mapping[UUID, NameCard]
) -> list[Entry]:
    """All messages, oldest first; what a model is just saying comes last."""
    writer = _Writer({hold.id: hold for hold in holds}, people)
    given = run.input.get("input") if isinstance(run.input, dict) else run.input
    writer.put("input", Role.human, text(given), run.created_at, None, {"by": writer.named(run.starter)})
    for each in told:
        writer.write(each)
    return [*writer.messages.values(), *_being_said(run, live)]


class _Writer:
    def __init__(self, holds: Mapping[UUID, Hold], people: Mapping[UUID, NameCard]) -> None:
        # by id: a tool that ran again has its result once
        self.messages: dict[str, Entry] = {}
        self._holds = holds
        self._people = people
        self._calls: dict[str, Json] = {}
        self._count: Counter[str] = Counter()

    def put(self, id_: str, role: Role, content: str, at: Any, seq: int | None, metadata: Mapping[str, Any]) -> None:
        self.messages[id_] = Entry(id_, role, content, at, seq, {k: v for k, v in metadata.items() if v is not None})

    def write(self, told: StoryEvent) -> None:
        match told.part:
            case Message() as said:
                more = {"reasoning": said.reasoning, "tool_calls": [*said.tool_calls] or None}
                more |= {"message_id": said.message_id, "attempt": said.attempt}
                self._put(told, said.message_id, Role.ai, said.content, more)
            case Call(call_id=str(call_id), args=args):
                self._calls[call_id] = args
            case Return() as done:
                args = self._calls.get(done.call_id) if done.call_id else None
                more = {"tool": done.name, "call_id": done.call_id, "args": args}
                more |= {"failed": done.failed or None, "truncated": done.truncated or None}
                self._put(told, done.call_id, Role.tool, text(done.content), more)
            # the policy's own yes to a tool call is no part of the conversation
            case Decision() as made if told.hold_id is not None and made.basis != "policy":
                self._decided(told, told.hold_id, made)
            case End() as end if end.status is not RunStatus.completed:
                self._ended(told, end)
            case _:
                return

    def _decided(self, told: StoryEvent, hold_id: UUID, made: Decision) -> None:
        by = self.named(told.actor_id)
        if told.kind == "input" and made.outcome is Status.answered:
            more = {"request_id": str(hold_id), "by": by}
            self._put(told, str(hold_id), Role.human, text(made.answer), more)
            return
        hold = self._holds.get(hold_id)
        title = hold.question.title if hold else "A question"
        content = f"{title}: {made.outcome}" + (f" by {by['name']}" if by else "")
        content += f" ({made.reason})" if made.reason else ""
        more = {"hold_id": str(hold_id), "outcome": made.outcome.value, "by": by}
        self._put(told, str(hold_id), Role.system, content, more)

    def _ended(self, told: StoryEvent, end: End) -> None:
        if end.status is RunStatus.failed:
            self._put(told, None, Role.system, end.reason or "", {"code": end.code})
            return
        how = ENDS[end.status]
        content = f"{how}: {end.reason}" if end.reason else f"{how}."
        self._put(told, None, Role.system, content, {"by": self.named(told.actor_id)})

    def _put(self, told: StoryEvent, id_: str | None, role: Role, content: str, metadata: Mapping[str, Any]) -> None:
        self._count[told.type] += 1
        self.put(id_ or f"{told.type}-{self._count[told.type]}", role, content, told.at, told.seq, metadata)

    def named(self, who: UUID | None) -> dict[str, str] | None:
        found = self._people.get(who) if who else None
        return {"id": str(found.id), "name": found.name, "kind": found.kind.value} if found else None


def _being_said(run: Run, live: Sequence[Piece]) -> list[Entry]:
    found: list[Entry] = []
    for said in dict.fromkeys(piece.message for piece in live):
        parts = {"answer": "", "reasoning": ""}
        for piece in live:
            if piece.message == said:
                parts[piece.kind] = parts.get(piece.kind, "") + piece.text
        more: dict[str, Any] = {"message_id": said.message_id, "attempt": said.attempt, "streaming": True}
        more |= {"reasoning": parts["reasoning"]} if parts["reasoning"] else {}
        found.append(Entry(said.message_id, Role.ai, parts["answer"], run.active_at, None, more))
    return found


def text(value: Json) -> str:
    """What people read of a value."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
