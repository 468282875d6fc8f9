"""Changes that do not go straight: asked back, rejected, larger than their plan, and stopped at the gates."""

from __future__ import annotations

import asyncio
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import change_scripts
import pytest
from benches import python_layer
from change_scripts import FINISHED, INTENDED, INTENT, MONEY, PLAN, PLANNED, ROUNDED, TESTS, call
from change_world import ChangeWorld

from handrail import settings
from handrail.changes import patches, tidying
from handrail.changes.stages.survey import surveyed
from handrail.core.errors import Forbidden
from handrail.core.holds import Verdict
from handrail.core.runs import Run, RunStatus


def checked_out(shop: str) -> str:
    return Path(shop, "money.py").read_text()


def action(name: str, hold: Any) -> dict[str, Any]:
    assert hold.question.action is not None and hold.question.action.name == name
    return dict(hold.question.action.args)


async def planned(world: ChangeWorld, shop: str, **scripts: Any) -> Run:
    """A run whose plan waits for people."""
    world.script(**{"intent": INTENDED, "plan": PLANNED, **scripts})
    run = await world.work(await world.start("Round prices.", shop))
    assert run.status is RunStatus.paused, run.error
    return run


def types(events: list[tuple[str, Any]], type_: str) -> list[Any]:
    return [data for each, data in events if each == type_]


async def amended(world: ChangeWorld, run: Run, leave_out: list[dict[str, Any]]) -> None:
    """People approve the result without these parts."""
    hold = await world.hold(run)
    assert hold.question.action is not None
    wanted = replace(hold.question.action, args={**hold.question.action.args, "leave_out": leave_out})
    hold = await world.decide(run, Verdict.amend, amended_action=wanted)
    if hold.pending:
        await world.decide(run, who="tom")


async def test_a_request_that_can_mean_two_things_is_asked_back_with_what_the_code_suggests(
    world: ChangeWorld, shop: str
) -> None:
    """S2.3."""
    unclear = [{"question": "Which amounts?", "about": "cents", "choices": ["all prices"]}]
    # a conversation of its own each time it is read, so the script says the same twice: the answer must be in it
    world.script(intent=[call("submit_intent", **{**INTENT, "unclear": unclear})], plan=PLANNED)
    run = await world.work(await world.start("Round it.", shop))
    hold = await world.hold(run)
    choices = hold.question.schema["properties"]["answer_1"]["enum"]  # type: ignore[index,call-overload]
    assert choices == ["all prices", "money.py::cents", "something else"]
    world.script(intent=INTENDED)
    await world.decide(run, Verdict.answer, answer={"answer_1": "all prices"})
    run = await world.work(run)
    assert action("change.plan", await world.hold(run))["plan"]["title"] == "round prices"


async def test_one_person_can_work_alone_up_to_what_is_published(world: ChangeWorld, shop: str) -> None:
    run = await planned(world, shop, edit=[call("apply_patch", patch=ROUNDED), FINISHED])
    await world.decide(run, who="sam", role="developer")
    run = await world.work(run)
    action("change.publish", await world.hold(run))
    kept = await patches.diff_of(world.context, run.id)
    assert kept is not None and [(file["path"], file["added"]) for file in kept["files"]] == [("money.py", 1)]
    patch = await patches.patch_of(world.context, run.id)
    await asyncio.to_thread(subprocess.run, ["git", "apply", "-"], cwd=shop, input=patch, check=True)
    assert "round(price * 100)" in checked_out(shop)
    with pytest.raises(Forbidden):
        await world.decide(run, who="sam", role="developer")


