"""deepagents, and any LangChain agent: `create_deep_agent(…, middleware=[GatedTools(ToolGate("order-77"))])`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage

from .gating import Refused, ToolFailed, ToolGate, notice_of


class GatedTools(AgentMiddleware[Any, Any, Any]):
    """Every tool call goes through the gate. Put it last in the list of middleware, so that what is approved runs."""

    def __init__(self, gate: ToolGate) -> None:
        super().__init__()
        self._gate = gate

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        call = request.tool_call
        entered = await self._gate.enter(call["name"], call["args"], call["id"])
        if isinstance(entered, Refused):
            return ToolMessage(entered.text, name=call["name"], tool_call_id=call["id"], status="error")
        try:
            result = await handler(request.override(tool_call={**call, "args": entered.args}))
        except Exception as error:
            await self._gate.ended(entered, error)
            raise
        failed = isinstance(result, ToolMessage) and result.status == "error"
        await self._gate.ended(entered, ToolFailed() if failed else None)
        notice = notice_of(entered)
        if notice and isinstance(result, ToolMessage):
            return result.model_copy(update={"content": f"{notice}\n{result.text}"})
        return result

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        async def run(decided: ToolCallRequest) -> Any:
            return await asyncio.to_thread(handler, decided)

        # a graph that runs without an event loop runs its tools in threads, which have none either
        return asyncio.run(self.awrap_tool_call(request, run))
