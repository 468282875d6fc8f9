"""openai-agents: `Agent(…, tools=gated([refund, search], ToolGate("order-77")))`."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import Any

from agents import FunctionTool
from agents.tool_context import ToolContext

from .gating import ToolGate


def gated(tools: Iterable[FunctionTool], gate: ToolGate, *, save_first: bool = False) -> list[FunctionTool]:
    """The same tools, each call of which goes through the gate.

    With `save_first`, a call interrupts the run before it asks anybody, so that you can save `result.to_state()`.
    Resumed with an approval of all calls, each then goes through the gate.
    """
    return [_gated(tool, gate, save_first) for tool in tools]


def _gated(tool: FunctionTool, gate: ToolGate, save_first: bool) -> FunctionTool:
    async def invoke(context: ToolContext[Any], text: str) -> Any:
        args = json.loads(text or "{}")
        return await gate.run(
            tool.name,
            args,
            lambda decided: tool.on_invoke_tool(context, text if decided == args else json.dumps(decided)),
            context.tool_call_id,
        )

    return dataclasses.replace(tool, on_invoke_tool=invoke, needs_approval=save_first or tool.needs_approval)
