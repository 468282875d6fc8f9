"""pydantic-ai: `Agent(…, capabilities=[GatedTools(ToolGate("order-77"))])`."""

from __future__ import annotations

from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.capabilities.abstract import WrapToolExecuteHandler, WrapToolValidateHandler
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition
from pydantic_core import to_jsonable_python

from .gating import ToolGate


class GatedTools(AbstractCapability[Any]):
    """Every call of a function tool goes through the gate. Amended arguments are validated as the model's own are.

    With `save_first`, a call ends the run as deferred before it asks anybody, so that you can save the messages.
    Resumed with an approval of all calls, each then goes through the gate.
    """

    def __init__(self, gate: ToolGate, *, save_first: bool = False) -> None:
        self._gate, self._save_first = gate, save_first
        self._validators: dict[str, WrapToolValidateHandler] = {}

    async def wrap_tool_validate(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: Any,
        handler: WrapToolValidateHandler,
    ) -> dict[str, Any]:
        self._validators[call.tool_call_id] = handler
        return await handler(args)

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: WrapToolExecuteHandler,
    ) -> Any:
        if self._save_first and not ctx.tool_call_approved:
            raise ApprovalRequired
        shown = to_jsonable_python(args)

        async def execute(decided: dict[str, Any]) -> Any:
            return await handler(args if decided == shown else await self._validators[call.tool_call_id](decided))

        return await self._gate.run(call.tool_name, shown, execute, call.tool_call_id)
