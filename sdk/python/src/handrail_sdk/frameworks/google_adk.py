"""google-adk: `Runner(…, plugins=[GatedTools(ToolGate("order-77"))])`."""

from __future__ import annotations

from typing import Any

from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext

from .gating import Allowed, Refused, ToolGate, notice_of


class GatedTools(BasePlugin):
    """Every tool call of every agent of the runner goes through the gate. Put it last among the plugins.

    With `save_first`, a call asks for ADK's own confirmation before it asks anybody, so that the session service saves
    it; confirmed, each call then goes through the gate.
    """

    def __init__(self, gate: ToolGate, *, save_first: bool = False) -> None:
        super().__init__("handrail")
        self._gate, self._save_first = gate, save_first
        self._running: dict[str, Allowed] = {}

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        if self._save_first and not tool_context.tool_confirmation:
            tool_context.request_confirmation(hint=f"`{tool.name}` waits for people")
            return {"error": f"`{tool.name}` has not run yet. It waits for people."}
        call_id = tool_context.function_call_id or ""
        entered = await self._gate.enter(tool.name, tool_args, call_id)
        if isinstance(entered, Refused):
            return {"error": entered.text}
        self._running[call_id] = entered
        tool_args.clear()
        tool_args.update(entered.args)
        return None

    async def after_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, result: Any
    ) -> dict[str, Any] | None:
        allowed = self._running.pop(tool_context.function_call_id or "", None)
        if allowed is None:
            return None
        await self._gate.ended(allowed)
        notice = notice_of(allowed)
        return {"notice": notice, "result": result} if notice else None

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, error: Exception
    ) -> dict[str, Any] | None:
        allowed = self._running.pop(tool_context.function_call_id or "", None)
        if allowed is not None:
            await self._gate.ended(allowed, error)
        return None
