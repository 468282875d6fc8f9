"""A chat model that follows a script instead of thinking: for demos, tests and machines without a model.

It behaves as a provider's model does: streams tokens and reasoning, calls tools, counts usage, takes its time, fails.
All that it says is marked as scripted.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel, generate_from_stream
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import BaseModel, ConfigDict, Field
from ruamel.yaml import YAML

NAME = "scripted"


class ScriptError(Exception):
    """As a provider's error: the script says that the model fails here, or has no more steps."""


class Call(BaseModel):
    """One call of a tool."""

    model_config = ConfigDict(extra="forbid")

    name: str
    args: dict[str, Any] = Field(default_factory=dict[str, Any])
    id: str | None = None


class Step(BaseModel):
    """What the model does when its turn comes: waits, thinks, says, calls tools; or fails."""

    model_config = ConfigDict(extra="forbid")

    delay: float = Field(default=0.0, ge=0)
    think: str = ""
    say: str = ""
    calls: list[Call] = Field(default_factory=list[Call])
    error: str | None = None


class ScriptedModel(BaseChatModel):
    """Plays the step whose number is the count of its earlier messages in the conversation.

    Nothing else decides, so a run that goes on in another process goes on with the right step. `pace` is the time
    between two tokens, in seconds. Of several `scripts` it plays the one whose name its instructions have in backticks.
    """

    steps: list[Step] = Field(default_factory=list[Step])
    scripts: dict[str, list[Step]] = Field(default_factory=dict[str, list[Step]])
    pace: float = Field(default=0.0, ge=0)

    @classmethod
    def from_file(cls, path: Path, **more: Any) -> Self:
        """A script in YAML or JSON: the list of steps. A folder has one for each name, as `name.yaml`."""
        reader: Any = YAML(typ="safe")
        if path.is_dir():
            return cls(scripts={file.stem: reader.load(file) for file in sorted(path.glob("*.yaml"))}, **more)
        return cls(steps=reader.load(path), **more)

    @property
    def _llm_type(self) -> str:
        return NAME

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": NAME, "steps": len(self.steps)}

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[Any, AIMessage]:
        """The script names the tools that it calls, whatever is offered."""
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return generate_from_stream(self._stream(messages))

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for seconds, chunk in self._played(messages):
            time.sleep(seconds)
            if run_manager:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for seconds, chunk in self._played(messages):
            await asyncio.sleep(seconds)
            if run_manager:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    def _played(self, messages: list[BaseMessage]) -> Iterator[tuple[float, ChatGenerationChunk]]:
        """The step's tokens, each with the time to wait before it."""
        turn = sum(isinstance(message, AIMessage) for message in messages)
        steps = self._script(messages)
        if turn >= len(steps):
            raise ScriptError(f"the script has {len(steps)} steps, and this is turn {turn + 1}: add a step")
        step = steps[turn]
        waits = step.delay
        for content in _tokens(step):
            yield waits, ChatGenerationChunk(message=AIMessageChunk(content=content))
            waits = self.pace
        if step.error is not None:
            raise ScriptError(step.error)
        yield waits, ChatGenerationChunk(message=_last(step, turn, _words(messages)))

    def _script(self, messages: list[BaseMessage]) -> list[Step]:
        instructions = messages[0].text if messages else ""
        return next((steps for name, steps in self.scripts.items() if f"`{name}`" in instructions), self.steps)


def _tokens(step: Step) -> Iterator[str | list[str | dict[str, Any]]]:
    """Words with the space after them. Where there is reasoning, both it and the text are blocks of their own."""
    for word in _split(step.think):
        yield [{"type": "reasoning", "reasoning": word, "index": 0}]
    for word in _split(step.say):
        yield [{"type": "text", "text": word, "index": 1}] if step.think else word


def _last(step: Step, turn: int, tokens_in: int) -> AIMessageChunk:
    tokens_out = len(_split(step.think)) + len(_split(step.say)) + len(step.calls)
    return AIMessageChunk(
        content=[] if step.think else "",
        tool_call_chunks=[
            tool_call_chunk(name=call.name, args=json.dumps(call.args), id=call.id or f"call-{turn}-{n}", index=n)
            for n, call in enumerate(step.calls)
        ],
        usage_metadata={
            "input_tokens": tokens_in,
            "output_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
        },
        response_metadata={"model_name": NAME, "model_provider": NAME, "scripted": True},
        chunk_position="last",
    )


def _split(text: str) -> list[str]:
    return re.findall(r"\S+\s*|\s+", text)


def _words(messages: list[BaseMessage]) -> int:
    return sum(len(_split(message.text)) for message in messages)
