"""Built-in workflows: each example is an input that its graph takes, and what is said of an input before is kept."""

from __future__ import annotations

from typing import Any

import pytest

from handrail import settings
from handrail.cli.kinds import built_in
from handrail.engine import inputs, registry
from handrail.engine.kinds import Kind
from handrail.engine.registry import Workflow
from handrail.engine.schemas import schema_of

KINDS = built_in(settings.load())


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.example], ids=lambda kind: kind.name)
async def test_an_example_fits_its_workflow(kind: Kind) -> None:
    workflow = await registry.load(kind, settings.load())
    assert isinstance(workflow, Workflow), workflow
    inputs.check(workflow.published().input_schema, kind.example)
    assert workflow.published().example == kind.example


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.input], ids=lambda kind: kind.name)
async def test_a_graph_takes_the_input_that_its_description_names(kind: Kind) -> None:
    workflow = await registry.load(kind, settings.load())
    assert isinstance(workflow, Workflow) and kind.input is not None, workflow
    said: Any = schema_of(kind.input)
    found: Any = workflow.published().input_schema
    assert (said["properties"].keys(), said.get("required")) == (found["properties"].keys(), found.get("required"))
