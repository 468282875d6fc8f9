"""Microsoft Agent Framework: `Agent(…, middleware=[GatedTools(ToolGate("order-77"))])`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from agent_framework import Content, FunctionInvocationContext, FunctionMiddleware

from .gating import Refused, ToolGate, notice_of


class GatedTools(FunctionMiddleware):
    """Every function call goes through the gate. Put it last, so that what is approved is what runs."""

    def __init__(self, gate: ToolGate) -> None:
        self._gate = gate

    async def process(self, context: FunctionInvocationContext, call_next: Callable[[], Awaitable[None]]) -> None:
        said = context.arguments
        args = dict(said) if isinstance(said, Mapping) else said.model_dump(mode="json")
        entered = await self._gate.enter(context.function.name, args, context.metadata.get("call_id"))
        if isinstance(entered, Refused):
            context.result = entered.text
            return
        try:
            if entered.amended:
                context.result = await self._amended(context, entered.args)
            else:
                await call_next()
        except Exception as error:
            await self._gate.ended(entered, error)
            raise
        await self._gate.ended(entered)
        notice = notice_of(entered)
        if notice:
            context.result = [Content.from_text(notice), *_contents(context.result)]

    async def _amended(self, context: FunctionInvocationContext, args: dict[str, Any]) -> list[Content]:
        # in a context of its own: the framework refuses arguments that differ from those that it saw approved itself
        own = FunctionInvocationContext(context.function, args, session=context.session, kwargs=context.kwargs)
        return await context.function.invoke(arguments=args, context=own)


def _contents(result: Any) -> list[Content]:
    parts = cast("list[Any]", result) if isinstance(result, list) else [result]
    return [one if isinstance(one, Content) else Content.from_text(f"{one}") for one in parts]
