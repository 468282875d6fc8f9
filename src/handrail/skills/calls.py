"""Calls of tools: which tools a skill has, and how one call is made once the policy or people allow it."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import ToolMessage
from langchain_core.messages.tool import ToolCall
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, ToolException
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.errors import GraphInterrupt
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolInvocationError

from handrail.core import canonical
from handrail.core.errors import Braked, Rejected
from handrail.core.run_events import RunToolReturned
from handrail.skills import servers
from handrail.skills.execution import Execution
from handrail.skills.tools import OWN, Tools, allowed, shown_as, wants_servers
from handrail_sdk.langgraph import Action
from handrail_sdk.langgraph.middleware import PolicyMiddleware

IN_DOUBT = "A worker stopped in the middle of this call. It may have happened; its result is not known."


@dataclass(frozen=True, slots=True)
class Toolbox:
    """By the name that the model knows a tool by: few providers take one with dots. `away` are MCP servers."""

    tools: Mapping[str, BaseTool]
    away: Sequence[str] = ()

    def described(self) -> list[dict[str, Any]]:
        """As providers take them."""
        found = [(name, convert_to_openai_tool(tool)) for name, tool in self.tools.items()]
        return [{**about, "function": {**about["function"], "name": name}} for name, about in found]


async def toolbox(execution: Execution, missing: Sequence[str] = ()) -> Toolbox:
    """The tools that the skill may use, ours and those of servers. `missing` is what nobody could say before."""
    manifest = execution.manifest
    asked = execution.settings.mcp_servers if wants_servers(manifest) else None
    offers = await servers.offered(asked)
    known = [*Tools(execution, missing).all(), *offers.tools]
    return Toolbox({shown_as(tool.name): tool for tool in known if allowed(manifest, tool.name)}, offers.away)


async def make(execution: Execution, box: Toolbox, written: ToolCall, config: RunnableConfig) -> ToolMessage:
    """What came of a call: a result, or why it was not made. Waits for people where the policy wants it."""
    tool = box.tools.get(written["name"])
    if tool is None:
        return _refused(
            execution, written, f"There is no tool {written['name']!r}. Available tools: {', '.join(box.tools)}."
        )
    call: ToolCall = {**written, "name": tool.name}
    reason = await _reason_against(execution, call)
    if reason:
        return _refused(execution, call, reason)
    policy = PolicyMiddleware(idempotent=OWN)
    node = ToolNode([*box.tools.values()], handle_tool_errors=_error_text, awrap_tool_call=policy.awrap_tool_call)
    try:
        made = await node.ainvoke([{**call, "type": "tool_call"}], config)
    except GraphInterrupt as asked:
        # the policy's own question is answered at once by what allowed the call; any other would be for a person
        if not execution.asks and asked.args[0][0].value["kind"] == "input":
            return _refused(execution, call, IN_DOUBT)
        raise
    [message] = made["messages"]
    return message


async def _reason_against(execution: Execution, call: ToolCall) -> str | None:
    """Why the call is not even tried. Where nobody is waited for, what the policy wants people for is not."""
    try:
        canonical.check(call["args"], "args")
    except Rejected as error:
        return f"The call was not made: {error.message}"
    if execution.asks:
        return None
    found = await execution.here.assess(Action(call["name"], call["args"]), None)
    if found["auto_approve"]:
        return None
    why = "; ".join(rule["reason"] for rule in found["rules"])
    return (
        f"`{call['name']}` was not run: its risk is {found['risk']} ({why}), so people would have to approve it, but "
        "this run does not wait for anyone. Take another approach."
    )


def _error_text(error: Exception) -> str:
    """What the model is told, where it can do better; anything else ends the run."""
    match error:
        case Braked():
            # the call is made when the brake is lifted
            raise error
        case ToolInvocationError():
            return error.message
        case Rejected() | ToolException():
            return str(error)
        case _:
            raise error


def _refused(execution: Execution, call: ToolCall, text: str) -> ToolMessage:
    execution.here.say(RunToolReturned(name=call["name"], call_id=call["id"], content=text, failed=True))
    return ToolMessage(text, name=call["name"], tool_call_id=call["id"], status="error")
