"""One question, and the moment at which the code after it runs (Linux has one monotonic clock for all processes)."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import time
from typing import TypedDict

from langgraph.graph import START, StateGraph
from langgraph.types import interrupt


class State(TypedDict, total=False):
    answer: str
    at: int


def ask(state: State) -> State:
    return {"answer": interrupt("Go on?"), "at": time.monotonic_ns() // 1000}


graph = StateGraph(State)
graph.add_node("ask", ask)
graph.add_edge(START, "ask")
