"""A session's story in the words of its socket: events of the log and text of models as numbered messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from handrail.api import session_views
from handrail.core.holds import Hold
from handrail.core.runs import Run
from handrail.core.sessions import SessionStatus
from handrail.feed.chunks import Delta
from handrail.feed.entries import Entry
from handrail.skills.cursors import PARTS, Cursor
from handrail.store.chunks import Message

# events that are told as a status, and with what more
PLAIN: Mapping[str, tuple[SessionStatus, tuple[str, ...]]] = {
    "run.started": (SessionStatus.created, ()),
    "run.step_completed": (SessionStatus.running, ("step", "node")),
    "run.paused": (SessionStatus.paused, ("holds",)),
    "run.resumed": (SessionStatus.running, ("holds",)),
    "run.cancelled": (SessionStatus.cancelled, ("reason",)),
    "run.expired": (SessionStatus.expired, ("reason",)),
}


class Part(NamedTuple):
    event: str
    payload: dict[str, Any]


class Story:
    """What one socket has told: each message once, in order, wherever it goes on."""

    def __init__(self, cursor: Cursor, calls: set[str]) -> None:
        self._seq = cursor.seq
        # how far messages that are being said were told
        self._said: dict[Message, int] = dict(cursor.said)
        # a tool whose node runs again is called again: told once
        self._calls = calls

    def error(self, code: str, message: str, **more: Any) -> str:
        """What is wrong with something that the client sent; it has no number of its own."""
        return self._written("error", {"code": code, "message": message, **more})

    def text(self, delta: Delta) -> str:
        return self._token(delta.message, delta.start, delta.kind, delta.text)

    def entry(self, entry: Entry, about: Hold | Run | None) -> Iterator[str]:
        """The messages of an event that were not told yet; it is about the hold that it opened, or the run that it
        completed."""
        said: dict[str, Any] = json.loads(entry.data) or {}
        parts = list(self._parts(entry, said, about))
        if parts and self._seq < entry.seq * PARTS + len(parts) - 1:
            if entry.type == "message.completed":
                yield from self._rest(entry, said)
            for number, part in enumerate(parts, entry.seq * PARTS):
                if number > self._seq:
                    self._seq = number
                    yield self._written(*part)

    def _rest(self, entry: Entry, said: dict[str, Any]) -> Iterator[str]:
        """What was not told of a message while it was being said; its reasoning comes before its answer."""
        message = _message(entry, said)
        start = 0
        for kind, name in (("reasoning", "reasoning"), ("answer", "content")):
            text = str(said.get(name) or "")
            left = text[max(0, self._said.get(message, 0) - start) :]
            if left:
                yield self._token(message, start + len(text) - len(left), kind, left)
            start += len(text)
        self._said.pop(message, None)

    def _token(self, message: Message, start: int, kind: str, text: str) -> str:
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

    def _parts(self, entry: Entry, said: dict[str, Any], about: Hold | Run | None) -> Iterator[Part]:
        match entry.type:
            case "run.tool_called":
                yield from self._call(said)
            case "run.tool_returned":
                call = _some(said, "name", "call_id", "failed", "truncated") | {"result": said.get("content")}
                yield update(SessionStatus.running, tool_call=call)
            case "message.completed":
                thought = said.get("reasoning") or (said.get("content") if said.get("tool_calls") else None)
                yield update(SessionStatus.running, thought or None, **_some(said, "message_id", "attempt"))
            case "message.discarded":
                self._said.pop(_message(entry, said), None)
                yield update(SessionStatus.running, discarded=_some(said, "message_id", "attempt"))
            case "hold.opened" if isinstance(about, Hold) and entry.kind == "input":
                yield Part("request_input", asked(about))
            case "hold.decided" if said.get("basis") != "policy":
                yield update(SessionStatus.paused, decided=_decided(entry, said))
            case "run.completed" if isinstance(about, Run):
                answer = session_views.answer_of(about) or ""
                yield Part("final_answer", {"content": answer, "artifacts": session_views.artifacts_of(about)})
                yield update(SessionStatus.completed)
            case "run.failed":
                yield Part("error", _some(said, "code", "message", "node"))
                yield update(SessionStatus.failed)
            case _ if entry.type in PLAIN:
                status, fields = PLAIN[entry.type]
                yield update(status, **_some(said, *fields))
            case _:
                return

    def _call(self, said: dict[str, Any]) -> Iterator[Part]:
        call_id = said.get("call_id")
        if call_id is None or call_id not in self._calls:
            self._calls |= {call_id} if call_id is not None else set()
            yield update(SessionStatus.running, tool_call=_some(said, "name", "call_id", "args", "truncated"))


def update(status: SessionStatus, thought: str | None = None, tool_call: Any = None, **more: Any) -> Part:
    return Part("status_update", {"status": status, "thought": thought, "tool_call": tool_call, **more})


def asked(hold: Hold) -> dict[str, Any]:
    question = hold.question
    return {
        "request_id": str(hold.id),
        "prompt": question.title,
        "description": hold.description,
        "schema": question.schema,
        "pending": hold.pending,
    }


def _decided(entry: Entry, said: dict[str, Any]) -> dict[str, Any]:
    return {
        "request_id": str(entry.hold_id),
        "kind": entry.kind,
        **_some(said, "outcome", "answer", "reason"),
        "by": entry.actor,
    }


def _message(entry: Entry, said: dict[str, Any]) -> Message:
    assert entry.run_id is not None, "only events of the session's run are told"
    return Message(entry.run_id, str(said.get("message_id")), int(said.get("attempt") or 0))


def _some(said: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: said[name] for name in names if name in said}
