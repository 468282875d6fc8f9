"""Built-in workflows: each example is an input that its graph takes."""

from __future__ import annotations

import pytest

from handrail.engine import inputs, registry
from handrail.engine.built_in import BUILT_IN, Source
from handrail.engine.registry import Workflow


@pytest.mark.parametrize("source", [source for source in BUILT_IN if source.example], ids=lambda source: source.name)
async def test_an_example_fits_its_workflow(source: Source) -> None:
    workflow = await registry.load(source)
    assert isinstance(workflow, Workflow), workflow
    inputs.check(workflow.published().input_schema, source.example)
    assert workflow.published().example == source.example
