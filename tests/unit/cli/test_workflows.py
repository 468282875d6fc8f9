"""A workflow as a page: its input as a table, its graph as steps."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from handrail.cli.workflows import fields, steps


class State(TypedDict):
    a: int


async def nothing(_state: State) -> None:
    return


def choose(_state: State) -> str:
    return "go"


def test_the_steps_are_those_of_the_graph() -> None:
    """As LangGraph itself draws it: plain edges, choices, and choices with words."""
    builder: Any = StateGraph(State)
    for name in ("plan", "act", "finish"):
        builder.add_node(name, nothing)
    builder.add_edge(START, "plan")
    builder.add_conditional_edges("plan", choose, {"go": "act", "stop": "finish"})
    builder.add_edge("act", "plan")
    builder.add_edge("finish", END)
    found = steps(builder.compile().get_graph().draw_mermaid())
    assert {node: set(following) for node, following in found.items()} == {
        "start": {"plan"},
        "plan": {"act", "finish"},
        "act": {"plan"},
        "finish": {"end"},
    }
    assert steps("") == {}


@pytest.mark.parametrize(
    ("about", "type_"),
    [
        ({"type": "string"}, "string"),
        ({"enum": ["json", "mermaid"]}, "json or mermaid"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer or null"),
        ({"type": "array", "items": {"type": "string"}}, "list of string"),
        ({"$ref": "#/$defs/Level"}, "low or high"),
        ({}, "any"),
    ],
)
def test_a_type_in_words(about: dict[str, Any], type_: str) -> None:
    schema = {"properties": {"x": about}, "required": ["x"], "$defs": {"Level": {"enum": ["low", "high"]}}}
    assert fields(schema) == [("x", type_, "required", "")]
