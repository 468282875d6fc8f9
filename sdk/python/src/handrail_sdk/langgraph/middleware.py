"""A LangChain agent's tool calls, each behind the policy: low ones run, the others wait for people."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage
from langchain_core.messages.tool import ToolCall
from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command

from handrail_sdk.canonical import digest
from handrail_sdk.holds import Action, ResultOutcome
from handrail_sdk.wording import title_of

from . import effects, port
from .answers import Answer
from .asking import ask_human
from .effects import Place, Steps
from .port import RunPort

Outcome = ToolMessage | Command[Any]
TaskOf = Callable[[ToolCall], Mapping[str, object] | None]


class PolicyMiddleware(AgentMiddleware[Any, Any, Any]):
    """Every tool call is an `approval` hold on exactly its name and arguments, before it runs.

    The policy approves low calls at once. A call that is not approved never runs, and the model is told why, or what a
    person responded instead. A call that a person amended runs as amended, and the model is told what ran instead.
    Parallel calls wait independently.

    A call is an effect: if a worker dies, what ran does not run again, and a person is asked about what may have run,
    unless the tool is named in `idempotent`, which declares that running it twice is harmless.

    `task` gives what the risk rules read of a call, such as `{"operation": "deploy", "environment": "staging"}`.
    In plain LangGraph every call is an interrupt, to be resumed with true, false or a decision in LangChain's format.
    Put it last in the list of middleware, so that what is approved is what runs.
    """

    def __init__(self, *, task: TaskOf | None = None, idempotent: Collection[str] = ()) -> None:
        super().__init__()
        self._task = task
        self._idempotent = frozenset(idempotent)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Outcome]) -> Outcome:
        answer = self._ask(request)
        here, wanted = port.current.get(), _as_decided(request, answer)
        if isinstance(wanted, ToolMessage):
            return wanted
        call = functools.partial(handler, wanted)
        result = call() if here is None else effects.blocking(self._once(here, wanted, answer, call), here)
        return _with_notice(request, wanted, result)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Outcome]]
    ) -> Outcome:
        answer = self._ask(request)
        here, wanted = port.current.get(), _as_decided(request, answer)
        if isinstance(wanted, ToolMessage):
            return wanted
        call = functools.partial(handler, wanted)
        result = await call() if here is None else await effects.awaiting(self._once(here, wanted, answer, call))
        return _with_notice(request, wanted, result)

    def _ask(self, request: ToolCallRequest) -> Answer:
        call = request.tool_call
        action = Action(call["name"], call["args"])
        return ask_human(
            "approval",
            title_of(action),
            action,
            task=self._task(call) if self._task else None,
            context={"tool_call_id": call["id"]},
            takes_response=True,
        )

    def _once(self, here: RunPort, request: ToolCallRequest, answer: Answer, call: Callable[[], Any]) -> Steps[Outcome]:
        """The call as an effect at its own place, with its end recorded on the hold."""
        name = request.tool_call["name"]
        at = Place(f"{get_config()['configurable']['checkpoint_ns']}:{request.tool_call['id']}", 0)  # pyright: ignore[reportTypedDictNotRequiredAccess] - a task always has one
        asked = digest("effect", name, answer.action)
        try:
            result = yield from effects.once(here, name, asked, at, call, name in self._idempotent)
        except GraphBubbleUp:
            raise
        except Exception as error:
            if answer.hold_id is not None:
                yield here.record_result(answer.hold_id, "failed", {"error": type(error).__qualname__})
            raise
        if answer.hold_id is not None:
            yield here.record_result(answer.hold_id, _ended(result), None)
        return (
            result
            if result is not None
            else _message(request, "It was executed, but its result is unknown.", "success")
        )


def _ended(result: Outcome | None) -> ResultOutcome:
    if result is None:
        return "unknown"
    return "failed" if isinstance(result, ToolMessage) and result.status == "error" else "succeeded"


def _as_decided(request: ToolCallRequest, answer: Answer) -> ToolCallRequest | ToolMessage:
    """The call to run; a message instead where it was refused, or amended to what this agent cannot run."""
    if not answer.approved:
        return _refused(request, answer)
    action, call = answer.action, request.tool_call
    assert action is not None, "an approval has one"
    if (action.name, action.args, action.target) == (call["name"], call["args"], None):
        return request
    if action.target is not None:
        return _message(request, "It was amended to have a target, which a tool call cannot have. It was not run.")
    amended = cast("ToolCall", {**call, "name": action.name, "args": action.args})
    if action.name == call["name"]:
        return request.override(tool_call=amended)
    tool = next((tool for tool in cast("Any", request).runtime.tools if tool.name == action.name), None)
    if tool is None:
        return _message(
            request, f"A person amended it to `{action.name}`, which this agent does not have. It was not run."
        )
    return request.override(tool_call=amended, tool=tool)


def _refused(request: ToolCallRequest, answer: Answer) -> ToolMessage:
    if answer.outcome == "answered":
        name = answer.by.name if answer.by else "A person"
        return _message(
            request, f"`{request.tool_call['name']}` was not run. {name} responded instead: {answer.answer}"
        )
    who = f" by {answer.by.name}" if answer.by else ""
    why = f": {answer.reason}" if answer.reason else ". Do not try it again unless you are asked to."
    return _message(request, f"`{request.tool_call['name']}` was not run. It was {answer.outcome}{who}{why}")


def _with_notice(request: ToolCallRequest, ran: ToolCallRequest, result: Outcome) -> Outcome:
    """The result, with a word on what ran where that is not what the model wrote."""
    if ran is request or not isinstance(result, ToolMessage):
        return result
    call = ran.tool_call
    notice = f"A person amended this call before it ran. What ran: {call['name']} with {call['args']}. Its result:"
    content: Any = result.content
    told = f"{notice}\n{content}" if isinstance(content, str) else [{"type": "text", "text": notice}, *content]
    return result.model_copy(update={"content": told})


def _message(request: ToolCallRequest, text: str, status: Any = "error") -> ToolMessage:
    call = request.tool_call
    return ToolMessage(text, name=call["name"], tool_call_id=call["id"], status=status)
