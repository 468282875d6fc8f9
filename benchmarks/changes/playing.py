"""A scripted model goes about a planted fault in seven ways, in a real project, through the whole workflow."""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import AsyncGenerator, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise, repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from handrail import sandbox, settings
from handrail.changes.environments.layers import PLACE, WITHIN
from handrail.changes.environments.preparing import Workshop
from handrail.changes.running.choosing import whole
from handrail.changes.running.executing import Bench, Tree, run
from handrail.changes.stages.survey import surveyed
from handrail.core.runs import Run, RunStatus

sys.path.append(str(Path(__file__).parents[2] / "tests"))

import change_world
import database as databases
from change_attempts import CHECKED, REFUSED, Came, Fault, scripts
from change_world import ChangeWorld
from holds_world import context_on

from .packages import Hunk
from .perturbing import PERTURBATIONS
from .planting import Ground, plant
from .projects import Project, committed, fetched, git

# beginnings of a suite, in the sandbox and bare, of which the quickest counts: other work only adds to a time
TIMES = 2
# all projects, and one of them
MOST_SECONDS, MOST_SECONDS_EACH = 1800.0, 600.0
# a suite mostly takes one core
AT_ONCE = 2
CONTEXT = 3


@dataclass
class Played:
    """What came of the attempts in one project."""

    tests: int = 0
    wrong_at_hold: int = 0
    right_refused: int = 0
    silently_wrong: int = 0
    not_clean: int = 0
    damaged: int = 0
    landed: int = 0
    stages: dict[str, float] = field(default_factory=dict[str, float])
    bare: float = 0.0
    boxed: float = 0.0
    notes: list[str] = field(default_factory=list[str])


@contextmanager
def database() -> Generator[str]:
    """A database of this benchmark's own. It has a loop of its own, too: to be called outside of any."""
    databases.begin_run()
    try:
        with databases.server() as clones, clones.database() as dsn:
            yield dsn
    finally:
        databases.end_run()


