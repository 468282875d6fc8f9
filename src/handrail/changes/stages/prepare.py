"""The repository's dependencies: fetched once, after people allowed it, and read-only from then on."""

from __future__ import annotations

import asyncio
from typing import Any

from handrail import sandbox
from handrail.changes.environments.detecting import Detection
from handrail.changes.environments.layers import Layer
from handrail.changes.environments.preparing import ACTION, Workshop
from handrail.changes.events import ChangePrepared
from handrail.changes.stages.survey import surveyed
from handrail.changes.state import State
from handrail.changes.workbench import Workbench
from handrail.settings import Settings
from handrail_sdk.holds import Action
from handrail_sdk.langgraph import ask_human
from handrail_sdk.langgraph.refusals import Refused


def workshop(bench: Workbench) -> Workshop:
    settings = bench.settings
    return Workshop(
        boxed(settings),
        bench.folder("layers"),
        packages=settings.dependencies_folder,
        private_hosts=frozenset(settings.git_private_hosts),
    )


def boxed(settings: Settings) -> sandbox.Sandbox:
    """Where code of the repository runs."""
    return sandbox.choose(settings.sandbox_image if settings.use_docker_for_tests else None)


async def look(state: State) -> dict[str, Any]:
    """What would have to be fetched first, each as people are shown it."""
    bench = Workbench.here()
    async with bench.tree(state) as tree:
        found, _ = await asyncio.to_thread(surveyed, await tree.base_checkout())
    shop = workshop(bench)
    return {"unprepared": [shop.describe(each)["arguments"] for each in found.environments if not shop.find(each)]}


async def prepare(state: State) -> dict[str, Any]:
    bench = Workbench.here()
    wanted = state.get("unprepared", [])
    managers = ", ".join(dict.fromkeys(each["manager"] for each in wanted))
    action = Action(ACTION, {"repository": state["repo_url"], "environments": wanted}, state["repo_url"])
    answer = ask_human("approval", f"Fetch dependencies with {managers}", action, description=state["request"])
    if not answer.approved or answer.action is None:
        raise Refused(answer)
    approved = {each["hash"] for each in answer.action.args["environments"]}
    async with bench.tree(state) as tree:
        found, _ = await asyncio.to_thread(surveyed, await tree.base_checkout())
        shop = workshop(bench)
        for each in found.environments:
            described = shop.describe(each)["arguments"]
            if described["hash"] in approved:
                await shop.prepare(each, described["hash"])
                bench.say(ChangePrepared(environment=described, fetched=True))
    return {"unprepared": []}


def layers(bench: Workbench, found: Detection) -> tuple[Layer, ...]:
    """What was prepared for the tree where that was found."""
    shop = workshop(bench)
    return tuple(layer for each in found.environments if (layer := shop.find(each)))
