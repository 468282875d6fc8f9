"""A workflow that asks people for a password, and tells everybody about it as far as it can."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import hashlib
import operator
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph

from handrail_sdk.langgraph import ask_human, effect

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"user": {"type": "string"}, "login": {"$ref": "#/$defs/login"}},
    "required": ["user", "login"],
    "$defs": {"login": {"type": "object", "properties": {"key": {"type": "string", "format": "password"}}}},
}


class State(TypedDict, total=False):
    steps: Annotated[list[str], operator.add]
    fails: bool


def ask(state: State) -> State:
    answer: Any = ask_human("input", "How do I sign in?", schema=SCHEMA).answer
    key = answer["login"]["key"]
    effect("sign in", len, key)
    return {"steps": [answer["user"], hashlib.sha256(key.encode()).hexdigest(), f'signed in with {{"key": "{key}"}}']}


def confirm(state: State) -> State:
    """Asks again, so that the run goes on in another claim."""
    ask_human("input", "Is that all?")
    return {"steps": [f"again: {state.get('steps', [''])[-1]}"]}


def close(state: State) -> State:
    if state.get("fails"):
        raise ValueError(f"I could not {state.get('steps')}")
    return {"steps": ["closed"]}


def login() -> StateGraph[State]:
    graph = StateGraph(State)
    for before, node in ((START, ask), ("ask", confirm), ("confirm", close)):
        graph.add_node(node.__name__, node)
        graph.add_edge(before, node.__name__)
    graph.add_edge("close", END)
    return graph
