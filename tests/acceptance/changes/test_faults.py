"""A code change on a real server: its worker is killed and it is cancelled, and nothing is lost or left behind."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import change_scripts
import httpx
import psutil
import pytest
from change_server import ENDED, Json, approve, branches, git, look, reach, started, started_by
from server import ServerProcess, until

# a suite that takes its time, and says where it is
TESTS = (
    change_scripts.TESTS
    + """
    def test_slowly(self):
        import time
        time.sleep(1.5)
"""
)


@pytest.fixture
def shop(folder: Path, request: pytest.FixtureRequest) -> Path:
    return change_scripts.repository(folder / f"shop-{abs(hash(request.node.name))}", TESTS)


@pytest.fixture
def run(server: ServerProcess, developer: str, shop: Path) -> str:
    return started(server, developer, str(shop))


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
    """S2.12."""
    reach(http, run, stage)
    tests: list[psutil.Process] = until(lambda: started_by(server.pid, "unittest")) if stage == "testing" else []
    http.post(f"/api/runs/{run}/cancel", json={"reason": "enough"}).raise_for_status()
    assert look(http, run)["status"] == "cancelled"
    assert psutil.wait_procs(tests, timeout=60)[1] == []
    assert branches(shop) == ["main"]
    assert git(shop, "status", "--porcelain") == ""
