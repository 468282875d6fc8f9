"""A code change on a real server: its worker is killed and it is cancelled, and nothing is lost or left behind."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import change_scripts
import httpx
import psutil
import pytest
import server as servers
from change_scripts import INTENDED, PLANNED, ROUNDED, call
from change_server import ENDED, Json, approve, branches, git, look, reach, started, started_by, written
from server import ServerProcess, until

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
    return tmp_path_factory.mktemp("changes")


@pytest.fixture(scope="module")
def server(folder: Path) -> Generator[ServerProcess]:
    with servers.running(HANDRAIL_CONCURRENCY="2", **written(SCRIPTS, folder)) as server:
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
    return started(server, developer, shop)


@pytest.mark.parametrize("stage", ["planning", "editing", "testing"])
def test_a_change_whose_worker_is_killed_is_finished_by_another(
    server: ServerProcess, http: httpx.Client, shop: Path, run: str, stage: str
) -> None:
    reach(http, run, stage)
    for process in started_by(server.pid, "nursery"):
        with suppress(psutil.NoSuchProcess):
            process.kill()

    def ended() -> Json | None:
        approve(http, run)
        seen = look(http, run)
        return seen if seen["status"] in ENDED else None

    seen = until(ended)
    assert seen["status"] == "completed", seen["error"]
    branch = seen["result"]["branch"]
    assert branches(shop) == [branch, "main"]
    shown = git(shop, "diff", "main", branch)
    assert "+    return round(price * 100)" in shown
    assert shown.count("\n+") == 2, "the change once, and nothing else"


@pytest.mark.parametrize("stage", ["planning", "editing", "testing"])
def test_a_change_that_is_cancelled_leaves_nothing(
    server: ServerProcess, http: httpx.Client, shop: Path, run: str, stage: str
) -> None:
    reach(http, run, stage)
    tests: list[psutil.Process] = until(lambda: started_by(server.pid, "unittest")) if stage == "testing" else []
    http.post(f"/api/runs/{run}/cancel", json={"reason": "enough"}).raise_for_status()
    assert look(http, run)["status"] == "cancelled"
    assert psutil.wait_procs(tests, timeout=10)[1] == []
    assert branches(shop) == ["main"]
    assert git(shop, "status", "--porcelain") == ""
