"""The messages between a run and its model: what of them the model gets, what it says, and what is wrong with that."""
# LangChain is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.utils import count_tokens_approximately, trim_messages

from handrail import logs
from handrail.engine.failures import Failed
from handrail.settings import Settings

# of a model of which nobody says how much it takes
CONTEXT_TOKENS = 32_000
# of the context, for what goes in; the rest is for what comes out, and for counting by the length of words
SHARE = 0.75
NOTHING_SAID = "You said nothing and called no tool. Answer, or call a tool."
REFUSALS = frozenset({"content_filter", "refusal", "safety"})


def fitting(prompt: str, messages: Sequence[AnyMessage], context_tokens: int) -> list[BaseMessage]:
    """The prompt, the request, and as much of the end of the rest as fits: no result of a tool without its call."""
    head: list[BaseMessage] = [SystemMessage(prompt), *messages[:1]]
    left = int(context_tokens * SHARE) - count_tokens_approximately(head)
    rest = list(messages[1:])
    kept = trim_messages(
        rest, max_tokens=max(left, 0), token_counter=count_tokens_approximately, strategy="last", start_on="ai"
    )
    if left < 0 or (rest and not kept):
        raise Failed(
            "context_exceeded",
            f"the instructions, the request and the last step do not fit in {context_tokens} tokens: "
            "choose a model with a larger context, or set HANDRAIL_MODEL_CONTEXT to what it really takes",
        )
    return [*head, *kept]


def context_of(model: BaseChatModel, settings: Settings) -> int:
    """How many tokens the model takes at once."""
    known = (model.profile or {}).get("max_input_tokens")
    return settings.model_context or known or CONTEXT_TOKENS


async def spoken(
    model: BaseChatModel, name: str, tools: Sequence[dict[str, Any]], messages: Sequence[BaseMessage]
) -> AIMessage:
    """The model's turn. `Failed` where it gives no answer, or refuses to."""
    try:
        speaker = model.bind_tools(tools) if tools else model
        said = await speaker.ainvoke(list(messages))
    except Failed:
        raise
    except Exception as error:  # each provider raises its own
        reason = logs.SECRET_TEXT.sub(logs.HIDDEN, f"{type(error).__name__}: {error}".splitlines()[0])
        raise Failed("model_failed", f"the model {name!r} gave no answer: {reason}") from error
    assert isinstance(said, AIMessage)
    check_refusal(said)
    return with_ids(said)


def replies(said: AIMessage) -> list[AnyMessage]:
    """What the model is told at once of a message that is neither an answer nor calls that can be made."""
    broken: list[AnyMessage] = [
        ToolMessage(
            f"The call was not made: its arguments are not JSON. {call['error'] or ''}".strip(),
            name=call["name"] or "unknown",
            tool_call_id=call["id"] or "unknown",
            status="error",
        )
        for call in said.invalid_tool_calls
    ]
    if not broken and not said.tool_calls and not said.text.strip():
        return [HumanMessage(NOTHING_SAID)]
    return broken


def check_refusal(said: AIMessage) -> None:
    """Providers have words of their own for a model that does not want to, or is not allowed to."""
    reason = said.response_metadata.get("finish_reason") or said.response_metadata.get("stop_reason")
    words = said.additional_kwargs.get("refusal")
    if words or str(reason).lower() in REFUSALS:
        raise Failed("model_refused", f"the model refused to continue: {words or said.text or reason}")


def with_ids(said: AIMessage) -> AIMessage:
    """Some servers give calls no id, and everything that follows goes by it."""
    calls = [{**call, "id": call["id"] or f"call-{uuid4().hex[:12]}"} for call in said.tool_calls]
    return said.model_copy(update={"tool_calls": calls})


def steps(messages: Sequence[AnyMessage]) -> int:
    """How often the model has had its turn."""
    return sum(isinstance(message, AIMessage) for message in messages)
