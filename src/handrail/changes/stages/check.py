"""The change is tested against its base and verified: what fails goes back to the editor, at most a few times."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from langchain_core.messages import HumanMessage

from handrail.changes.events import ChangeChecked, ChangeDiffed, ChangeStageBegan, ChangeTested, ChangeVerified
from handrail.changes.planning.plan import Plan
from handrail.changes.prompts import quoted
from handrail.changes.running import executing
from handrail.changes.running.hearing import Progress
from handrail.changes.running.judging import BASELINE, Judge
from handrail.changes.running.keeping import Results
from handrail.changes.running.ordering import Stage
from handrail.changes.stages import prepare
from handrail.changes.stages.survey import surveyed
from handrail.changes.stages.verify import Trial, made_by, measured, verified
from handrail.changes.state import State
from handrail.changes.trees import FileDiff, Tree
from handrail.changes.weighing.weigh import touched_by, weigh
from handrail.changes.workbench import Workbench

# a suite that takes no longer than this is its own first answer
QUICK_SECONDS = 20.0
LONGEST_DIFF = 200_000
LONGEST_OUTPUT = 6_000
LONGEST_MESSAGE = 2_000
MOST_FAILURES = 20


async def check(state: State) -> dict[str, Any]:
    """Tests, linters and type checkers on the base and on the change; then all gates."""
    bench = Workbench.begin("testing", attempt=state.get("repairs"))
    plan = Plan.model_validate(state.get("plan"))
    async with bench.tree(state) as tree:
        trial = await _trial(bench, tree)
        files = await tree.diff()
        bench.say(_diffed(files))
        made, index = await made_by(tree, trial), await bench.index_of(trial.head.path)
        touched = touched_by(made)
        weighing = partial(weigh, trial.head.path, index.graph, touched, planned_tests=plan.tests)
        weight = await asyncio.to_thread(weighing)
        if state.get("repairs", 0) < bench.settings.agent_max_retries:
            early = await rehearsed(trial, weight.tests)
            if early:
                return {"results": early, "verification": {}, "passed": False, **await _ungranted(bench, state)}
        moved = {file.path: file.old_path for file in files if file.status == "renamed"}
        judged = await trial.judge.judge(trial.base, trial.head, trial.choice, moved)
        bench.say(ChangeStageBegan(stage="verification"))
        lines = await measured(trial, made, judged)
        if lines is not None:
            weight = await asyncio.to_thread(weighing, coverage=lines.shares())
        threshold = bench.settings.coverage_threshold
        found = await verified(tree, trial, made, judged, index.graph, state, threshold, lines)
    bench.say(ChangeVerified(verification=found.as_data()))
    results = shortened(judged.as_data())
    return {
        "results": results,
        "verification": found.as_data(),
        "passed": not found.blocking,
        "impact": weight.as_data(),
        **(await _ungranted(bench, state) if found.blocking else {}),
    }


async def _ungranted(bench: Workbench, state: State) -> dict[str, Any]:
    """What people approved before the base moved does not pass there: the approval ends, whatever becomes of it."""
    if not state.get("granted"):
        return {}
    why = "The base branch has moved, and the change does not pass upon it. People are asked again once it does."
    await bench.settle(state.get("granted"), "failed", {"published": False, "why": why})
    return {"granted": None, "asked_again": ["the change, which did not pass upon the new base"]}


async def rehearsed(trial: Trial, stages: Sequence[Stage], quick: float = QUICK_SECONDS) -> dict[str, Any] | None:
    """What breaks already in the tests that are nearest to the change, in the form of results; nothing where they pass,
    or where the whole suite is quick enough to answer as soon. Only the whole suite can let a change pass."""
    before = [ran for runs in (await trial.judge.baseline(trial.base, trial.choice)).values() for ran in runs]
    if sum(ran.seconds for ran in before) < quick * BASELINE:
        return None
    known = frozenset(test.id for ran in before for test in ran.report.broken)
    broke = await trial.judge.rehearse(trial.base, trial.head, trial.choice, stages, known)
    if broke is None:
        return None
    stage, reports = broke
    tests = [
        {
            "tool": report.tool,
            "verdict": "failed",
            "fault": f"tests fail that are run first, by {stage.reason}",
            "messages": {test.id: test.message for test in report.broken if test.id not in known},
            "output": "",
        }
        for report in reports
        if report.broken
    ]
    return {"verdict": "failed", "tests": tests, "checks": []}


async def _trial(bench: Workbench, tree: Tree) -> Trial:
    base = await tree.base_checkout()
    # what runs is what people approved: of the base, whatever the change makes of the settings
    found, choice = await asyncio.to_thread(surveyed, base)
    layers = prepare.layers(bench, found)
    settings = bench.settings
    judge = Judge(
        executing.Bench(prepare.boxed(settings), bench.folder("scratch"), settings.test_runner_timeout),
        Results(bench.folder("results")),
        lambda progress: _tell(bench, progress),
    )
    return Trial(
        judge,
        choice,
        executing.Tree(base, tree.base_commit, layers),
        executing.Tree(tree.path, await tree.head_tree(), layers),
    )


async def _tell(bench: Workbench, progress: Progress) -> None:
    data = progress.data
    if progress.kind == "test":
        bench.say(
            ChangeTested(
                tree=progress.side,
                tool=progress.tool,
                test=data["id"],
                outcome=data["outcome"],
                seconds=data["seconds"],
                message=data["message"][:LONGEST_MESSAGE] or None,
            )
        )
    elif progress.kind == "ended":
        outcome = "fault" if data.get("fault") else "ended"
        printed = data["output"][-LONGEST_OUTPUT:] if progress.side == "head" else None
        counted = {name: value for name, value in data.items() if name != "output"}
        bench.say(
            ChangeChecked(
                tree=progress.side, tool=progress.tool, outcome=outcome, summary=counted, output=printed or None
            )
        )


def _diffed(files: list[FileDiff]) -> ChangeDiffed:
    return ChangeDiffed(
        files=tuple(within([file.as_data() for file in files])),
        added=sum(file.added for file in files),
        deleted=sum(file.deleted for file in files),
    )


def within(files: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As many diffs as people can be shown at once; of the others their names and sizes."""
    left = LONGEST_DIFF
    shown: list[dict[str, Any]] = []
    for file in files:
        left -= len(file["diff"])
        shown.append(file if left >= 0 else {**file, "diff": "", "too_long": True})
    return shown


