"""A session's story in the words of its socket: parts of the story and text of models as numbered messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Set
from typing import Any, NamedTuple

from handrail.api import session_views
from handrail.core import story
from handrail.core.holds import Hold
from handrail.core.parts import (
    Call,
    Decision,
    End,
    Message,
    Part,
    Pause,
    Question,
    Resumption,
    Retraction,
    Return,
    Start,
    Step,
)
from handrail.core.runs import Run, RunStatus
from handrail.core.sessions import SessionStatus
from handrail.feed.chunks import Delta
from handrail.feed.entries import Entry
from handrail.skills.cursors import PARTS, Cursor
from handrail.store.chunks import Message as Text


class Packet(NamedTuple):
    """One message of the socket, without its number."""

    event: str
    payload: dict[str, Any]


class Story:
    """What one socket has told: each message once, in order, wherever it continues."""

    def __init__(self, cursor: Cursor, calls: Set[str]) -> None:
        self._seq = cursor.seq
        # how far messages that are being said were told
        self._said: dict[Text, int] = dict(cursor.said)
        self._told = story.Story(calls)

    def error(self, code: str, message: str, **more: Any) -> str:
        """What is wrong with something that the client sent; it has no number of its own."""
        return self._written("error", {"code": code, "message": message, **more})

    def text(self, delta: Delta) -> str:
        return self._token(delta.message, delta.start, delta.kind, delta.text)

    def entry(self, entry: Entry, about: Hold | Run | None) -> Iterator[str]:
        """The messages of an event that were not told yet; it is about the hold that it opened, or the run that it
        completed."""
        part = entry.part
        if part is None or not self._told.is_new(part):
            return
        packets = list(self._packets(entry, part, about))
        if packets and self._seq < entry.seq * PARTS + len(packets) - 1:
            if isinstance(part, Message):
                yield from self._rest(_text_of(entry, part), part)
            for number, packet in enumerate(packets, entry.seq * PARTS):
                if number > self._seq:
                    self._seq = number
                    yield self._written(*packet)

    def _rest(self, text: Text, whole: Message) -> Iterator[str]:
        """What was not told of a message while it was being said; its reasoning comes before its answer."""
        start = 0
        for kind, said in (("reasoning", whole.reasoning or ""), ("answer", whole.content)):
            left = said[max(0, self._said.get(text, 0) - start) :]
            if left:
                yield self._token(text, start + len(said) - len(left), kind, left)
            start += len(said)
        self._said.pop(text, None)

    def _token(self, message: Text, start: int, kind: str, text: str) -> str:
        self._said[message] = start + len(text)
        told = {
            "message_id": message.message_id,
            "attempt": message.attempt,
            "start": start,
            "kind": kind,
            "text": text,
        }
        return self._written("token", told)

    def _written(self, event: str, payload: dict[str, Any]) -> str:
        seq = max(self._seq, 0)
        told = {"event": event, "payload": payload, "seq": seq, "cursor": str(Cursor(seq, self._said))}
        return json.dumps(told, ensure_ascii=False)

    def _packets(self, entry: Entry, part: Part, about: Hold | Run | None) -> Iterator[Packet]:
        match part:
            case Call():
                called = {"name": part.name, "call_id": part.call_id, "args": part.args} | _truncated(part)
                yield update(SessionStatus.running, tool_call=called)
            case Return():
                failed = {"failed": True} if part.failed else {}
                returned = {"name": part.name, "call_id": part.call_id, **failed, **_truncated(part)}
                yield update(SessionStatus.running, tool_call={**returned, "result": part.content})
            case Message():
                thought = part.reasoning or (part.content if part.tool_calls else None)
                yield update(SessionStatus.running, thought or None, **_named(part))
            case Retraction():
                self._said.pop(_text_of(entry, part), None)
                yield update(SessionStatus.running, discarded=_named(part))
            case Question(cause="opened") if isinstance(about, Hold) and entry.kind == "input":
                yield Packet("request_input", asked(about))
            case Decision() if part.basis != "policy":
                yield update(SessionStatus.paused, decided=_decided(entry, part))
            case End():
                yield from _ended(part, about)
            case Start() | Step() | Pause() | Resumption():
                yield _status(part)
            case _:
                return


def _status(part: Start | Step | Pause | Resumption) -> Packet:
    match part:
        case Start():
            return update(SessionStatus.created)
        case Step():
            return update(SessionStatus.running, step=part.step, node=part.node)
        case Pause():
            return update(SessionStatus.paused, holds=[str(hold) for hold in part.holds])
        case Resumption():
            return update(SessionStatus.running, holds=[str(hold) for hold in part.holds])


def _ended(end: End, about: Hold | Run | None) -> Iterator[Packet]:
    status = SessionStatus.of(end.status)
    if end.status is RunStatus.completed and isinstance(about, Run):
        answer = session_views.answer_of(about) or ""
        yield Packet("final_answer", {"content": answer, "artifacts": session_views.artifacts_of(about)})
        yield update(status)
    elif end.status is RunStatus.failed:
        place = {"node": end.node} if end.node else {}
        yield Packet("error", {"code": end.code, "message": end.reason, **place})
        yield update(status)
    else:
        yield update(status, reason=end.reason)


def update(status: SessionStatus, thought: str | None = None, tool_call: Any = None, **more: Any) -> Packet:
    return Packet("status_update", {"status": status, "thought": thought, "tool_call": tool_call, **more})


def asked(hold: Hold) -> dict[str, Any]:
    question = hold.question
    return {
        "request_id": str(hold.id),
        "prompt": question.title,
        "description": hold.description,
        "schema": question.schema,
        "pending": hold.pending,
    }


def _decided(entry: Entry, made: Decision) -> dict[str, Any]:
    return {
        "request_id": str(entry.hold_id),
        "kind": entry.kind,
        "outcome": made.outcome,
        "answer": made.answer,
        "reason": made.reason,
        "by": entry.actor,
    }


def _text_of(entry: Entry, said: Message | Retraction) -> Text:
    assert entry.run_id is not None, "only events of the session's run are told"
    return Text(entry.run_id, said.message_id, said.attempt)


def _named(said: Message | Retraction) -> dict[str, Any]:
    return {"message_id": said.message_id, "attempt": said.attempt}


def _truncated(part: Call | Return) -> dict[str, Any]:
    return {"truncated": True} if part.truncated else {}
