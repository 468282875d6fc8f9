"""LangChain's `HumanInTheLoopMiddleware`, in both of its modes.

`batched`: one interrupt lists the calls of a turn and takes a decision for each, by position. `per_call`: one interrupt
a call, with the call's id, and a schema of the decisions that it takes; an edit cannot name another tool there.
A wrong answer to a batch is kept by LangGraph and replayed for ever, so none leaves this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never, cast
from uuid import UUID

from handrail.core import answers, errors
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Hold, Kind
from handrail.holds.opening import Opening
from handrail_sdk.holds import Action as Shown
from handrail_sdk.wording import title_of

from . import rendition
from .decisions import Amendment, No, Proposal, Response, Yes, said
from .inquiry import UNBOUND, Inquiry, approval

_DECISIONS = ("approve", "edit", "reject", "respond")
_AMENDED = "a person amended the call to one that cannot be run here"


@dataclass(frozen=True, slots=True)
class _Call:
    proposed: Proposal
    allowed: tuple[str, ...]
    description: str | None
    schema: JsonObject = field(default_factory=dict[str, Json])
    may_rename: bool = True
    told: JsonObject = field(default_factory=dict[str, Json])

    def opening(self) -> Opening:
        action = self.proposed.shown
        context: JsonObject = {"asked_by": "langchain", "allowed": [*self.allowed], **self.told}
        if {"approve", "edit"} & {*self.allowed}:
            return approval(action, self.description, context, takes_response="respond" in self.allowed)
        title = title_of(Shown(action.name, action.args))
        return Opening(Kind.input, title, action, description=self.description, context={**UNBOUND, **context})

    def decision(self, hold: Hold) -> JsonObject:
        decision = self._decision(hold)
        problem = self._problem(decision)
        if problem is not None and decision["type"] == "edit":
            decision = self._no(hold, f"{_AMENDED}: {problem}")
            problem = self._problem(decision)
        if problem is not None:
            raise errors.AnswerUnusable(
                f"the decision on {hold.question.title!r} does not match what the graph accepts: {problem}",
                hold_id=str(hold.id),
            )
        return decision

    def _decision(self, hold: Hold) -> JsonObject:
        verdict = said(hold, self.proposed)
        match verdict:
            case Yes() if "approve" in self.allowed:
                return {"type": "approve"}
            case Yes():
                return self._edit(hold, self.proposed.shown.name, self.proposed.args)
            case Amendment(name, args):
                return self._edit(hold, name, args)
            case Response(message) if "respond" in self.allowed:
                return {"type": "respond", "message": message}
            case Response(message):
                return self._no(hold, message)
            case No(reason):
                return self._no(hold, reason)
            case _:
                assert_never(verdict)

    def _edit(self, hold: Hold, name: str, args: dict[str, Any]) -> JsonObject:
        if "edit" not in self.allowed:
            return self._no(hold, f"{_AMENDED}: edits are not allowed")
        if not self.may_rename and name != self.proposed.shown.name:
            return self._no(hold, f"{_AMENDED}: it names the tool {name!r}")
        return {"type": "edit", "edited_action": {"name": name, "args": args}}

    def _no(self, hold: Hold, reason: str | None) -> JsonObject:
        if "reject" in self.allowed:
            return {"type": "reject", "message": reason} if reason else {"type": "reject"}
        if "respond" in self.allowed:
            return {"type": "respond", "message": reason or "A person refused this call; it was not executed."}
        raise errors.AnswerUnusable(
            f"{hold.question.title!r} was not approved ({reason or hold.status.value}), but the graph only accepts"
            f" {' or '.join(self.allowed)}: allow `reject` for this tool",
            hold_id=str(hold.id),
        )

    def _problem(self, decision: JsonObject) -> str | None:
        """Where the decision does not fit the interrupt's schema; one that cannot be used is LangGraph's to check."""
        try:
            answers.check_answer(_branch(self.schema, decision["type"]), decision)
        except errors.AnswerMismatch as error:
            return error.message
        except errors.Rejected:
            return None
        return None


def read_batch(value: object, response_schema: object) -> Inquiry | None:
    """`{"action_requests": […], "review_configs": […]}` → `{"decisions": […]}`"""
    fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    requests, configs = fields.get("action_requests"), fields.get("review_configs")
    if not isinstance(requests, list) or not isinstance(configs, list) or not requests:
        return None
    wanted = cast("list[Any]", requests)
    if not all(_is_call(request) for request in wanted):
        return None
    calls = [
        _call(
            request,
            _allowed(cast("list[Any]", configs), n, request["name"]),
            told=_numbered(request, n, len(wanted)),
        )
        for n, request in enumerate(wanted)
    ]

    def answer(holds: Sequence[Hold], names: Mapping[UUID, str] | None = None) -> Json:
        return {"decisions": [call.decision(hold) for call, hold in zip(calls, holds, strict=True)]}

    return Inquiry(tuple(call.opening() for call in calls), answer)


def read_call(value: object, response_schema: object) -> Inquiry | None:
    """`{"type": "tool_approval", "tool_call_id", "name", "args", "description"}` → one decision"""
    fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if fields.get("type") != "tool_approval" or not _is_call(fields):
        return None
    schema = cast("JsonObject", response_schema) if isinstance(response_schema, dict) else {}
    call = _call(fields, _allowed_by(schema), schema=schema, may_rename=False, told=_numbered(fields, 0, 1))

    def answer(holds: Sequence[Hold], names: Mapping[UUID, str] | None = None) -> Json:
        [hold] = holds
        return call.decision(hold)

    return Inquiry((call.opening(),), answer)


def _is_call(request: object) -> bool:
    fields = cast("dict[str, Any]", request) if isinstance(request, dict) else {}
    name = fields.get("name")
    return isinstance(name, str) and bool(name.strip()) and isinstance(fields.get("args"), dict)


def _call(request: dict[str, Any], allowed: tuple[str, ...], **more: Any) -> _Call:
    return _Call(
        Proposal.of(request["name"], request["args"]), allowed, rendition.text(request.get("description")), **more
    )


def _numbered(request: dict[str, Any], n: int, count: int) -> JsonObject:
    call_id = request.get("tool_call_id", request.get("id"))
    told: JsonObject = {"tool_call_id": call_id} if isinstance(call_id, str) else {}
    return {**told, "call": f"{n + 1} of {count}"} if count > 1 else told


def _allowed(configs: list[Any], n: int, name: str) -> tuple[str, ...]:
    """Of the config at the same place, where it is for this tool, else of any that is."""
    for config in (*configs[n : n + 1], *configs):
        if isinstance(config, dict) and cast("dict[str, Any]", config).get("action_name") == name:
            return _known(cast("dict[str, Any]", config).get("allowed_decisions"))
    return _known(None)


def _allowed_by(schema: JsonObject) -> tuple[str, ...]:
    return _known([_type_of(choice) for choice in _choices(schema)])


def _choices(schema: JsonObject) -> list[JsonObject]:
    """The kinds of decision that a schema of LangChain's takes: it is one, or lists several."""
    listed, defs = schema.get("oneOf"), schema.get("$defs")
    if not isinstance(listed, list):
        return [schema]
    known = defs if isinstance(defs, dict) else {}
    names = [f"{choice.get('$ref')}".rpartition("/")[2] for choice in listed if isinstance(choice, dict)]
    found = [known.get(name) for name in names]
    return [{**choice, "$defs": known} for choice in found if isinstance(choice, dict)]


def _type_of(choice: JsonObject) -> Json:
    node: Json = choice
    for step in ("properties", "type", "const"):
        node = node.get(step) if isinstance(node, dict) else None
    return node


def _branch(schema: JsonObject, type_: Json) -> JsonObject:
    """What a decision of this type must look like: a problem with it is told by this alone."""
    anything: JsonObject = {}
    return next((choice for choice in _choices(schema) if _type_of(choice) == type_), anything)


def _known(allowed: object) -> tuple[str, ...]:
    """Where nothing is said that can be read: yes or no."""
    listed = cast("list[object]", allowed) if isinstance(allowed, list) else []
    return tuple(decision for decision in _DECISIONS if decision in listed) or ("approve", "reject")
