"""A session's conversation, made from what the log says about its run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from handrail.core.canonical import Json
from handrail.core.holds import Hold
from handrail.core.runs import Run
from handrail.core.sessions import Message, Role
from handrail.store.chunks import Piece
from handrail.store.names import Named
from handrail.store.sessions import StoryEvent

# a session that asks more than this was told to go on and on
MOST_HOLDS = 1000
ENDS = {"run.cancelled": "The session was cancelled", "run.expired": "The session expired"}


def history(
    run: Run, told: Sequence[StoryEvent], holds: Sequence[Hold], live: Sequence[Piece], people: Mapping[UUID, Named]
) -> list[Message]:
    """All messages, oldest first; what a model is just saying comes last."""
    writer = _Writer({hold.id: hold for hold in holds}, people)
    given = run.input.get("input") if isinstance(run.input, dict) else run.input
    writer.put("input", Role.human, text(given), run.created_at, None, {"by": writer.named(run.starter)})
    for each in told:
        writer.write(each)
    return [*writer.messages.values(), *_being_said(run, live)]


class _Writer:
    def __init__(self, holds: Mapping[UUID, Hold], people: Mapping[UUID, Named]) -> None:
        # by id: a tool that ran again has its result once
        self.messages: dict[str, Message] = {}
        self._holds = holds
        self._people = people
        self._calls: dict[str | None, Json] = {}
        self._count: Counter[str] = Counter()

    def put(self, id_: str, role: Role, content: str, at: Any, seq: int | None, metadata: Mapping[str, Any]) -> None:
        self.messages[id_] = Message(id_, role, content, at, seq, {k: v for k, v in metadata.items() if v is not None})

    def write(self, told: StoryEvent) -> None:
        # what was pruned from the log is no longer known
        said = told.data or {}
        match told.type:
            case "message.completed":
                more = {name: said.get(name) for name in ("reasoning", "tool_calls", "message_id", "attempt")}
                self._put(told, str(said.get("message_id")), Role.ai, text(said.get("content")), more)
            case "run.tool_called":
                self._calls[said.get("call_id")] = said.get("args")
            case "run.tool_returned":
                call_id = said.get("call_id")
                more = {"tool": said.get("name"), "call_id": call_id, "args": self._calls.get(call_id)}
                more |= {name: said.get(name) for name in ("failed", "truncated")}
                self._put(told, call_id, Role.tool, text(said.get("content")), more)
            # the policy's own yes to a tool call is no part of the conversation
            case "hold.decided" if told.hold_id is not None and said.get("basis") != "policy":
                self._decided(told, told.hold_id, said)
            case "run.failed":
                self._put(told, None, Role.system, text(said.get("message")), {"code": said.get("code")})
            case "run.cancelled" | "run.expired":
                reason = said.get("reason")
                content = f"{ENDS[told.type]}: {reason}" if reason else f"{ENDS[told.type]}."
                self._put(told, None, Role.system, content, {"by": self.named(told.actor_id)})
            case _:
                return

    def _decided(self, told: StoryEvent, hold_id: UUID, said: Mapping[str, Any]) -> None:
        by = self.named(told.actor_id)
        if told.kind == "input" and said.get("outcome") == "answered":
            more = {"request_id": str(hold_id), "by": by}
            self._put(told, str(hold_id), Role.human, text(said.get("answer")), more)
            return
        hold = self._holds.get(hold_id)
        title = hold.question.title if hold else "A question"
        content = f"{title}: {said.get('outcome')}" + (f" by {by['name']}" if by else "")
        content += f" ({said['reason']})" if said.get("reason") else ""
        more = {"hold_id": str(hold_id), "outcome": said.get("outcome"), "by": by}
        self._put(told, str(hold_id), Role.system, content, more)

    def _put(self, told: StoryEvent, id_: str | None, role: Role, content: str, metadata: Mapping[str, Any]) -> None:
        self._count[told.type] += 1
        self.put(id_ or f"{told.type}-{self._count[told.type]}", role, content, told.at, told.seq, metadata)

    def named(self, who: UUID | None) -> dict[str, str] | None:
        found = self._people.get(who) if who else None
        return {"id": str(found.id), "name": found.name, "kind": found.kind.value} if found else None


def _being_said(run: Run, live: Sequence[Piece]) -> list[Message]:
    found: list[Message] = []
    for said in dict.fromkeys(piece.message for piece in live):
        parts = {"answer": "", "reasoning": ""}
        for piece in live:
            if piece.message == said:
                parts[piece.kind] = parts.get(piece.kind, "") + piece.text
        more: dict[str, Any] = {"message_id": said.message_id, "attempt": said.attempt, "streaming": True}
        more |= {"reasoning": parts["reasoning"]} if parts["reasoning"] else {}
        found.append(Message(said.message_id, Role.ai, parts["answer"], run.active_at, None, more))
    return found


def text(value: Json) -> str:
    """What people read of a value."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
