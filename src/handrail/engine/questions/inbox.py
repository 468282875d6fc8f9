"""Agent Inbox's `HumanInterrupt`, single or in a list; resumed with a list of one `HumanResponse` for each.

`accept` and `edit` carry the action request, `response` the text, `ignore` nothing. Arguments keep their types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never, cast
from uuid import UUID

from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Hold, Kind, Status
from handrail.holds.opening import Opening
from handrail_sdk.holds import Action as Shown
from handrail_sdk.wording import title_of

from . import rendition
from .decisions import Amendment, No, Proposal, Response, Yes, said
from .inquiry import UNBOUND, Inquiry, approval

_ALLOW = ("accept", "edit", "respond", "ignore")
_IGNORE: JsonObject = {"title": "Ignore", "type": "null"}
_RESPOND: JsonObject = {"title": "Respond", "type": "string", "minLength": 1}


@dataclass(frozen=True, slots=True)
class _Request:
    proposed: Proposal
    allowed: tuple[str, ...]
    description: str | None

    def opening(self) -> Opening:
        action = self.proposed.shown
        context: JsonObject = {"asked_by": "agent-inbox", "allowed": [*self.allowed]}
        if {"accept", "edit"} & {*self.allowed}:
            return approval(action, self.description, context, takes_response="respond" in self.allowed)
        forms: list[Json] = [_RESPOND, _IGNORE] if "respond" in self.allowed else [_IGNORE]
        return Opening(
            kind=Kind.input,
            title=title_of(Shown(action.name, action.args)),
            action=action,
            description=self.description,
            schema={"anyOf": forms},
            context={**UNBOUND, **context},
        )

    def response(self, hold: Hold) -> JsonObject:
        verdict = said(hold, self.proposed)
        match verdict:
            case Yes():
                kind = "accept" if "accept" in self.allowed else "edit"
                return {"type": kind, "args": self._request(self.proposed.shown.name, self.proposed.args)}
            case Amendment(name, args):
                if "edit" in self.allowed:
                    return {"type": "edit", "args": self._request(name, args)}
                return self._no(hold, "it was amended, but this graph does not accept amendments: nothing was run")
            case Response(message):
                return {"type": "response", "args": message} if "respond" in self.allowed else self._no(hold, message)
            case No(reason):
                return self._no(hold, reason)
            case _:
                assert_never(verdict)

    def _no(self, hold: Hold, reason: str | None) -> JsonObject:
        """A person's reason is feedback; where nobody decided, there is nothing to try again with."""
        silent = hold.status in {Status.expired, Status.cancelled}
        if reason and "respond" in self.allowed and not silent:
            return {"type": "response", "args": reason}
        return {"type": "ignore", "args": None}

    def _request(self, name: str, args: dict[str, Any]) -> JsonObject:
        return {"action": name, "args": args}


def read(value: object, response_schema: object) -> Inquiry | None:
    several = cast("list[object]", value) if isinstance(value, list) else [value]
    if not several or not all(_is_request(item) for item in several):
        return None
    requests = [_request(cast("dict[str, Any]", item)) for item in several]

    def answer(holds: Sequence[Hold], names: Mapping[UUID, str] | None = None) -> Json:
        return [request.response(hold) for request, hold in zip(requests, holds, strict=True)]

    return Inquiry(tuple(request.opening() for request in requests), answer)


def _is_request(item: object) -> bool:
    fields = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
    request, config = fields.get("action_request"), fields.get("config")
    if not isinstance(request, dict) or not isinstance(config, dict):
        return False
    name, args = cast("dict[str, Any]", request).get("action"), cast("dict[str, Any]", request).get("args")
    return isinstance(name, str) and bool(name.strip()) and isinstance(args, dict)


def _request(item: dict[str, Any]) -> _Request:
    config = cast("dict[str, Any]", item["config"])
    return _Request(
        Proposal.of(item["action_request"]["action"], item["action_request"]["args"]),
        tuple(verb for verb in _ALLOW if config.get(f"allow_{verb}") is True),
        rendition.text(item.get("description")),
    )
