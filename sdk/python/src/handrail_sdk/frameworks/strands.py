"""strands-agents: `Agent(…, interventions=[GatedTools(ToolGate("order-77"))])`."""

from __future__ import annotations

from typing import Any

from strands.hooks.events import AfterToolCallEvent, BeforeToolCallEvent
from strands.interventions import Deny, InterventionHandler, Proceed, Transform
from strands.interventions.handler import OnError

from .gating import Allowed, Refused, ToolFailed, ToolGate, notice_of


class GatedTools(InterventionHandler):
    """Every tool call goes through the gate. Put it last, so that what is approved is what runs.

    With `save_first`, a call interrupts the agent before it asks anybody, so that its session manager saves it; resumed
    with an answer to each interrupt, each call then goes through the gate.
    """

    def __init__(self, gate: ToolGate, *, save_first: bool = False) -> None:
        self._gate, self._save_first = gate, save_first
        self._running: dict[str, Allowed] = {}

    @property
    def name(self) -> str:
        return "handrail"

    @property
    def on_error(self) -> OnError:
        return "deny"

    async def before_tool_call(self, event: BeforeToolCallEvent, **kwargs: Any) -> Proceed | Deny | Transform:
        call = event.tool_use
        if self._save_first:
            event.interrupt("handrail", reason=f"`{call['name']}` waits for people")
        entered = await self._gate.enter(call["name"], call["input"], call["toolUseId"])
        if isinstance(entered, Refused):
            return Deny(reason=entered.text)
        self._running[call["toolUseId"]] = entered

        def amend(event: Any) -> None:
            event.tool_use = {**call, "input": entered.args}

        return Transform(apply=amend) if entered.amended else Proceed()

    async def after_tool_call(self, event: AfterToolCallEvent, **kwargs: Any) -> Proceed | Transform:
        allowed = self._running.pop(event.tool_use["toolUseId"], None)
        if allowed is None:
            return Proceed()
        failed = event.exception or (ToolFailed() if event.result["status"] == "error" else None)
        await self._gate.ended(allowed, failed)
        notice = notice_of(allowed)

        def tell(event: Any) -> None:
            event.result = {**event.result, "content": [{"text": notice}, *event.result["content"]]}

        return Transform(apply=tell) if notice else Proceed()
