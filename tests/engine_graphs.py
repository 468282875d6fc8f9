"""Graphs that tests of the engine run."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import asyncio
import operator
from typing import Annotated, Any, TypedDict

from langchain.agents import create_agent
from langchain_core.tools import tool
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send, interrupt

from handrail.models.scripted import Call, ScriptedModel, Step
from handrail_sdk import Action
from handrail_sdk.langgraph import aeffect, ask_human, effect_key


class Walk(TypedDict, total=False):
    steps: Annotated[list[str], operator.add]
    fail: bool


def _stepping(*names: str) -> StateGraph[Walk]:
    graph = StateGraph(Walk)
    before = START
    for name in names:
        graph.add_node(name, _step(name))
        graph.add_edge(before, name)
        before = name
    graph.add_edge(before, END)
    return graph


def _step(name: str) -> Any:
    def step(state: Walk) -> Walk:
        return {"steps": [name]}

    return step


walk = _stepping("left", "right")


def _ask(name: str, *questions: str) -> Any:
    def ask(state: Walk) -> Walk:
        return {"steps": [f"{name}: {question} {interrupt(question)}" for question in questions]}

    return ask


def asking() -> StateGraph[Walk]:
    """Asks twice in one node, then goes on."""
    graph = StateGraph(Walk)
    graph.add_node("ask", _ask("ask", "staging?", "production?"))
    graph.add_node("act", _step("act"))
    graph.add_edge(START, "ask")
    graph.add_edge("ask", "act")
    graph.add_edge("act", END)
    return graph


async def parallel() -> Any:
    """Two nodes that ask side by side, and one beside them that does not."""
    graph = StateGraph(Walk)
    for name in ("a", "b"):
        graph.add_node(name, _ask(name, f"{name}?"))
        graph.add_edge(START, name)
        graph.add_edge(name, "join")
    graph.add_node("c", _step("c"))
    graph.add_edge(START, "c")
    graph.add_edge("c", "join")
    graph.add_node("join", _step("join"))
    return graph.compile()


def nested() -> StateGraph[Walk]:
    """A graph within a graph asks."""
    graph = StateGraph(Walk)
    graph.add_node("inner", asking().compile())
    graph.add_node("after", _step("after"))
    graph.add_edge(START, "inner")
    graph.add_edge("inner", "after")
    return graph


def _fall(state: Walk) -> Walk:
    if state.get("fail"):
        raise ValueError("there is no bridge; password://user:secret@host")
    return {"steps": ["fell"]}


def falling() -> StateGraph[Walk]:
    graph = StateGraph(Walk)
    graph.add_node("first", _step("first"))
    graph.add_node("fall", _fall)
    graph.add_edge(START, "first")
    graph.add_edge("first", "fall")
    return graph


def circling() -> StateGraph[Walk]:
    """Never ends."""
    graph = StateGraph(Walk)
    graph.add_node("round", _step("round"))
    graph.add_edge(START, "round")
    graph.add_edge("round", "round")
    return graph


class Unkept:
    def __reduce__(self) -> Any:
        raise TypeError("an Unkept stays where it is")


def unkept() -> StateGraph[Walk]:
    """Returns what no checkpoint can hold."""
    graph = StateGraph(Walk)

    def make(state: Walk) -> Any:
        return {"steps": [Unkept()]}

    graph.add_node("make", make)
    graph.add_edge(START, "make")
    return graph


_answers: list[str] = []


def stumbling() -> StateGraph[Walk]:
    """Asks, fails once after the first answer, and asks a second question when it is tried again."""
    graph = StateGraph(Walk)

    def ask(state: Walk) -> Walk:
        first = interrupt("staging?")
        _answers.append(first)
        if len(_answers) == 1:
            raise RuntimeError("stumbled")
        return {"steps": [first, interrupt("production?")]}

    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    return graph


def sending() -> StateGraph[Walk]:
    """Fans out over as many questions as there are."""
    graph = StateGraph(Walk)

    def fan(state: Walk) -> list[Send]:
        return [Send("each", {"steps": [str(n)]}) for n in range(3)]

    def each(state: Walk) -> Walk:
        name = state.get("steps", [""])[0]
        return {"steps": [f"{name}={interrupt(name)}"]}

    graph.add_node("each", each)
    graph.add_conditional_edges(START, fan, ["each"])
    return graph


departures: list[str] = []


def parting() -> StateGraph[Walk]:
    """Two nodes ask, and one of them fails once it is answered, as long as it may not depart."""
    graph = StateGraph(Walk)

    def go(state: Walk) -> Walk:
        interrupt("go?")
        if not departures:
            raise ValueError("gone")
        departures.pop()
        return {"steps": ["went"]}

    graph.add_node("stay", _ask("stay", "stay?"))
    graph.add_node("go", go)
    graph.add_edge(START, "stay")
    graph.add_edge(START, "go")
    return graph


_amounts = iter(range(1, 10))


def wavering() -> StateGraph[Walk]:
    """Asks something else each time that it runs, beside one that does not."""
    graph = StateGraph(Walk)

    def waver(state: Walk) -> Walk:
        return {"steps": [interrupt(f"the amount is {next(_amounts)}?")]}

    graph.add_node("settle", _ask("settle", "settle?"))
    graph.add_node("waver", waver)
    graph.add_edge(START, "settle")
    graph.add_edge(START, "waver")
    return graph


def talking() -> Any:
    """A model thinks, calls a tool and answers."""

    @tool
    def weather(city: str) -> str:
        """The weather."""
        return f"rain in {city}"

    steps = [
        Step(think="Let me look. ", say="One moment", calls=[Call(name="weather", args={"city": "Oslo"}, id="c1")]),
        Step(say="It rains in Oslo."),
    ]
    return create_agent(ScriptedModel(steps=steps), [weather])


def spending() -> StateGraph[Walk]:
    """A node that asks a model again and again."""
    graph = StateGraph(Walk)

    def spend(state: Walk) -> Walk:
        ScriptedModel(steps=[Step(say="one two three four")]).invoke("go on")
        return {"steps": ["spent"]}

    graph.add_node("spend", spend)
    graph.add_edge(START, "spend")
    graph.add_edge("spend", "spend")
    return graph


class Killed(BaseException):
    """As if the process ended here."""


done: list[tuple[str, str | None]] = []
deaths: list[str] = []


def _deliver(parcel: str) -> str:
    done.append((parcel, effect_key()))
    if deaths and deaths.pop() == "after":
        raise Killed
    return f"delivered {parcel}"


def acting() -> StateGraph[Walk]:
    """Two calls to the world outside, the second of which may be made twice."""
    graph = StateGraph(Walk)

    async def act(state: Walk) -> Walk:
        first = await aeffect("deliver", _deliver, "the letter")
        second = await aeffect("ring", _deliver, "the bell", idempotent=True)
        return {"steps": [str(first), str(second)]}

    graph.add_node("act", act)
    graph.add_edge(START, "act")
    return graph


def halting() -> Any:
    """Stops before its second node and after its third, as it was compiled to."""
    return _stepping("one", "two", "three", "four").compile(interrupt_before=["two"], interrupt_after=["three"])


def signing() -> StateGraph[Walk]:
    """Asks for a password, and says what it was."""
    graph = StateGraph(Walk)

    def sign(state: Walk) -> Walk:
        answer = ask_human("input", "The password?", schema={"type": "string", "format": "password"})
        return {"steps": [f"it is {answer.answer}"]}

    graph.add_node("sign", sign)
    graph.add_edge(START, "sign")
    return graph


def gating() -> StateGraph[Walk]:
    """Asks whether it may deploy to staging, and then does."""
    graph = StateGraph(Walk)

    def gate(state: Walk) -> Walk:
        answer = ask_human("approval", "Deploy to staging?", Action("deploy", {"version": "1.2"}, "staging"))
        return {"steps": [f"approved: {answer.approved}"]}

    graph.add_node("gate", gate)
    graph.add_edge(START, "gate")
    return graph


def musing() -> StateGraph[Walk]:
    """A model speaks, and then the same node asks: it will speak again when the answer is there."""
    graph = StateGraph(Walk)

    def muse(state: Walk) -> Walk:
        said = ScriptedModel(steps=[Step(say="I wonder")]).invoke("go on")
        return {"steps": [said.text, interrupt("What for?")]}

    graph.add_node("muse", muse)
    graph.add_edge(START, "muse")
    return graph


class Gate:
    """A node that waits here says that it is there, and goes on when it is let through."""

    def __init__(self) -> None:
        self._here = asyncio.Queue[str]()
        self._through = asyncio.Queue[None]()

    async def wait(self, name: str) -> None:
        self._here.put_nowait(name)
        await self._through.get()

    async def arrived(self) -> str:
        return await self._here.get()

    def open(self) -> None:
        self._through.put_nowait(None)


gate = Gate()


def _slow(name: str) -> Any:
    async def slow(state: Walk) -> Walk:
        await gate.wait(name)
        return {"steps": [name]}

    return slow


def gated() -> StateGraph[Walk]:
    """Slow nodes that ask nobody."""
    graph = StateGraph(Walk)
    graph.add_node("first", _slow("first"))
    graph.add_node("second", _slow("second"))
    graph.add_edge(START, "first")
    graph.add_edge("first", "second")
    return graph


def gated_inside() -> StateGraph[Walk]:
    graph = StateGraph(Walk)
    graph.add_node("inner", gated().compile())
    graph.add_edge(START, "inner")
    return graph


def gated_effect() -> StateGraph[Walk]:
    """One slow node that calls the world outside when it is let through."""
    graph = StateGraph(Walk)

    async def act(state: Walk) -> Walk:
        await gate.wait("act")
        return {"steps": [str(await aeffect("deliver", _deliver, "the letter"))]}

    graph.add_node("act", act)
    graph.add_edge(START, "act")
    return graph
