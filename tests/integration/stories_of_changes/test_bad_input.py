"""Repositories and models that are not as they should be: each ends clearly, and nothing is changed."""

from __future__ import annotations

import subprocess
from typing import Any

import change_scripts
import pytest
from change_scripts import INTENDED, PLAN, call
from change_world import ChangeWorld

from handrail.core.runs import Run, RunStatus


async def failed(world: ChangeWorld, shop: str, **more: Any) -> dict[str, Any]:
    run: Run = await world.work(await world.start("Round prices.", shop, **more))
    assert run.status is RunStatus.failed and run.error is not None, run.status
    return dict(run.error)


async def test_an_empty_repository(world: ChangeWorld) -> None:
    folder = world.folder / "empty"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder, check=True)  # noqa: ASYNC221 - a moment
    assert (await failed(world, str(folder)))["code"] == "repository_empty"


async def test_a_base_branch_that_is_not_there(world: ChangeWorld, shop: str) -> None:
    error = await failed(world, shop, base_branch="relase")
    assert error["code"] == "base_branch_missing" and "relase" in error["message"]


@pytest.mark.parametrize(
    "says",
    [{"say": ""}, {"say": '```json\n{"category": 7}\n```'}],
    ids=["nothing", "garbage"],
)
async def test_a_model_that_cannot_say_what_the_request_wants(
    world: ChangeWorld, shop: str, says: dict[str, Any]
) -> None:
    world.script(intent=[says] * 3)
    assert (await failed(world, shop))["code"] == "model_unusable"


async def test_a_planner_that_turns_in_circles(world: ChangeWorld, shop: str) -> None:
    world.script(intent=INTENDED, plan=[call("read", path="money.py")] * 10)
    assert (await failed(world, shop))["code"] == "no_progress"


async def test_a_repository_in_a_language_that_is_not_read_and_without_tests_says_so_in_its_plan(
    world: ChangeWorld,
) -> None:
    folder = world.folder / "cobol"
    change_scripts.repository(folder)
    for path in ("money.py", "test_money.py"):
        (folder / path).unlink()
    change_scripts.commit(str(folder), "MONEY.cbl", "       IDENTIFICATION DIVISION.\n")
    plan = {**PLAN, "tasks": [{"task": "Round", "files": ["MONEY.cbl"]}]}
    world.script(intent=INTENDED, plan=[call("submit_plan", **plan)])
    run = await world.work(await world.start("Round prices.", str(folder)))
    assert run.status is RunStatus.paused, run.error
    question = (await world.hold(run)).question
    assert question.action is not None and isinstance(question.action.args["commands"], dict)
    notes: Any = question.action.args["commands"]["notes"]
    assert any(note.startswith("No tests were found") for note in notes)
    evidence: Any = question.evidence
    assert evidence["impact"]["unread"] == ["MONEY.cbl"]
    [mapped] = [data for type_, data in await world.events(run) if type_ == "change.mapped"]
    assert mapped["total"] == 0


async def test_a_plan_on_paths_that_lead_out(world: ChangeWorld, shop: str) -> None:
    wrong = {**PLAN, "tasks": [{"task": "Round", "files": ["../money.py", "/etc/passwd", ".git/config"]}]}
    world.script(intent=INTENDED, plan=[call("submit_plan", **wrong)] * 6)
    run = await world.work(await world.start("Round prices.", shop))
    assert run.error is not None and run.error["code"] == "no_progress", "no person ever sees it"
