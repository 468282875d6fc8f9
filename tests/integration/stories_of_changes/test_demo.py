"""The demo's change, from its sentence to its branch."""

from __future__ import annotations

import subprocess
from pathlib import Path

from change_world import ChangeWorld

from handrail.changes.kinds import DEMO, DEMO_REQUEST
from handrail.core.runs import RunStatus


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


async def test_a_sentence_becomes_a_branch_that_people_approved(world: ChangeWorld) -> None:
    run = await world.work(await world.start(DEMO_REQUEST, "lamp-shop", DEMO))
    assert run.status is RunStatus.paused, run.error
    hold = await world.hold(run)
    assert hold.question.action is not None
    assert hold.question.action.name == "change.plan"
    await world.decide(run)
    run = await world.work(run)
    assert run.status is RunStatus.paused, run.error
    hold = await world.hold(run)
    assert hold.question.action is not None
    assert hold.question.action.name == "change.publish"
    await world.decide(run)
    run = await world.work(run)
    assert run.status is RunStatus.completed, run.error
    shop = world.folder / "data" / "changes" / "demo" / "lamp-shop"
    assert isinstance(run.result, dict)
    branch = str(run.result["branch"])
    assert "return round(price * 100)" in git(shop, "show", f"{branch}:shop/money.py")
    assert git(shop, "status", "--porcelain") == ""
