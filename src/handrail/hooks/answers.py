"""The answer to a hook in the words of its agent. Each agent has its own, and each reads a wrong one as a yes."""

from __future__ import annotations

from typing import NamedTuple, assert_never

from handrail.core.canonical import JsonObject
from handrail.hooks.calls import Agent, ToolCall


class Allowed(NamedTuple):
    """It may run now, once; with these arguments instead, if people amended them."""

    hold: str
    args: JsonObject | None = None


class Denied(NamedTuple):
    """It must not run; the reason is for the model."""

    reason: str


class Waiting(NamedTuple):
    """Nobody has decided yet."""

    hold: str


Outcome = Allowed | Denied | Waiting


def told(call: ToolCall, outcome: Outcome, *, defer: bool = False) -> JsonObject:
    """What the hook must print. With `defer`, a Claude Code that runs without a person ends its turn instead."""
    match outcome:
        case Allowed():
            args = outcome.args
            if args is not None and not _can_amend(call, args):
                return _deny(call.agent, _UNMERGEABLE.format(outcome.hold))
            return _allow(call.agent, outcome)
        case Denied():
            return _deny(call.agent, outcome.reason)
        case Waiting():
            if defer and call.agent == "claude-code":
                return _specific(permissionDecision="defer")
            if call.agent == "mcp":
                return {"decision": "pending", "hold": outcome.hold}
            return _deny(call.agent, _PENDING.format(outcome.hold))
        case _:
            assert_never(outcome)


NOTHING: JsonObject = {}
"""The answer after a call, and Codex's yes: it takes a bare "allow" for a broken hook, and runs the tool."""

_PENDING = (
    "Still pending: nobody has decided hold {} yet. The call did not run. Do not try another way; "
    "say that it waits for a decision, and make the same call again later."
)
_UNMERGEABLE = "Hold {} was amended by leaving out an argument, which Gemini cannot do. The call did not run."


def _can_amend(call: ToolCall, args: JsonObject) -> bool:
    """Gemini merges amended arguments into its own, so one that people left out would stay."""
    return call.agent != "gemini" or call.args.keys() <= args.keys()


def _allow(agent: Agent, allowed: Allowed) -> JsonObject:
    args = allowed.args
    changed = {} if args is None else {"updatedInput": args}
    match agent:
        case "claude-code":
            return _specific(permissionDecision="allow", **changed)
        case "codex":
            return _specific(permissionDecision="allow", **changed) if changed else NOTHING
        case "gemini":
            if args is None:
                return {"decision": "allow"}
            return {"decision": "allow", "hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": args}}
        case "mcp":
            return {"decision": "allow", "hold": allowed.hold, **({} if args is None else {"args": args})}
        case _:
            assert_never(agent)


def _deny(agent: Agent, reason: str) -> JsonObject:
    if agent in ("gemini", "mcp"):
        return {"decision": "deny", "reason": reason}
    return _specific(permissionDecision="deny", permissionDecisionReason=reason)


def _specific(**said: str | JsonObject) -> JsonObject:
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **said}}
