"""What people said of an action that a foreign graph proposed: yes, yes as amended, an answer in its place, or no."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from handrail.core import errors
from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Hold, Status

from .inquiry import refusal
from .rendition import render


@dataclass(frozen=True, slots=True)
class Proposal:
    """An action as the graph has it, and as people were shown it."""

    args: dict[str, Any]
    shown: Action

    @classmethod
    def of(cls, name: str, args: dict[str, Any]) -> Self:
        """QuestionUnusable where the arguments hold what people cannot be shown."""
        rendition = render(args)
        if not rendition.whole or not isinstance(rendition.shown, dict):
            raise errors.QuestionUnusable(
                f"the arguments of {name!r:.200} cannot be shown in full, so no one can decide on them"
            )
        return cls(args, Action(f"{render(name).shown}", rendition.shown))

    def as_amended(self, action: Action) -> tuple[str, JsonObject]:
        """Name and arguments to run. What a person left as shown stays as the graph had it."""
        known = self.shown.args
        left = {key for key, value in action.args.items() if key in known and known[key] == value}
        return action.name, {key: self.args[key] if key in left else value for key, value in action.args.items()}


@dataclass(frozen=True, slots=True)
class Yes:
    pass


@dataclass(frozen=True, slots=True)
class Amendment:
    name: str
    args: JsonObject


@dataclass(frozen=True, slots=True)
class Response:
    message: str


@dataclass(frozen=True, slots=True)
class No:
    reason: str | None


Said: TypeAlias = Yes | Amendment | Response | No


def said(hold: Hold, proposed: Proposal) -> Said:
    if hold.status is Status.answered:
        return Response(f"{hold.decision.answer}") if hold.decision and hold.decision.answer else No(None)
    if hold.status is not Status.approved:
        return No(refusal(hold))
    action = hold.question.action
    if action is None or action == proposed.shown:
        return Yes()
    if action.target is not None:
        return No("it was amended to have a target, which this graph cannot use: nothing was run")
    return Amendment(*proposed.as_amended(action))