@asynccontextmanager
async def world(folder: Path, dsn: str) -> AsyncGenerator[ChangeWorld]:
    """Where changes are made."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HANDRAIL_AGENT_MAX_RETRIES", str(len(CHECKED)))
        async with context_on(dsn) as context, change_world.opened(context, folder, patch) as found:
            yield found


def play_all(projects: Sequence[Project]) -> dict[str, Played | str]:
    """What came of each project; the reason for one that could not be played, which keeps no other from being so."""
    deadline = time.monotonic() + MOST_SECONDS
    # each in a process of its own: settings are variables of the environment
    with ProcessPoolExecutor(AT_ONCE, get_context("spawn"), max_tasks_per_child=1) as pool:
        found = pool.map(_played, projects, repeat(deadline))
        return {project.name: each for project, each in zip(projects, found, strict=True)}


def _played(project: Project, deadline: float) -> Played | str:
    began = time.monotonic()
    seconds = min(MOST_SECONDS_EACH, deadline - began)
    found: Played | str
    try:
        with tempfile.TemporaryDirectory() as folder, database() as dsn:
            found = asyncio.run(_within(seconds, project, Path(folder), dsn))
    except TimeoutError:
        found = f"not done in the {max(0, round(seconds))} s that were left for it"
    except Exception as error:
        traceback.print_exc()
        found = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    print(f"{project.name} {project.version}, {time.monotonic() - began:.0f} s: {found}", file=sys.stderr, flush=True)
    return found


async def _within(seconds: float, project: Project, folder: Path, dsn: str) -> Played:
    async with asyncio.timeout(seconds), world(folder, dsn) as made:
        return await play(made, project)


async def play(made: ChangeWorld, project: Project) -> Played:
    ground = await _ground(made, project)
    fault = await plant(ground)
    assert fault is not None, f"no fault that the tests of {project.name} notice was found: choose another seed"
    committed(ground.folder, f"feat: {project.name}")
    played = Played()
    await _timed(ground, played)
    base = git(ground.folder, "rev-parse", "main")
    damaged = _perturbed(fault)
    made.script(**scripts(fault, damaged))
    ended = await _through(made, str(ground.folder))
    events = await made.events(ended)
    came = Came.of(fault, events)
    played.silently_wrong = came.silently_wrong
    played.notes += [f"{name}: {', '.join(stopped) or 'passed'}" for name, stopped in came.checked]
    unchecked = [name for name in CHECKED if name not in dict(came.checked)]
    played.notes += [f"{name} was never checked" for name in unchecked]
    played.notes += [f"{name} was not refused" for name, code in REFUSED.items() if came.refused[code] != 1]
    played.damaged, played.landed = len(damaged), came.landed
    published = ended.result if ended.status is RunStatus.completed and isinstance(ended.result, dict) else {}
    is_right = bool(published) and _is_right(ground.folder, str(published.get("branch")), fault)
    played.wrong_at_hold = len(came.let_through) or int(bool(published) and not is_right)
    # a run that ended early has refused it, too
    played.right_refused = int(not is_right)
    if not published:
        played.notes.append(f"ended as {ended.status}: {ended.error}")
    clean = (base, "") == (git(ground.folder, "rev-parse", "main"), git(ground.folder, "status", "--porcelain"))
    played.not_clean = int(not clean)
    played.stages = await _stages(made, ended)
    return played


async def _ground(made: ChangeWorld, project: Project) -> Ground:
    """The project, with what its tests need prepared."""
    place = fetched(project, made.folder)
    found, choice = surveyed(place)
    folder = settings.load().data / "changes"
    # a machine may reach the registries through a mirror in its own network
    registries = frozenset(host.partition(":")[0] for each in found.environments for host in each.hosts)
    shop = Workshop(sandbox.choose(), folder / "layers", private_hosts=registries)
    layers = [await shop.prepare(each, shop.describe(each)["arguments"]["hash"]) for each in found.environments]
    bench = Bench(sandbox.choose(), folder / "scratch", settings.load().test_runner_timeout)
    return Ground(project, place, choice.tests[0], tuple(layers), bench)


def _perturbed(fault: Fault) -> list[tuple[str, str]]:
    """The right edit as models damage it, in each way that it can be."""
    wrong, right = (text.splitlines(keepends=True) for text in (fault.wrong, fault.right))
    at = next(n for n, (one, other) in enumerate(zip(wrong, right, strict=True)) if one != other)
    start = max(0, at - CONTEXT)
    after = tuple(wrong[at + 1 : at + 1 + CONTEXT])
    hunk = Hunk("", fault.path, fault.wrong, start, tuple(wrong[start:at]), (wrong[at],), (right[at],), after)
    return [edit for perturb in PERTURBATIONS.values() if (edit := perturb(hunk))]


async def _through(made: ChangeWorld, repository: str) -> Run:
    """The run at its end; all that it asks for is approved."""
    ended = await made.work(await made.start("The tests fail: mend the code.", repository))
    while ended.status is RunStatus.paused:
        hold = await made.hold(ended)
        if hold.question.action is None:
            # no try is left, and nobody helps
            return ended
        await made.decide(ended)
        ended = await made.work(ended)
    return ended


def _is_right(folder: Path, branch: str, fault: Fault) -> bool:
    same = git(folder, "show", f"{branch}:{fault.path}") == fault.right
    return same and git(folder, "diff", "--name-only", "main", branch).split() == [fault.path]


async def _stages(made: ChangeWorld, ended: Run) -> dict[str, float]:
    """Seconds of each stage, all its rounds together."""
    async with made.context.database.connection() as conn:
        rows = await conn.execute(
            "SELECT at, type, data FROM event_inbox WHERE run_id = %s AND type LIKE 'change.%%' ORDER BY id",
            (ended.id,),
        )
        events = [(row["at"], row["type"], row["data"]) for row in await rows.fetchall()]
    began = [(at, data["stage"]) for at, kind, data in events if kind == "change.stage_began"]
    took = Counter[str]()
    for (at, stage), (until, _) in pairwise([*began, (events[-1][0], "")]):
        took[stage] += (until - at).total_seconds()
    return dict(took)


async def _timed(ground: Ground, played: Played) -> None:
    """The same tests in the sandbox and bare."""
    tree = Tree(ground.folder, "", ground.layers)
    boxed = [await run(whole(ground.call), tree, ground.bench) for _ in range(TIMES)]
    played.tests = len(boxed[0].report.tests)
    played.boxed = min(each.seconds for each in boxed)
    played.bare = min(_bare(ground) for _ in range(TIMES))


def _bare(ground: Ground) -> float:
    """Seconds of the tests as a developer runs them: in a copy, with the same packages, without any sandbox."""
    copy = ground.folder.parent / "bare"
    shutil.copytree(ground.folder, copy, symlinks=True)
    try:
        [layer] = ground.layers
        words: list[str | Path]
        if ground.project.registry == "npm":
            (copy / "node_modules").symlink_to(layer.folder / WITHIN / "node_modules")
            program, *given = ground.call.command.arguments
            words = [copy / "node_modules" / ".bin" / program, *given]
        else:
            words = [layer.folder / PLACE / "bin" / "python", "-m", "pytest", "-q"]
        paths = os.pathsep.join(str(copy / each) for each in ("src", "."))
        began = time.monotonic()
        ran = subprocess.run(words, cwd=copy, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, check=False)
        took = time.monotonic() - began
        assert ran.returncode in range(100), ran.stderr
        return took
    finally:
        shutil.rmtree(copy)


def summed(outcomes: dict[str, Played | str]) -> dict[str, Any]:
    """The figures of all projects together, and of each."""
    played = {name: each for name, each in outcomes.items() if isinstance(each, Played)}
    everyone = list(played.values())
    stages = Counter[str]()
    for each in everyone:
        stages.update(each.stages)
    landed, damaged = sum(each.landed for each in everyone), sum(each.damaged for each in everyone)
    checking, bare = stages["testing"] + stages["verification"], sum(each.bare for each in everyone)
    return {
        "projects": len(everyone),
        "not played": {name: why for name, why in outcomes.items() if isinstance(why, str)},
        "wrong states that reached the publishing hold": sum(each.wrong_at_hold for each in everyone),
        "right ones refused": sum(each.right_refused for each in everyone),
        "damaged edits that came to the right file": f"{landed} of {damaged}",
        "edits silently wrong": sum(each.silently_wrong for each in everyone),
        "repositories not as they were": sum(each.not_clean for each in everyone),
        "seconds of a stage, all its rounds, median": {
            name: statistics.median(each.stages.get(name, 0.0) for each in everyone) for name in stages
        },
        "testing and verifying four attempts, in bare runs of the tests": checking / bare if bare else None,
        "tests in the sandbox / bare": {name: each.boxed / each.bare for name, each in played.items()},
        "tests": {name: each.tests for name, each in played.items()},
    }
