"""A stage's conversation with its model: one turn at a time, with tool calls or with fenced text in their place."""
# LangChain is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from handrail.changes.editing import fenced
from handrail.changes.editing.errors import BadArguments
from handrail.engine import conversation
from handrail.engine.failures import Failed
from handrail.models.chat import Part, change_model
from handrail.settings import Settings

MOST_TURNS = {"plan": 60, "edit": 200, "summary": 40}
# the same calls with the same answers, one turn after the other
MOST_REPEATS = 3


class Call(NamedTuple):
    """`id` is none where the model wrote the call as text."""

    name: str
    args: Mapping[str, Any]
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Voice:
    """The model of a part, and how much it takes at once."""

    part: Part
    model: BaseChatModel
    context: int

    @classmethod
    def of(cls, settings: Settings, part: Part) -> Voice:
        model = change_model(settings, part)
        return cls(part, model, conversation.context_of(model, settings))

    async def turn(self, prompt: str, messages: Sequence[AnyMessage], tools: Sequence[dict[str, Any]]) -> AIMessage:
        """What the model says next. `Failed` where it had its turns, or says the same again and again."""
        if conversation.steps(messages) >= MOST_TURNS[self.part]:
            raise Failed("step_limit", f"the model did not finish within {MOST_TURNS[self.part]} turns")
        if repeats(messages) >= MOST_REPEATS:
            raise Failed("no_progress", f"the model made the same calls {MOST_REPEATS + 1} times, with the same result")
        fitting = conversation.fitting(prompt, messages, self.context)
        return await conversation.spoken(self.model, self.part, self._offered(tools), fitting)

    def _offered(self, tools: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        """None to a model that has no tool calls: it writes them as fenced text."""
        if type(self.model).bind_tools is BaseChatModel.bind_tools:
            return ()
        return [{"type": "function", "function": tool} for tool in tools]


def calls_of(said: AIMessage) -> list[Call]:
    """The calls in a message. Raises BadArguments for fenced text that cannot be read."""
    if said.tool_calls:
        return [Call(call["name"], call["args"], call["id"]) for call in said.tool_calls]
    return [Call(call.name, call.arguments) for call in fenced.calls(said.text)]


def calls_or_faults(said: AIMessage) -> tuple[list[Call], list[AnyMessage]]:
    """The calls in a message, or what the model is told of one that has none that can be made."""
    told = conversation.replies(said)
    try:
        return calls_of(said), told
    except BadArguments as error:
        return [], [HumanMessage(error.message)]


def replies(answers: Sequence[tuple[Call, str]]) -> list[AnyMessage]:
    """The answers to calls: one message each, or one for all that were written as text."""
    told: list[AnyMessage] = [
        ToolMessage(text, name=call.name, tool_call_id=call.id) for call, text in answers if call.id is not None
    ]
    written = [f"{call.name}:\n{text}" for call, text in answers if call.id is None]
    return [*told, HumanMessage("\n\n".join(written))] if written else told


def repeats(messages: Sequence[AnyMessage]) -> int:
    """How often in a row the model has done what it did the turn before, and was told the same."""
    turns = _turns(messages)
    count = 0
    while count + 1 < len(turns) and turns[-1 - count] == turns[-2 - count]:
        count += 1
    return count


def _turns(messages: Sequence[AnyMessage]) -> list[tuple[Any, ...]]:
    """Each turn of the model with what it was told then."""
    turns: list[list[Any]] = []
    for message in messages:
        if isinstance(message, AIMessage):
            calls = [(call["name"], repr(sorted(call["args"].items()))) for call in message.tool_calls]
            turns.append([message.text, tuple(calls)])
        elif turns:
            turns[-1].append(message.text)
    return [tuple(turn) for turn in turns]
