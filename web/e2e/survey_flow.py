"""A small workflow for the picture of a run: two branches side by side, a way back, and people."""

from __future__ import annotations

import operator
from typing import Annotated, Any

from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from handrail_sdk.langgraph import Action, ask_human

DRAFTS = 3


class Wish(TypedDict):
    topic: str


class State(Wish, total=False):
    notes: Annotated[list[str], operator.add]
    drafts: int
    sent: bool


async def news(state: State) -> dict[str, list[str]]:
    return {"notes": [f"news of {state['topic']}"]}


async def prices(state: State) -> dict[str, list[str]]:
    return {"notes": [f"prices of {state['topic']}"]}


async def write(state: State) -> dict[str, int]:
    return {"drafts": state.get("drafts", 0) + 1}


async def critique(state: State) -> dict[str, list[str]]:
    return {"notes": [f"draft {state.get('drafts')} was read"]}


async def ask(state: State) -> dict[str, bool]:
    answer = ask_human("confirmation", f"Send the survey of {state['topic']}", Action("send_newsletter", {}, "team"))
    return {"sent": answer.approved}


def after_critique(state: State) -> str:
    return "ask" if state.get("drafts", 0) >= DRAFTS else "write"


graph: Any = StateGraph(State, input_schema=Wish)
for node in (news, prices, write, critique, ask):
    graph.add_node(node)
graph.add_edge(START, "news")
graph.add_edge(START, "prices")
graph.add_edge(["news", "prices"], "write")
graph.add_edge("write", "critique")
graph.add_conditional_edges("critique", after_critique, ["write", "ask"])
graph.add_edge("ask", END)
