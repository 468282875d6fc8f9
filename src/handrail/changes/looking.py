"""Tools that only look: files, text, and the questions that the graph of the code answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from langchain_core.messages import AnyMessage

from handrail.changes import conversing
from handrail.changes.conversing import Call
from handrail.changes.editing.toolbox import LOOKS, Answer, schemas
from handrail.changes.prompts import quoted

LONGEST_ANSWER = 30_000


class Tools(Protocol):
    def call(self, name: str, given: Mapping[str, Any]) -> Answer: ...


class Looking:
    """`questions` are those about the graph: by name, with their schema."""

    def __init__(
        self,
        tools: Tools,
        questions: Mapping[str, Callable[[Mapping[str, Any]], str]],
        described: Sequence[dict[str, Any]],
    ) -> None:
        self._tools = tools
        self._questions = questions
        self._described = described

    def described(self) -> list[dict[str, Any]]:
        return [schema for schema in schemas() if schema["name"] in LOOKS] + [*self._described]

    async def answered(self, calls: Sequence[Call]) -> list[AnyMessage]:
        """What the model is told of these calls."""
        return conversing.replies([(call, await self.answer(call)) for call in calls])

    async def answer(self, call: Call) -> str:
        return await asyncio.to_thread(self._answer, call)

    def _answer(self, call: Call) -> str:
        if call.name in self._questions:
            return _shown(call.name, self._questions[call.name](call.args))
        if call.name in LOOKS:
            return _shown(call.name, self._tools.call(call.name, call.args).text)
        known = ", ".join((*LOOKS, *self._questions))
        return f"There is no tool {call.name!r} in this stage. There are: {known}."


def _shown(name: str, text: str) -> str:
    if len(text) > LONGEST_ANSWER:
        text = f"{text[:LONGEST_ANSWER]}\n[shortened: ask for less]"
    return quoted(name, text)