def shortened(results: dict[str, Any]) -> dict[str, Any]:
    """With the end of what was printed, which says why something failed."""
    for each in (*results["tests"], *results["checks"]):
        each["output"] = each["output"][-LONGEST_OUTPUT:]
    return results


def failures(state: State) -> str:
    """What the last checks found, for the model and for people."""
    results, verification = state.get("results", {}), state.get("verification", {})
    lines: list[str] = []
    for suite in results.get("tests", []):
        if suite["verdict"] == "failed":
            lines.append(f"{suite['tool']}: {suite.get('fault') or 'tests fail that did not fail before'}")
            broken = list(suite["messages"].items())[:MOST_FAILURES]
            lines += [f"- {name}\n{message}" for name, message in broken] or [suite["output"]]
    for tool in results.get("checks", []):
        found = tool["new"][:MOST_FAILURES]
        lines += [f"{tool['tool']} {each['path']}:{each['line']}: {each['message']}" for each in found]
        if tool["fault_is_new"]:
            lines.append(f"{tool['tool']}: {tool['fault']}")
    for gate in verification.get("checks", []):
        if gate["is_gate"] and gate["verdict"] == "failed":
            lines.append(f"{gate['name']}: {gate['words']}")
            found = gate["findings"][:MOST_FAILURES]
            lines += [f"- {each['path']}:{each['line']}: {each['what']} {each['why']}" for each in found]
    return "\n".join(lines)


async def repair(state: State) -> dict[str, Any]:
    """Hands what failed back to the editor, where it has a try left."""
    tries = state.get("repairs", 0) + 1
    Workbench.begin("editing", attempt=tries, prompt="edit")
    told = HumanMessage(
        "The change does not pass. Mend it, then call `finish` again.\n\n" + quoted("the checks", failures(state))
    )
    return {"editing": [told], "repairs": tries, "summary": ""}
