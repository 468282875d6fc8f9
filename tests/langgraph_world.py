"""What tests of `handrail_sdk.langgraph` share: graphs of one node, and a run's port, in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypedDict
from uuid import uuid4

from langchain import agents
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Interrupt

from handrail.models.scripted import ScriptedModel
from handrail_sdk.holds import Action, ResultOutcome
from handrail_sdk.langgraph.port import Done, MayHaveHappened, Reservation, ReservedEffect

BEGUN = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


class State(TypedDict, total=False):
    given: Any
    out: Any


def graph_of(node: Callable[[State], Any]) -> Any:
    builder: Any = StateGraph(State)
    builder.add_node("node", node)
    builder.add_edge(START, "node")
    builder.add_edge("node", END)
    return builder.compile(checkpointer=InMemorySaver())


def agent_of(*steps: dict[str, Any], tools: list[Any], middleware: Any, **more: Any) -> Any:
    """A LangChain agent whose model follows the steps."""
    model = ScriptedModel.model_validate({"steps": steps})
    make: Any = agents.create_agent  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - LangChain's type has an open parameter
    return make(model, tools, middleware=middleware, checkpointer=InMemorySaver(), **more)


class Thread:
    """One run of a graph in plain LangGraph."""

    def __init__(self, graph: Any) -> None:
        self._graph = graph
        self._config: RunnableConfig = {"configurable": {"thread_id": str(uuid4())}}

    async def start(self, given: Any = None) -> list[Interrupt[Any]]:
        return await self.begin({"given": given})

    async def begin(self, state: Any) -> list[Interrupt[Any]]:
        return await self._go(state)

    async def say(self, text: str) -> list[Interrupt[Any]]:
        """To an agent."""
        return await self._go({"messages": [HumanMessage(text)]})

    async def resume(self, *values: Any) -> list[Interrupt[Any]]:
        """Answers what is pending, in order."""
        pending = await self.pending()
        return await self._go(Command(resume={q.id: value for q, value in zip(pending, values, strict=True)}))

    async def again(self) -> list[Interrupt[Any]]:
        """Runs what is unfinished from its start, as after a crash."""
        return await self._go(None)

    async def pending(self) -> list[Interrupt[Any]]:
        return list((await self._graph.aget_state(self._config)).interrupts)

    async def values(self) -> Any:
        return (await self._graph.aget_state(self._config)).values

    async def out(self) -> Any:
        return (await self.values())["out"]

    async def _go(self, value: Any) -> list[Interrupt[Any]]:
        await self._graph.ainvoke(value, self._config, durability="sync")
        return await self.pending()


class Row:
    def __init__(self, name: str, digest: str) -> None:
        self.name, self.digest = name, digest
        self.result: Any = None


class MemoryPort:
    """A run's port whose table of effects is a dict: it outlives the executions of the graph, as the database does."""

    def __init__(self) -> None:
        self.run_id = str(uuid4())
        self.loop = asyncio.get_running_loop()
        self.rows: dict[tuple[str, int], Row] = {}
        self.recorded: list[tuple[str, str, Any]] = []

    async def reserve(self, name: str, digest: str, *, task: str, call: int) -> Reservation:
        key = f"{task}:{call}"
        row = self.rows.get((task, call))
        if row is None:
            self.rows[task, call] = Row(name, digest)
            return ReservedEffect(key)
        if row.result is not None and row.digest == digest:
            return Done(row.result)
        return MayHaveHappened(key, row.name, BEGUN)

    async def complete(self, task: str, call: int, result: Any) -> None:
        self.rows[task, call].result = result

    async def release(self, task: str, call: int) -> None:
        del self.rows[task, call]

    async def record_result(self, hold_id: str, outcome: ResultOutcome, detail: Any) -> None:
        self.recorded.append((hold_id, outcome, detail))

    async def assess(self, action: Action, task: dict[str, Any] | None, *, default: str = "medium") -> dict[str, Any]:
        return {"risk": "high", "rules": [], "auto_approve": False}


def envelope(question: Any, outcome: str = "approved", **fields: Any) -> dict[str, Any]:
    """What Handrail resumes a question of `ask_human` with."""
    from handrail_sdk.canonical import digest

    action = question["action"]
    asked = digest(
        question["kind"],
        question["title"],
        action and Action(action["name"], action["args"], action["target"]),
        schema=question["schema"],
        evidence=question["evidence"],
    )
    base = {"answer": None, "reason": None, "by": {"id": "p-1", "name": "Ann"}, "hold_id": "h-1"}
    return {"handrail": 1, "digest": asked, "outcome": outcome, "action": action, **base, **fields}
