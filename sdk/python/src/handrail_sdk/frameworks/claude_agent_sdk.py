"""claude-agent-sdk: `query(prompt=…, options=gated(ClaudeAgentOptions(…), ToolGate("order-77")))`."""

from __future__ import annotations

import dataclasses
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, HookMatcher

from handrail_sdk.holds import Hold

from .gating import Allowed, Refused, ToolFailed, ToolGate, notice_of

# the longest that a call may wait for people; the SDK's own default is a minute
LONGEST_WAIT = 7 * 24 * 3600.0


def gated(options: ClaudeAgentOptions, gate: ToolGate, *, save_first: bool = False) -> ClaudeAgentOptions:
    """The same options, with hooks that send every tool call through the gate; a hook that fails blocks the call.

    Claude's own tools are named `claude.Bash`, as by `handrail hook`; those of MCP servers keep their names.

    With `save_first`, the session ends before it asks anybody, and its last message has the call as
    `deferred_tool_use`. Wait for `decided`, then resume with options that lack `save_first`: the call goes through the
    gate under the same id. Claude Code makes a deferred call again once, so wait before you resume and not in the hook.
    """
    running: dict[str, Allowed] = {}

    async def before(said: Any, call_id: str | None, _: Any) -> Any:
        if save_first:
            return _permission("defer")
        entered = await gate.enter(_action(said["tool_name"]), said["tool_input"], call_id)
        if isinstance(entered, Refused):
            return _permission("deny", permissionDecisionReason=entered.text)
        running[said["tool_use_id"]] = entered
        return _permission("allow", **({"updatedInput": entered.args} if entered.amended else {}))

    async def after(said: Any, call_id: str | None, _: Any) -> Any:
        allowed = running.pop(said["tool_use_id"], None)
        if allowed is None:
            return {}
        event = said["hook_event_name"]
        await gate.ended(allowed, ToolFailed() if event == "PostToolUseFailure" else None)
        notice = notice_of(allowed)
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": notice}} if notice else {}

    ours = {
        "PreToolUse": HookMatcher(hooks=[before], timeout=LONGEST_WAIT, on_failure="block"),
        "PostToolUse": HookMatcher(hooks=[after]),
        "PostToolUseFailure": HookMatcher(hooks=[after]),
    }
    hooks: Any = dict(options.hooks or {})
    for event, matcher in ours.items():
        hooks[event] = [*hooks.get(event, []), matcher]
    return dataclasses.replace(options, hooks=hooks)


async def decided(gate: ToolGate, name: str, args: dict[str, Any], call_id: str) -> Hold:
    """The hold of a deferred call, once it is decided."""
    return await gate.decided(_action(name), args, call_id)


def _action(tool: str) -> str:
    return tool if tool.startswith("mcp__") else f"claude.{tool}"


def _permission(decision: str, **more: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": decision, **more}}
