"""The base branch moves while people think: the change moves along, and they are asked again only about what is new."""

from __future__ import annotations

import subprocess
from typing import Any

import change_scripts
import pytest
from change_scripts import FINISHED, INTENDED, MONEY, PLANNED, ROUNDED, TESTS, call
from change_world import ChangeWorld

from handrail.core.runs import Run, RunStatus
from handrail.store import holds

FAILING = """import unittest


class OtherTest(unittest.TestCase):
    def test_other(self):
        self.fail("of the base")
"""


async def approved(world: ChangeWorld, shop: str) -> tuple[Run, dict[str, Any]]:
    """A run whose result waits for people, and what they are asked to publish."""
    world.script(intent=INTENDED, plan=PLANNED, edit=[call("apply_patch", patch=ROUNDED), FINISHED])
    run = await world.work(await world.start("Round prices.", shop))
    await world.decide(run)
    run = await world.work(run)
    return run, await publishing(world, run)


async def publishing(world: ChangeWorld, run: Run) -> dict[str, Any]:
    assert run.status is RunStatus.paused, run.error
    hold = await world.hold(run)
    assert hold.question.action is not None and hold.question.action.name == "change.publish"
    return {**hold.question.action.args, "evidence": hold.question.evidence}


async def moved(world: ChangeWorld, run: Run, shop: str, path: str, text: str) -> Run:
    """The base moves, then people approve what they were shown."""
    change_scripts.commit(shop, path, text)
    await world.decide(run)
    return await world.work(run)


def git(shop: str, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=shop, check=True, capture_output=True, text=True).stdout.strip()


async def test_the_same_diff_with_the_same_results_is_published_under_the_approval_that_people_gave(
    world: ChangeWorld, shop: str
) -> None:
    run, before = await approved(world, shop)
    hold = await world.hold(run)
    run = await moved(world, run, shop, "other.py", "X = 1\n")
    assert run.status is RunStatus.completed, run.error
    assert isinstance(run.result, dict) and run.result["commit"] not in before["commits"]
    assert git(shop, "rev-parse", f"{run.result['commit']}^") == git(shop, "rev-parse", "main")
    events = await world.events(run)
    [kept] = [data for type_, data in events if type_ == "change.approval_kept"]
    said = (str(hold.id), before["base_commit"], run.result["commit"])
    assert (kept["hold_id"], kept["from"], kept["commit"]) == said
    assert [data["tree"] for type_, data in events if type_ == "change.checked"].count("head") == 2, "checked again"
    async with world.context.database.connection() as conn:
        found = await holds.get(conn, hold.id)
    assert found is not None and found.result is not None
    assert isinstance(found.result.detail, dict)
    assert found.result.detail["base_moved"]["base_commit"] == kept["to"]  # type: ignore[index,call-overload]


@pytest.mark.soak
async def test_a_line_beside_the_change_is_another_diff_and_is_asked_about_again(world: ChangeWorld, shop: str) -> None:
    run, before = await approved(world, shop)
    run = await moved(world, run, shop, "money.py", f"X = 1\n\n\n{MONEY}")
    after = await publishing(world, run)
    assert after["diff_sha256"] != before["diff_sha256"]
    assert after["evidence"]["changed since it was approved"] == ["the diff", "the commits"]
    await world.decide(run)
    run = await world.work(run)
    assert run.status is RunStatus.completed, run.error


@pytest.mark.soak
async def test_other_results_upon_the_new_base_are_asked_about_again(world: ChangeWorld, shop: str) -> None:
    """What fails there is not the change's fault, but people approved one that left nothing failing."""
    run, before = await approved(world, shop)
    run = await moved(world, run, shop, "test_other.py", FAILING)
    after = await publishing(world, run)
    assert after["diff_sha256"] == before["diff_sha256"]
    assert after["evidence"]["changed since it was approved"] == ["the results"]


@pytest.mark.soak
async def test_a_change_that_breaks_upon_the_new_base_goes_back_to_the_editor(
    world: ChangeWorld, shop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDRAIL_AGENT_MAX_RETRIES", "0")
    run, _ = await approved(world, shop)
    first = await world.hold(run)
    run = await moved(
        world, run, shop, "test_other.py", TESTS.replace("200)", "200)\n        self.assertEqual(cents(0.999), 99)")
    )
    assert (await world.hold(run)).question.title == "The change does not pass"
    why = "The base branch has moved, and the change does not pass upon it. People are asked again once it does."
    assert await world.came_of(first) == ("failed", why)


async def test_more_that_depends_on_it_is_asked_about_again_where_the_policy_says_otherwise(
    world: ChangeWorld, shop: str
) -> None:
    """The same diff may reach far more in another base: who must approve it is counted there."""
    untested = TESTS.replace("from money import cents", "cents = round").replace("2.0), 200", "2.0), 2")
    change_scripts.commit(shop, "test_money.py", untested)
    run, before = await approved(world, shop)
    first = await world.hold(run)
    for number in range(20):
        route = f"from flask import Flask\nimport money\n\napp = Flask('x')\n\n\n@app.get('/{number}')\n"
        change_scripts.write(shop, f"user{number}.py", f"{route}def price():\n    return money.cents(1.0)\n")
    run = await moved(world, run, shop, "last.py", "X = 1\n")
    after = await publishing(world, run)
    assert after["facts"]["fan_in"] > before["facts"]["fan_in"] and after["diff_sha256"] == before["diff_sha256"]
    assert after["evidence"]["changed since it was approved"] == ["what the policy says of it"]
    why = "The base branch has moved, and with it what the policy says of it. People are asked again."
    assert await world.came_of(first) == ("failed", why)


@pytest.mark.soak
async def test_a_base_that_has_it_all_already_is_a_clear_end(world: ChangeWorld, shop: str) -> None:
    run, _ = await approved(world, shop)
    run = await moved(world, run, shop, "money.py", MONEY.replace("int(", "round("))
    assert run.error is not None and run.error["code"] == "nothing_to_publish"


@pytest.mark.soak
async def test_a_base_branch_that_is_deleted_is_a_clear_end(world: ChangeWorld, shop: str) -> None:
    run, _ = await approved(world, shop)
    git(shop, "checkout", "-q", "-b", "elsewhere")
    git(shop, "branch", "-qD", "main")
    await world.decide(run)
    run = await world.work(run)
    assert run.error is not None and run.error["code"] == "base_branch_missing"


async def test_a_base_that_moves_into_a_conflict_is_a_clear_end(world: ChangeWorld, shop: str) -> None:
    run, _ = await approved(world, shop)
    hold = await world.hold(run)
    run = await moved(world, run, shop, "money.py", MONEY.replace("int(", "abs("))
    assert run.error is not None and run.error["code"] == "base_conflict"
    assert "money.py" in str(run.error["message"])
    assert await world.came_of(hold) == ("failed", "base_conflict")
