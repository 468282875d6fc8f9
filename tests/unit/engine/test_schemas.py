"""What a graph is started with has a JSON schema, whichever way its state is written."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, Required, TypedDict

import pytest
import typing_extensions
from langgraph.graph import START, StateGraph
from pydantic import BaseModel

from handrail.core.errors import InputMismatch
from handrail.engine import inputs
from handrail.engine.graphs import input_schema


class Place(TypedDict):
    name: str


class Plain(TypedDict):
    steps: Annotated[list[str], operator.add]
    places: list[Place]
    by_name: dict[str, Place | None]
    home: Place


class Chosen(TypedDict, total=False):
    version: Required[str]
    steps: Annotated[list[str], operator.add]


class Marked(TypedDict):
    version: str
    note: NotRequired[str]


class Extended(typing_extensions.TypedDict):
    steps: list[str]


class Folder(TypedDict, total=False):
    name: str
    inner: Folder


class Model(BaseModel):
    version: str


@dataclass
class Data:
    version: str
    note: str = ""


class Unknown:
    pass


class Opaque(TypedDict):
    it: Unknown


def schema_of(state: Any, given: Any = None) -> Any:
    graph = StateGraph(state, input_schema=given)

    def step(state: Any) -> Any:
        return {}

    graph.add_node("step", step)
    graph.add_edge(START, "step")
    return input_schema(graph.compile())


@pytest.mark.parametrize(
    ("state", "fits", "does_not"),
    [
        (Plain, {"places": [{"name": "Oslo"}]}, {"places": [{"name": 1}]}),
        (Plain, {"by_name": {"a": None}, "home": {"name": "Oslo"}}, {"home": {}}),
        (Plain, {"steps": ["one"]}, {"steps": "one"}),
        (Chosen, {"version": "1"}, {"steps": []}),
        (Marked, {"version": "1"}, {"note": "new"}),
        (Extended, {}, {"steps": [1]}),
        (Folder, {"name": "a", "inner": {"inner": {}}}, {"name": 1}),
        (Model, {"version": "1"}, {}),
        (Data, {"version": "1"}, {"version": 1}),
    ],
)
def test_an_input_is_checked(state: Any, fits: Any, does_not: Any) -> None:
    schema = schema_of(state)
    inputs.check(schema, fits)
    with pytest.raises(InputMismatch):
        inputs.check(schema, does_not)


def test_an_input_schema_of_its_own_wants_all_that_it_names() -> None:
    schema = schema_of(Plain, Place)
    inputs.check(schema, {"name": "Oslo"})
    with pytest.raises(InputMismatch, match="required"):
        inputs.check(schema, {})


def test_a_state_of_arbitrary_types_has_none() -> None:
    assert schema_of(Opaque) is None
