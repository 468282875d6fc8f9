"""A code change on a real server: its worker is killed and it is cancelled, and nothing is lost or left behind."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import change_scripts
import httpx
import psutil
import pytest
import server as servers
from change_scripts import INTENDED, PLANNED, ROUNDED, call
from server import ServerProcess, until

Json = dict[str, Any]

# so that there is a moment to be killed in
SLOW = {"delay": 1.5}
EDIT = [{**call("apply_patch", patch=ROUNDED), **SLOW}, {**call("finish", summary="done"), **SLOW}]
SCRIPTS = {"intent": INTENDED, "plan": [{**PLANNED[0], **SLOW}], "edit": EDIT}
# a suite that takes its time, and says where it is
TESTS = (
    change_scripts.TESTS
    + """
    def test_slowly(self):
        import time
        time.sleep(1.5)
"""
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("changes")
    scripts = made / "scripts"
    scripts.mkdir()
    for name, steps in SCRIPTS.items():
        (scripts / f"change-{name}.yaml").write_text(json.dumps(steps))
    return made


@pytest.fixture(scope="module")
def server(folder: Path) -> Generator[ServerProcess]:
    variables = {"HANDRAIL_LLM_MODEL": f"scripted:{folder / 'scripts'}", "HANDRAIL_REPOSITORY_ROOTS": str(folder)}
    with servers.running(HANDRAIL_CONCURRENCY="2", **variables) as server:
        server.serves("change")
        yield server


@pytest.fixture
def http(server: ServerProcess) -> Generator[httpx.Client]:
    with server.client() as client:
        yield client


@pytest.fixture
def shop(folder: Path, request: pytest.FixtureRequest) -> Path:
    return change_scripts.repository(folder / f"shop-{abs(hash(request.node.name))}", TESTS)


@pytest.fixture(scope="module")
def developer(server: ServerProcess) -> str:
    return server.token_of("dev", "developer")


@pytest.fixture
def run(server: ServerProcess, developer: str, shop: Path) -> str:
    """A change that somebody else has started: who asks does not publish."""
    given = {"workflow": "change", "input": {"request": "Round prices.", "repo_url": str(shop)}}
    with server.client(developer) as http:
        return http.post("/api/runs", json=given).raise_for_status().json()["id"]


def look(http: httpx.Client, run: str) -> Json:
    return http.get(f"/api/runs/{run}").raise_for_status().json()


def reach(http: httpx.Client, run: str, stage: str) -> None:
    """Until that stage has begun; what the run asks on the way is approved."""
    with http.stream("GET", f"/api/runs/{run}/story") as story:
        for line in story.iter_lines():
            part: Json = json.loads(line[5:])["story"] if line.startswith("data:") else {"is": ""}
            if part["is"] == "pause":
                approve(http, run)
            if part["is"] == "stage" and part["name"] == stage:
                return
            assert part["is"] != "end", part


def approve(http: httpx.Client, run: str) -> None:
    for hold in http.get("/api/holds", params={"run": run, "status": "pending"}).raise_for_status().json()["holds"]:
        http.post(f"/api/holds/{hold['id']}/reviews", json={"verdict": "approve", "digest": hold["digest"]})


def branches(shop: Path) -> list[str]:
    said = subprocess.run(["git", "branch", "--format=%(refname:short)"], cwd=shop, check=True, capture_output=True)
    return said.stdout.decode().split()


def started_by(server: ServerProcess, word: str) -> list[psutil.Process]:
    """The server's processes, and those of their sandboxes, that have this word in their command."""
    found: list[psutil.Process] = []
    for each in psutil.Process(server.pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if word in " ".join(each.cmdline()):
                found.append(each)
    return found


@pytest.mark.parametrize("stage", ["planning", "editing", "testing"])
def test_a_change_whose_worker_is_killed_is_finished_by_another(
    server: ServerProcess, http: httpx.Client, shop: Path, run: str, stage: str
) -> None:
    reach(http, run, stage)
    for process in started_by(server, "nursery"):
        with suppress(psutil.NoSuchProcess):
            process.kill()

    def ended() -> Json | None:
        approve(http, run)
        seen = look(http, run)
        return seen if seen["status"] in {"completed", "failed", "cancelled"} else None

    seen = until(ended)
    assert seen["status"] == "completed", seen["error"]
    branch = seen["result"]["branch"]
    assert branches(shop) == [branch, "main"]
    shown = subprocess.run(["git", "diff", "main", branch], cwd=shop, check=True, capture_output=True, text=True)
    assert "+    return round(price * 100)" in shown.stdout
    assert shown.stdout.count("\n+") == 2, "the change once, and nothing else"


@pytest.mark.parametrize("stage", ["planning", "editing", "testing"])
def test_a_change_that_is_cancelled_leaves_nothing(
    server: ServerProcess, http: httpx.Client, shop: Path, run: str, stage: str
) -> None:
    reach(http, run, stage)
    tests: list[psutil.Process] = until(lambda: started_by(server, "unittest")) if stage == "testing" else []
    http.post(f"/api/runs/{run}/cancel", json={"reason": "enough"}).raise_for_status()
    assert look(http, run)["status"] == "cancelled"
    assert psutil.wait_procs(tests, timeout=10)[1] == []
    assert branches(shop) == ["main"]
    status = subprocess.run(["git", "status", "--porcelain"], cwd=shop, check=True, capture_output=True)
    assert status.stdout == b""
