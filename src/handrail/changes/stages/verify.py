"""The gates that a change must pass: counted, never judged by a model."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from handrail.changes.environments.model import TREE
from handrail.changes.environments.sources import Sources
from handrail.changes.planning.plan import Plan
from handrail.changes.results.comparing import Verdict
from handrail.changes.results.model import Report
from handrail.changes.results.reading import Unreadable
from handrail.changes.running import choosing, executing
from handrail.changes.running.choosing import Choice, whole
from handrail.changes.running.judging import Judge, Judgement, SuiteOutcome
from handrail.changes.state import State
from handrail.changes.trees import Tree
from handrail.changes.trees.laying import remove
from handrail.changes.verifying import change, coverage, overlays
from handrail.changes.verifying.change import Change
from handrail.changes.verifying.coverage import Coverage
from handrail.changes.verifying.criteria import Knowledge, understood
from handrail.changes.verifying.gates import Verification
from handrail.changes.verifying.integrity.places import is_test
from handrail.changes.verifying.overlays import Overlay
from handrail.changes.verifying.scope import Scope
from handrail.changes.verifying.verify import Evidence, verify
from handrail.codegraph import paths
from handrail.codegraph.graph import Graph
from handrail.codegraph.languages import language_of


@dataclass(frozen=True, slots=True)
class Trial:
    """Both trees laid out, what is run over them, and who runs it."""

    judge: Judge
    choice: Choice
    base: executing.Tree
    head: executing.Tree


async def made_by(tree: Tree, trial: Trial) -> Change:
    """What the commits change, read from the two trees."""
    diff = await tree.diff()
    moved = [(file.old_path, file.path) for file in diff if file.status == "renamed"]
    names = [file.path for file in diff]
    return await asyncio.to_thread(change.read, trial.base.path, trial.head.path, names, moved)


async def measured(trial: Trial, made: Change, judged: Judgement) -> Coverage | None:
    """Which lines the whole suite runs, by the repository's own tools: a run of its own, since measuring can change how
    tests end. Not where they fail, or where no code was changed."""
    code = [file.path for file in made.files if language_of(file.path) and not is_test(file.path) and file.added]
    if not code or any(each.comparison.verdict is Verdict.failed for each in judged.tests):
        return None
    sources = await asyncio.to_thread(Sources, trial.head.path)
    found: dict[str, dict[int, bool]] = {}
    for call in trial.choice.tests:
        asked = choosing.measured(call, sources)
        ran = await executing.run(asked, trial.head, trial.judge.bench) if asked else None
        if ran and ran.coverage:
            with suppress(Unreadable):
                found |= coverage.read(ran.coverage, f"{TREE}/{call.folder}").files
    return Coverage(found) if found else None


async def verified(
    tree: Tree,
    trial: Trial,
    made: Change,
    judged: Judgement,
    graph: Graph,
    state: State,
    threshold: float,
    lines: Coverage | None,
) -> Verification:
    """`graph` is that of the change's own code, and `lines` are those that tests run."""
    plan = Plan.model_validate(state.get("plan"))
    tests = [case for each in judged.tests for case in each.head.report.tests]
    return await verify(
        Evidence(
            made,
            Scope(plan.paths.__contains__, plan.weakened.__contains__),
            judged,
            old_tests=await _old_tests(tree, trial, made),
            new_tests=await _new_tests(tree, trial, made),
            tests_required=state.get("intent", {}).get("tests_required", False),
            coverage=lines,
            coverage_threshold=threshold,
            criteria=tuple(understood(text) for text in plan.criteria),
            known=Knowledge(
                tests,
                lambda path: change.side(trial.head.path, path) is not None,
                lambda method, path: serves(graph, method, path),
            ),
        )
    )


def serves(graph: Graph, method: str, path: str) -> bool:
    served = graph.endpoints.values()
    return any(each.method in {method, "ANY"} and paths.serves(each.path, path) for each in served)


async def _old_tests(tree: Tree, trial: Trial, made: Change) -> tuple[SuiteOutcome, ...]:
    """The base's tests on the new code, where the change edits some of them."""
    overlay = overlays.old_tests_on_head(made)
    if not overlay:
        return ()
    laid = await _laid(tree, overlay, trial.head, "old-tests")
    judged = await trial.judge.judge(trial.base, laid, replace(trial.choice, checks=()))
    return judged.tests


async def _new_tests(tree: Tree, trial: Trial, made: Change) -> dict[tuple[str, str], Report]:
    """The new tests on the base's code, where they must fail."""
    overlay = overlays.new_tests_on_base(made)
    if not overlay:
        return {}
    laid = await _laid(tree, overlay, trial.base, "new-tests")
    ran = [(call, await executing.run(whole(call), laid, trial.judge.bench)) for call in trial.choice.tests]
    return {(call.tool, call.folder): each.report for call, each in ran}


async def _laid(tree: Tree, overlay: Overlay, upon: executing.Tree, name: str) -> executing.Tree:
    place: Path = tree.folder / name
    await remove(place)
    await asyncio.to_thread(overlay.make, upon.path, place)
    return executing.Tree(place, overlay.hash_with(upon.hash), upon.layers)