async def test_without_required_approval_the_policy_approves_what_it_calls_low(
    world: ChangeWorld, shop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_APPROVAL_REQUIRED", "false")
    world.script(intent=INTENDED, plan=PLANNED, edit=[call("apply_patch", patch=ROUNDED), FINISHED])
    run = await world.work(await world.start("Round prices.", shop))
    action("change.publish", await world.hold(run))


async def test_a_request_that_asks_for_approval_gets_it_whatever_the_setting(
    world: ChangeWorld, shop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_APPROVAL_REQUIRED", "false")
    wary = [call("submit_intent", **{**INTENT, "human_approval": True})]
    run = await planned(world, shop, intent=wary)
    action("change.plan", await world.hold(run))


async def test_a_rejected_plan_goes_back_to_the_planner_with_the_reason(world: ChangeWorld, shop: str) -> None:
    other = {**PLAN, "title": "round prices, half up"}
    run = await planned(world, shop, plan=[*PLANNED, call("submit_plan", **other)])
    folder = settings.load().data / "changes" / "trees" / str(run.id)
    written = (folder / "tree" / "money.py", folder / "base" / "money.py")
    before = [file.stat().st_ino for file in written]
    await world.decide(run, Verdict.reject, reason="half up, please")
    run = await world.work(run)
    assert action("change.plan", await world.hold(run))["plan"]["title"] == "round prices, half up"
    assert [file.stat().st_ino for file in written] == before, "no file is written again before anything is edited"


async def test_a_plan_on_files_that_are_not_there_never_reaches_people(world: ChangeWorld, shop: str) -> None:
    """S2.6."""
    wrong = {**PLAN, "tasks": [{"task": "Round", "files": ["gone.py", "../money.py"]}]}
    run = await planned(world, shop, plan=[call("submit_plan", **wrong), *PLANNED])
    assert action("change.plan", await world.hold(run))["plan"]["tasks"][0]["files"] == ["money.py"]


async def test_a_file_outside_the_plan_is_refused_until_people_allow_it(world: ChangeWorld, shop: str) -> None:
    outside = call("create", path="extra.py", text="X = 1\n")
    run = await planned(world, shop, edit=[outside, call("widen_plan", new_files=["extra.py"], why="a constant")])
    await world.decide(run)
    run = await world.work(run)
    assert [data["code"] for data in types(await world.events(run), "change.refused")] == ["outside_plan"]
    hold = await world.hold(run)
    assert hold.question.title == "Widen the plan by extra.py"
    await world.decide(run, Verdict.reject, reason="no")
    run = await world.work(run)
    # the script ends here: what counts is that nothing was written
    assert types(await world.events(run), "change.edited") == []


async def test_a_model_that_obeys_orders_of_the_repository_gets_nowhere(world: ChangeWorld, shop: str) -> None:
    """The README tells agents to delete the tests."""
    obeyed = "--- a/test_money.py\n+++ /dev/null\n" + "".join(f"-{line}\n" for line in TESTS.splitlines())
    run = await planned(world, shop, edit=[call("read", path="README.md"), call("apply_patch", patch=obeyed)])
    await world.decide(run)
    run = await world.work(run)
    events = await world.events(run)
    assert [data["code"] for data in types(events, "change.refused")] == ["outside_plan"]
    assert types(events, "change.edited") == []


@pytest.mark.parametrize(
    ("edit", "gate"),
    [
        (
            call(
                "apply_patch",
                patch=ROUNDED.replace("round(price * 100)", 'round(price * 100)  # "AKIA' + 'Q3EGJ7XNMPLR2KVT"'),
            ),
            "secrets",
        ),
        (call("apply_patch", patch=ROUNDED.replace("round(price * 100)", "str(price * 100)")), "tests"),
    ],
    ids=["a secret", "a break elsewhere"],
)
async def test_what_fails_a_gate_never_reaches_the_publishing_hold(
    world: ChangeWorld, shop: str, edit: dict[str, Any], gate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDRAIL_AGENT_MAX_RETRIES", "0")
    run = await planned(world, shop, edit=[edit, FINISHED])
    await world.decide(run)
    run = await world.work(run)
    hold = await world.hold(run)
    assert hold.question.title == "The change does not pass"
    failed = [
        check["name"]
        for data in types(await world.events(run), "change.verified")
        for check in data["verification"]["checks"]
        if check["is_gate"] and check["verdict"] == "failed"
    ]
    assert gate in failed
    await world.decide(run, Verdict.answer, answer={"next": "give up"})
    run = await world.work(run)
    assert run.error is not None and run.error["code"] == "given_up"


async def test_a_person_mends_what_the_agent_could_not(
    world: ChangeWorld, shop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S2.9."""
    monkeypatch.setenv("HANDRAIL_AGENT_MAX_RETRIES", "0")
    broken = ROUNDED.replace("round(price * 100)", "str(price * 100)")
    mended = ROUNDED.replace("int(price * 100)", "str(price * 100)")
    run = await planned(world, shop, edit=[call("apply_patch", patch=broken), FINISHED])
    await world.decide(run)
    run = await world.work(run)
    await world.decide(run, Verdict.answer, answer={"next": "apply my patch", "text": mended})
    run = await world.work(run)
    published = action("change.publish", await world.hold(run))
    assert published["target_branch"] == "main"
    assert checked_out(shop) == MONEY, "the developer's own checkout is never touched"


async def test_a_question_is_answered_and_nothing_is_changed(world: ChangeWorld, shop: str) -> None:
    asked = {**INTENT, "category": "question", "intent": "explain_code"}
    looked = call("where_is", name="cents")
    world.script(intent=[call("submit_intent", **asked)], answer=[looked, {"say": "`cents` is at money.py:1."}])
    run = await world.work(await world.start("Where are cents made?", shop))
    assert run.status is RunStatus.completed, run.error
    assert run.result == {"answer": "`cents` is at money.py:1."}


async def test_a_repository_that_is_not_there_is_a_clear_failure(world: ChangeWorld) -> None:
    run = await world.work(await world.start("Round.", str(world.folder / "nowhere")))
    assert run.status is RunStatus.failed
    assert run.error is not None and run.error["code"] in {"repository_unreachable", "clone_refused", "invalid_field"}


async def test_a_tree_stays_as_long_as_its_run_and_no_longer(world: ChangeWorld, shop: str) -> None:
    run = await planned(world, shop)
    known = settings.load()
    place = known.data / "changes" / "trees"
    scratch = known.data / "changes" / "scratch"
    (place / "of-a-dead-run").mkdir()
    for name in ("run-of-a-dead-worker", "run-of-now"):
        (scratch / name / "tree").mkdir(parents=True)
    for each in (*place.iterdir(), scratch / "run-of-a-dead-worker"):
        # not young any more
        os.utime(each, (0, 0))
    assert await tidying.tidy(world.context.database, known) == ["of-a-dead-run"]
    assert [each.name for each in place.iterdir()] == [str(run.id)]
    assert [each.name for each in scratch.iterdir()] == ["run-of-now"]


async def test_a_change_may_work_as_long_as_its_own_setting_says(
    world: ChangeWorld, shop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_TIMEOUT", "77")
    assert (await world.start("Round prices.", shop)).budget.seconds == 77


async def test_a_result_rejected_with_a_reason_goes_back_to_the_editor_and_is_asked_about_again(
    world: ChangeWorld, shop: str
) -> None:
    again = ROUNDED.replace("int(price * 100)", "round(price * 100)").replace(
        "+    return round(", "+    return int(0.5 + "
    )
    run = await planned(
        world, shop, edit=[call("apply_patch", patch=ROUNDED), FINISHED, call("apply_patch", patch=again), FINISHED]
    )
    await world.decide(run)
    run = await world.work(run)
    await world.decide(run, Verdict.reject, reason="money.py:2: half up, please")
    run = await world.work(run)
    assert run.status is RunStatus.paused, run.error
    evidence = (await world.hold(run)).question.evidence
    assert isinstance(evidence, dict)
    assert "int(0.5 + price * 100)" in evidence["files"][0]["diff"]  # type: ignore[index,call-overload,operator]
    shown = types(await world.events(run), "change.diffed")
    assert [len(data["files"]) for data in shown] == [1, 1]
    # without a reason it ends
    await world.decide(run, Verdict.reject)
    run = await world.work(run)
    assert run.status not in {RunStatus.paused, RunStatus.completed}


async def test_without_a_model_the_change_says_which_setting_is_missing(world: ChangeWorld, shop: str) -> None:
    run = await world.work(await world.start("Round prices.", shop))
    assert run.error is not None
    assert (run.error["code"], run.error["message"]) == (
        "misconfigured",
        "no model is configured for code changes: set HANDRAIL_LLM_MODEL",
    )


async def test_tasks_and_files_left_out_at_the_result_are_gone_and_the_rest_is_checked_again(
    world: ChangeWorld, shop: str
) -> None:
    tasks = [
        {"task": "Round", "files": ["money.py"], "new_files": ["more.py"]},
        {"task": "Add a constant", "new_files": ["extra.py"]},
    ]
    added = [call("create", path=path, text="X = 1\n") for path in ("extra.py", "more.py")]
    edits = [call("apply_patch", patch=ROUNDED), *added, FINISHED]
    run = await planned(world, shop, plan=[call("submit_plan", **{**PLAN, "tasks": tasks})], edit=edits)
    await world.decide(run)
    run = await world.work(run)
    before = action("change.publish", await world.hold(run))
    told: list[str | None] = []
    came: list[tuple[str, Any]] = []
    evidence: Any = None
    for wanted in ([{"path": "nowhere.py"}], [{"task": 2}, {"path": "more.py"}]):
        hold = await world.hold(run)
        await amended(world, run, wanted)
        run = await world.work(run)
        came.append(await world.came_of(hold))
        assert run.status is RunStatus.paused, run.error
        evidence = (await world.hold(run)).question.evidence
        told.append(evidence["not left out"])
    assert told == ["The diff has no file nowhere.py", None]
    rest = "Parts were left out. The rest is checked and asked about again."
    assert came == [("failed", "The diff has no file nowhere.py"), ("succeeded", rest)]
    assert [file["path"] for file in evidence["files"]] == ["money.py"]
    assert [task["task"] for task in evidence["plan"]["tasks"]] == ["Round"]
    after = action("change.publish", await world.hold(run))
    assert after["plan_digest"] != before["plan_digest"] and after["diff_sha256"] != before["diff_sha256"]


@pytest.mark.soak
async def test_changed_lines_are_formatted_by_the_repositorys_own_formatter_before_they_are_tested(
    world: ChangeWorld, shop: str
) -> None:
    change_scripts.commit(shop, "pyproject.toml", "[tool.ruff.format]\n")
    [environment] = surveyed(Path(shop))[0].environments
    layers = settings.load().data / "changes" / "layers"
    layers.mkdir(parents=True)
    layer = python_layer(layers / environment.hash)
    (layer.folder / "layer.json").write_text('{"within": [], "size": 0}')
    ugly = ROUNDED.replace("round(price * 100)", "round( price*100 )")
    run = await planned(world, shop, edit=[call("apply_patch", patch=ugly), FINISHED])
    commands = action("change.plan", await world.hold(run))["commands"]
    assert [each["tool"] for each in commands["formats"]] == ["ruff format"]
    await world.decide(run)
    run = await world.work(run)
    evidence: Any = (await world.hold(run)).question.evidence
    assert "+    return round(price * 100)\n" in evidence["files"][0]["diff"]
    assert len(types(await world.events(run), "change.edited")) == 2
