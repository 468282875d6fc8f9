"""Ready-made nodes of a risk-gated workflow: assess the risk, request the approval, execute what was approved.

They pass data to each other in the state; everything in it is plain data.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from langgraph.errors import GraphBubbleUp
from typing_extensions import TypedDict

from handrail_sdk.canonical import digest
from handrail_sdk.errors import Misconfigured
from handrail_sdk.holds import Action, ResultOutcome
from handrail_sdk.wording import title_of

from . import effects, port
from .asking import ask_human

Executor: TypeAlias = Callable[..., Any] | Callable[..., Awaitable[Any]]


class ActionState(TypedDict, total=False):
    """`name`, `args` and `target` of what is to be done."""

    name: str
    args: dict[str, Any]
    target: str | None


class GatedState(TypedDict, total=False):
    """What goes in is `action`, and where the risk rules need it `task`, `title`, `description` and `evidence`."""

    action: ActionState
    task: dict[str, Any]
    title: str
    description: str
    evidence: Any
    risk: dict[str, Any]
    approval: dict[str, Any]
    result: Any


async def assess_risk(state: GatedState) -> GatedState:
    """Puts into `risk` what the policy in force says: `risk`, `rules` that fired and why, `auto_approve`.

    Outside Handrail there is no policy, and everything counts as medium.
    """
    here = port.current.get()
    if here is None:
        return {"risk": {"risk": "medium", "rules": [], "auto_approve": False}}
    return {"risk": await here.assess(_action(state), state.get("task"))}


def request_approval(state: GatedState) -> GatedState:
    """Waits until people or the policy decide; puts the outcome and the action as approved into `approval`.

    A low action is approved at once by the policy.
    """
    action = _action(state)
    answer = ask_human(
        "approval",
        state.get("title") or title_of(action),
        action,
        task=state.get("task"),
        description=state.get("description"),
        evidence=state.get("evidence"),
    )
    approved = answer.action or action
    return {
        "approval": {
            "outcome": answer.outcome,
            "action": {"name": approved.name, "args": approved.args, "target": approved.target},
            "reason": answer.reason,
            "by": answer.by and answer.by.name,
            "hold_id": answer.hold_id,
        }
    }


def execute(
    executors: Mapping[str, Executor], *, idempotent: bool = False
) -> Callable[[GatedState], Awaitable[GatedState]]:
    """A node that runs the approved action by the function of its name, called with the action's arguments.

    It runs what was approved, which a person may have amended, and nothing if it was rejected. It is an effect: not run
    twice when a worker dies. `result` is what the function returned.
    """

    async def node(state: GatedState) -> GatedState:
        approval = state.get("approval") or {}
        if approval.get("outcome") != "approved":
            return {}
        action = Action(**approval["action"])
        if action.name not in executors:
            raise Misconfigured(f"there is no executor for {action.name!r}; available: {', '.join(sorted(executors))}")
        try:
            value = await _once(action, executors[action.name], idempotent)
        except GraphBubbleUp:
            raise
        except Exception as error:
            await _record(approval, "failed", {"error": type(error).__qualname__})
            raise
        await _record(approval, "succeeded")
        return {"result": value}

    return node


async def _once(action: Action, executor: Executor, idempotent: bool) -> Any:
    call, here = functools.partial(executor, **action.args), port.current.get()
    if here is None:
        value: Any = call()
        return await value if inspect.isawaitable(value) else value
    asked = digest("effect", action.name, action)
    return await effects.awaiting(effects.once(here, action.name, asked, effects.place(), call, idempotent))


def _action(state: GatedState) -> Action:
    action = state.get("action")
    if not action or "name" not in action:
        raise Misconfigured("the state has no `action` with a `name` that says what to do")
    return Action(action["name"], action.get("args") or {}, action.get("target"))


async def _record(approval: Mapping[str, Any], outcome: ResultOutcome, detail: Any = None) -> None:
    here = port.current.get()
    if here is not None and approval["hold_id"] is not None:
        await here.record_result(approval["hold_id"], outcome, detail)
