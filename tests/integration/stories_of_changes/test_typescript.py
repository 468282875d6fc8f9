"""A change of a TypeScript package, from a sentence to a merge request on GitLab."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import change_scripts
import pytest
from benches import node_layer
from change_scripts import FINISHED, INTENDED, call
from change_world import ChangeWorld
from hosted_world import decided, finished
from hosting_stub import Fault, Repository
from hosting_stub.server import Faulty

from handrail import settings
from handrail.changes.stages.survey import surveyed
from handrail.core.runs import RunStatus

MONEY = """export function cents(price: number): number {
  return Math.floor(price * 100);
}
"""
TESTS = """import { expect, it } from "vitest";
import { cents } from "./money";

it("counts whole prices", () => {
  expect(cents(2)).toBe(200);
});
"""
NEW_TEST = """
it("rounds", () => {
  expect(cents(19.99)).toBe(1999);
});
"""
PACKAGE = {"name": "shop", "type": "module", "scripts": {"test": "vitest"}, "devDependencies": {"vitest": "*"}}
PLAN: dict[str, Any] = {
    "kind": "fix",
    "title": "round prices",
    "tasks": [{"task": "Round", "files": ["money.ts", "money.test.ts"], "tests": ["money.test.ts"]}],
    "criteria": ["`rounds` passes"],
}


def replaced(path: str, old: str, new: str) -> dict[str, Any]:
    lines = [f"-{line}\n" for line in old.splitlines()] + [f"+{line}\n" for line in new.splitlines()]
    header = f"--- a/{path}\n+++ b/{path}\n@@ -1,{len(old.splitlines())} +1,{len(new.splitlines())} @@\n"
    return call("apply_patch", patch=header + "".join(lines))


@pytest.fixture
def kind() -> str:
    return "gitlab"


@pytest.fixture
def source(world: ChangeWorld) -> Path:
    folder = change_scripts.repository(world.folder / "source")
    for path in ("money.py", "test_money.py"):
        (folder / path).unlink()
    for path, text in {"money.ts": MONEY, "money.test.ts": TESTS, "package.json": json.dumps(PACKAGE)}.items():
        change_scripts.write(str(folder), path, text)
    change_scripts.commit(str(folder), "vitest.config.ts", "export default { test: { pool: 'threads' } };\n")
    # as an earlier change has left it, for this very package.json
    [environment] = surveyed(folder)[0].environments
    layers = settings.load().data / "changes" / "layers"
    layers.mkdir(parents=True)
    layer = node_layer(layers / environment.hash)
    (layer.folder / "layer.json").write_text(json.dumps({"within": layer.within, "size": 0}))
    return folder


async def test_a_sentence_becomes_a_merge_request_that_people_approved(
    stub: Faulty, world: ChangeWorld, hosted: Repository
) -> None:
    rounded = MONEY.replace("Math.floor", "Math.round")
    world.script(
        intent=INTENDED,
        plan=[call("submit_plan", **PLAN)],
        edit=[
            replaced("money.ts", MONEY, rounded.replace("100);", "100;")),
            replaced("money.ts", MONEY, rounded),
            replaced("money.test.ts", TESTS, TESTS + NEW_TEST),
            FINISHED,
        ],
    )
    run = await decided(world, f"{stub.url}/{hosted.path}.git")
    events = await world.events(run)
    assert [data["code"] for type_, data in events if type_ == "change.refused"] == ["does_not_parse"]
    tested = {(data["tree"], data["test"], data["outcome"]) for type_, data in events if type_ == "change.tested"}
    assert ("head", "money.test.ts::rounds", "passed") in tested
    [verified] = [data["verification"] for type_, data in events if type_ == "change.verified"]
    verdicts = {check["name"]: check["verdict"] for check in verified["checks"]}
    assert (verdicts["tests"], verdicts["fail_to_pass"], verdicts["criteria"]) == ("passed", "passed", "passed")
    # the effect, and no word of it
    stub.faults.append(Fault("POST .*merge_requests$", 502, after=True))
    await world.decide(run)
    run = await finished(world, run)
    assert run.status is RunStatus.completed, run.error
    assert isinstance(run.result, dict)
    [request] = hosted.pulls
    assert request.title == "fix: round prices" and run.result["files"] == ["money.test.ts", "money.ts"]
    assert hosted.commit(str(run.result["branch"])) == run.result["commit"]
