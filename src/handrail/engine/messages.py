"""Hears what models and tools of a graph say, and tells it: text as it comes, messages, calls, what they used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal, NamedTuple, cast
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, GenerationChunk, LLMResult
from langgraph.errors import GraphBubbleUp

from handrail.core.run_events import MessageCompleted, RunToolCalled, RunToolReturned
from handrail.core.runs import Usage
from handrail.engine.failures import Failed
from handrail.engine.plain import plain, shown
from handrail.engine.scribe import Scribe

MILLION = 1_000_000
# dollars, or whatever the currency is, for a million tokens in and out
Prices = Mapping[str, tuple[Decimal, Decimal]]


class _Call(NamedTuple):
    """Of a tool."""

    name: str | None
    id: str | None


class Hearing(BaseCallbackHandler):
    """Of one claimed run. Called on the loop, or on the thread of a node that is not async."""

    raise_error = True
    run_inline = True

    def __init__(self, scribe: Scribe, prices: Prices, spent: Decimal, most: Decimal | None) -> None:
        super().__init__()
        self._scribe = scribe
        self._prices = prices
        self._spent = spent
        self._most = most
        self._at: dict[UUID, Mapping[str, Any]] = {}
        self._tools: dict[UUID, _Call] = {}

    @property
    def ignore_chain(self) -> bool:
        """Nodes are told of by the stream."""
        return True

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self.check_spent()
        self._at[run_id] = metadata or {}

    def on_llm_new_token(
        self,
        token: str | list[str | dict[str, Any]],
        *,
        chunk: GenerationChunk | ChatGenerationChunk | None = None,
        run_id: UUID,
        **kwargs: Any,
    ) -> None:
        if isinstance(chunk, ChatGenerationChunk) and isinstance(chunk.message, AIMessageChunk):
            for kind, text in _pieces(chunk.message):
                self._scribe.stream(run_id.hex, kind, text)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        at = self._at.pop(run_id, {})
        generation = response.generations[0][0] if response.generations and response.generations[0] else None
        if isinstance(generation, ChatGeneration) and isinstance(generation.message, AIMessage):
            message = generation.message
            said = _completed(message, at.get("langgraph_node"), run_id.hex, self._scribe.attempt)
            self._scribe.complete(_task(at), said)
            self._use(message, str(at.get("ls_model_name") or message.response_metadata.get("model_name") or ""))

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        self._at.pop(run_id, None)
        self._scribe.discard(run_id.hex)

    def on_tool_start(
        self,
        serialized: dict[str, Any],
        input_str: str,
        *,
        run_id: UUID,
        inputs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        name, call_id = str(serialized.get("name")), kwargs.get("tool_call_id")
        self._tools[run_id] = _Call(name, call_id)
        args, truncated = shown(inputs if inputs is not None else input_str)
        self._scribe.say(RunToolCalled(name=name, call_id=call_id, args=args, truncated=truncated))

    def on_tool_end(self, output: Any, *, run_id: UUID, **kwargs: Any) -> None:
        content = cast("Any", output).content if isinstance(output, ToolMessage) else output
        self._returned(run_id, content)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        # one that asks a person has not failed: it runs again
        if isinstance(error, GraphBubbleUp):
            self._tools.pop(run_id, None)
        else:
            self._returned(run_id, f"{type(error).__name__}: {error}", failed=True)

    def _returned(self, run_id: UUID, content: Any, *, failed: Literal[True] | None = None) -> None:
        call = self._tools.pop(run_id, _Call(None, None))
        part, truncated = shown(content)
        said = RunToolReturned(name=call.name, call_id=call.id, content=part, truncated=truncated, failed=failed)
        self._scribe.say(said)

    def check_spent(self) -> None:
        """Before the next call to a model."""
        if self._most is not None and self._spent > self._most:
            raise Failed(
                "budget_exceeded", f"the run spent {self._spent:f} of its {self._most:f}: start it with a larger budget"
            )

    def _use(self, message: AIMessage, model: str) -> None:
        used = message.usage_metadata
        if used is None:
            return
        tokens_in, tokens_out = used["input_tokens"], used["output_tokens"]
        cost = cost_of(self._prices, model, tokens_in, tokens_out)
        self._spent += cost
        self._scribe.use(Usage(tokens_in=tokens_in, tokens_out=tokens_out, cost=cost))


def cost_of(prices: Prices, model: str, tokens_in: int, tokens_out: int) -> Decimal:
    """By the longest name that the model's begins with; nothing where there is none."""
    named = max((name for name in prices if model.startswith(name)), key=len, default=None)
    if named is None:
        return Decimal(0)
    price_in, price_out = prices[named]
    return (price_in * tokens_in + price_out * tokens_out) / MILLION


def _task(at: Mapping[str, Any]) -> str:
    """The id of the task that a model was called in: the last of its namespace."""
    return str(at.get("langgraph_checkpoint_ns", "")).rpartition("|")[2].rpartition(":")[2]


def _pieces(chunk: AIMessageChunk) -> list[tuple[str, str]]:
    """Kinds of text, in order: what it says, and what it thinks."""
    found: list[tuple[str, str]] = []
    for block in cast("list[dict[str, Any]]", chunk.content_blocks):
        if block.get("type") == "text":
            found.append(("answer", str(block.get("text") or "")))
        elif block.get("type") == "reasoning":
            found.append(("reasoning", str(block.get("reasoning") or "")))
    return [(kind, text) for kind, text in found if text]


def _completed(message: AIMessage, node: object, message_id: str, attempt: int) -> MessageCompleted:
    blocks = cast("list[dict[str, Any]]", message.content_blocks)
    thought = "".join(str(block.get("reasoning") or "") for block in blocks if block.get("type") == "reasoning")
    calls = [{"name": c["name"], "args": plain(c["args"]), "call_id": c["id"]} for c in message.tool_calls]
    return MessageCompleted(
        message_id=message_id,
        attempt=attempt,
        role="ai",
        node=str(node) if node else None,
        content=str(plain(message.text)),
        reasoning=str(plain(thought)) if thought else None,
        tool_calls=tuple(json.loads(json.dumps(calls))) or None,
    )
