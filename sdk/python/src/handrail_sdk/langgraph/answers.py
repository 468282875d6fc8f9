"""What a node gets back when it resumes: Handrail's envelope, or anything else a graph is resumed with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from handrail_sdk.holds import Action, Kind, Status, Who

MARK: Final = "handrail"
VERSION: Final = 1
_YES = frozenset(
    {"yes", "y", "true", "ok", "okay", "approve", "approved", "accept", "accepted", "confirm", "confirmed"}
)
_NO = frozenset({"no", "n", "false", "reject", "rejected", "deny", "denied", "ignore", "ignored", "cancel"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What people, the policy or the clock said.

    `action` is what may be done: as asked, or as a person amended it; None if there was none. `by` is None if the
    policy or the clock decided; `hold_id` is None outside Handrail.
    """

    outcome: Status
    action: Action | None
    answer: Any = None
    reason: str | None = None
    by: Who | None = None
    hold_id: str | None = None

    @property
    def approved(self) -> bool:
        return self.outcome == "approved"


def read(
    value: object, kind: Kind, action: Action | None, digest: str, *, driven: bool, takes_response: bool = False
) -> Answer | None:
    """The answer to the question with this digest; nothing where the value answers another question.

    In a run that Handrail drives, only its envelope answers: another value was given to another interrupt.
    """
    if isinstance(value, dict) and MARK in value:
        envelope = cast("dict[str, Any]", value)
        return _of_envelope(envelope) if envelope.get("digest") == digest else None
    if driven:
        return None
    if kind == "input":
        return Answer("answered", action, cast("object", value))
    words = _response(cast("object", value)) if takes_response else None
    return Answer("answered", action, words) if words else _said(cast("object", value), action)


def _of_envelope(envelope: dict[str, Any]) -> Answer:
    action, by = envelope["action"], envelope["by"]
    return Answer(
        outcome=envelope["outcome"],
        action=action and Action(action["name"], action["args"], action["target"]),
        answer=envelope["answer"],
        reason=envelope["reason"],
        by=by and Who(by["id"], by["name"], "person"),
        hold_id=envelope["hold_id"],
    )


def _response(value: object) -> str | None:
    """The words of a response in agent-inbox's form or LangChain's, single or as the only one of a list."""
    if isinstance(value, Mapping) and "decisions" in value:
        return _response(cast("Mapping[str, Any]", value)["decisions"])
    if isinstance(value, list) and len(cast("list[object]", value)) == 1:
        return _response(cast("list[object]", value)[0])
    if not isinstance(value, Mapping):
        return None
    fields = cast("Mapping[str, Any]", value)
    text = {"response": fields.get("args"), "respond": fields.get("message")}.get(f"{fields.get('type')}")
    return text if isinstance(text, str) and text.strip() else None


def _said(value: object, action: Action | None) -> Answer:
    """Yes or no, of the forms that LangGraph's documentation, agent-inbox and LangChain's middleware resume with."""
    if isinstance(value, list) and len(cast("list[object]", value)) == 1:
        return _said(cast("list[object]", value)[0], action)
    if isinstance(value, Mapping):
        return _said_in_fields(cast("Mapping[str, Any]", value), action)
    if isinstance(value, str):
        word = value.strip().casefold().rstrip(".!")
        return _answer(word in _YES, action, None if word in _YES | _NO else value)
    return _answer(value is True, action, None if isinstance(value, bool) else f"not a yes: {value!r:.200}")


def _said_in_fields(fields: Mapping[str, Any], action: Action | None) -> Answer:
    if "decisions" in fields:
        return _said(fields["decisions"], action)
    text = next((fields[name] for name in ("reason", "message", "args") if isinstance(fields.get(name), str)), None)
    if "approved" in fields:
        return _answer(fields["approved"] is True, _amended(fields.get("action"), action), text)
    said = f"{fields.get('type')}"
    if said == "edit":
        return _answer(True, _amended(fields.get("edited_action") or fields.get("args"), action), text)
    known = said in _YES | _NO | {"response", "respond"}
    return _answer(said in _YES, action, text if known else f"not a yes: {dict(fields)!r:.200}")


def _amended(edited: object, action: Action | None) -> Action | None:
    """LangChain names the tool `name`, agent-inbox `action`."""
    if action is None or not isinstance(edited, Mapping):
        return action
    fields = cast("Mapping[str, Any]", edited)
    name, args = fields.get("name", fields.get("action", action.name)), fields.get("args", action.args)
    return Action(str(name), dict(args), fields.get("target", action.target))


def _answer(yes: bool, action: Action | None, reason: str | None) -> Answer:
    return Answer("approved" if yes else "rejected", action, reason=reason)
