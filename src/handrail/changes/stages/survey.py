"""What is there before anything is planned: the modules that have to do with it, and how the repository is tested."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from handrail.changes import workbench
from handrail.changes.environments import deciding, instructions
from handrail.changes.environments.detecting import Detection
from handrail.changes.environments.errors import BadInstructions
from handrail.changes.environments.sources import Sources
from handrail.changes.events import ChangeMapped, ChangeWeighed
from handrail.changes.planning.plan import Plan
from handrail.changes.running.choosing import Choice, choose
from handrail.changes.state import State
from handrail.changes.workbench import Workbench
from handrail.engine.failures import Failed

MOST_MODULES = 50


async def survey(state: State) -> dict[str, Any]:
    """Modules that the request is about, and the commands that would test a change."""
    bench = Workbench.begin("pkg_query")
    async with bench.tree(state) as tree:
        index = await bench.index(tree)
        graph = index.graph
        found = [node for name in state.get("intent", {})["names"] for node in graph.find(name)]
        modules = list(dict.fromkeys(module for node in found if (module := graph.module_of(node))))
        bench.say(
            ChangeMapped(modules=tuple(modules[:MOST_MODULES]), total=len(graph.modules), skipped=len(index.skipped))
        )
        detection, choice = await asyncio.to_thread(_commands, await tree.base_checkout())
    found, needed = choice.as_data(), detection.as_data()
    return {"commands": {**found, **needed, "notes": [*found["notes"], *needed["notes"]]}}


def surveyed(folder: Path) -> tuple[Detection, Choice]:
    """How a tree is set up and tested. Raises BadInstructions."""
    sources = Sources(folder)
    said = instructions.read(sources)
    return deciding.decide(sources, said), choose(sources, said)


def _commands(folder: Path) -> tuple[Detection, Choice]:
    try:
        return surveyed(folder)
    except BadInstructions as error:
        raise Failed(error.code, error.message) from error


async def weigh(state: State) -> dict[str, Any]:
    """What the plan reaches: for people as a list and a diagram, for the policy as numbers."""
    bench = Workbench.begin("impact_analysis")
    async with bench.tree(state) as tree:
        impact = await workbench.weighed(tree, await bench.index(tree), Plan.model_validate(state.get("plan")))
    bench.say(ChangeWeighed(impact=impact))
    return {"impact": impact}
