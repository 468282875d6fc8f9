"""Twenty changes at once, on a server with several workers, each struck at another stage: killed, cancelled, or left
alone."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import change_scripts
import httpx
import psutil
import psycopg
import pytest
import server as servers
from change_scripts import FINISHED, INTENDED, PLANNED, ROUNDED, call
from change_server import ENDED, Json, approve, branches, git, look, started, told, written
from server import HANDRAIL, ServerProcess, environment

from handrail import settings
from handrail.changes import tidying
from handrail.changes.events import STAGES
from handrail.store.database import opened
from handrail.store.embedded import Server

SCRIPTS = {"intent": INTENDED, "plan": PLANNED, "edit": [call("apply_patch", patch=ROUNDED), FINISHED]}
# the last one begins when people have approved the result
PUBLISHING = "publishing"
WHEN = [*STAGES.values(), PUBLISHING]
ORDEALS = [(how, when) for when in WHEN for how in ("kill", "cancel")] + [("none", "")] * 2
WORKERS, SHOPS = 4, 5
DEADLINE_SECONDS = 1200.0


class Crew:
    """Workers with one process each. One that is killed is replaced at once, as an operator's system does."""

    def __init__(self, server: ServerProcess, dsn: str, variables: dict[str, str]) -> None:
        self._server, self._dsn, self._variables = server, dsn, variables
        self._lock = threading.Lock()
        self.processes = [self._start() for _ in range(WORKERS)]

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [HANDRAIL, "worker", "--data", self._server.data, "--concurrency", "1"],
            env=environment(self._server.folder, HANDRAIL_LOG_LEVEL="warning", **self._variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def kill_worker_of(self, run: str) -> None:
        """kill -9, while it works on this change; a change that nobody works on now is waited for."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        while time.monotonic() < deadline:
            with psycopg.connect(self._dsn, autocommit=True) as connection:
                row = connection.execute("SELECT worker, status FROM runs WHERE id = %s", [run]).fetchone()
            assert row is not None and row[1] not in ENDED, f"{run} was never struck"
            with self._lock:
                for at, process in enumerate(self.processes):
                    if row[0] and row[0].endswith(f"/{process.pid}"):
                        process.kill()
                        process.wait()
                        self.processes[at] = self._start()
                        return
            time.sleep(0.02)
        raise AssertionError(f"nobody works on {run}")

    def close(self) -> None:
        for process in self.processes:
            process.terminate()
        psutil.wait_procs([psutil.Process(process.pid) for process in self.processes if process.poll() is None], 60)


@contextmanager
def deployed(folder: Path) -> Generator[tuple[ServerProcess, Crew, str]]:
    variables = {**written(SCRIPTS, folder), "HANDRAIL_MAX_CHANGES": str(len(ORDEALS))}
    with servers.running("serve", **variables) as server:
        user = Server(server.data)
        dsn = user.start()
        crew = Crew(server, dsn, variables)
        try:
            server.serves("change")
            yield server, crew, dsn
        finally:
            crew.close()
            user.stop()


def endured(server: ServerProcess, crew: Crew, run: str, how: str, when: str) -> Json:
    """The change at its end. Everything that it asks is approved; once, it is struck."""
    struck = how == "none"
    with server.client() as http:
        for part in told(http, run):
            now = part["name"] if part["is"] == "stage" else ""
            if part["is"] == "pause" and "change.publish" in approve(http, run):
                now = PUBLISHING
            if not struck and now == when:
                struck = True
                if how == "kill":
                    crew.kill_worker_of(run)
                else:
                    http.post(f"/api/runs/{run}/cancel", json={"reason": "enough"})
            if part["is"] == "end":
                break
        assert struck, f"{run} never came to {when}"
        return look(http, run)


@pytest.mark.soak
@pytest.mark.timeout(1500)
async def test_twenty_changes_at_once_end_clearly_however_they_are_struck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path
    shops = [change_scripts.repository(folder / f"shop{number}") for number in range(SHOPS)]
    mains = [git(shop, "rev-parse", "main").strip() for shop in shops]
    with deployed(folder) as (server, crew, dsn):
        developer = server.token_of("dev", "developer")
        runs = [started(server, developer, shops[number % SHOPS]) for number in range(len(ORDEALS))]
        with ThreadPoolExecutor(len(ORDEALS)) as pool:
            waiting = [
                pool.submit(endured, server, crew, run, how, when)
                for run, (how, when) in zip(runs, ORDEALS, strict=True)
            ]
            ended = [each.result(DEADLINE_SECONDS) for each in waiting]

        with server.client() as http:
            granted = {run: _granted(http, run) for run in runs}
        expected: dict[Path, set[str]] = {shop: {"main"} for shop in shops}
        for number, (seen, (how, when)) in enumerate(zip(ended, ORDEALS, strict=True)):
            shop = shops[number % SHOPS]
            # whoever cancels what has just been approved may be too late; both ends are clear
            allowed = {"cancelled"} if how == "cancel" else {"completed"}
            allowed |= {"completed"} if when == PUBLISHING else set()
            assert seen["status"] in allowed, (how, when, seen["error"])
            if seen["status"] == "completed":
                branch = seen["result"]["branch"]
                expected[shop].add(branch)
                assert git(shop, "rev-parse", branch).strip() in granted[runs[number]], "only what was approved"
                assert git(shop, "diff", "--stat", "main", branch).splitlines()[0].split()[:3] == ["money.py", "|", "2"]
        for shop, main in zip(shops, mains, strict=True):
            late = {name for name in branches(shop) if name not in expected[shop]}
            assert not late, "nothing is published of a change that was cancelled"
            assert (git(shop, "rev-parse", "main").strip(), git(shop, "status", "--porcelain")) == (main, "")

        await _nothing_is_left(server, dsn, monkeypatch)


def _granted(http: httpx.Client, run: str) -> set[str]:
    """The last commits that people approved for publishing."""
    holds: list[Json] = http.get("/api/holds", params={"run": run}).raise_for_status().json()["holds"]
    full = [http.get(f"/api/holds/{hold['id']}").raise_for_status().json() for hold in holds]
    published = [hold for hold in full if hold["action"] and hold["action"]["name"] == "change.publish"]
    return {hold["action"]["args"]["commits"][-1] for hold in published if hold["status"] != "pending"}


async def _nothing_is_left(server: ServerProcess, dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No tree of a run that is over, no copy that was tested, no process; what was fetched stays."""
    work = server.data / "changes"
    assert not [each for each in psutil.process_iter() if _is_about(each, work)], "sandboxes end with their worker"
    monkeypatch.setenv("HANDRAIL_DATA", str(server.data))
    for place in ("trees", "scratch"):
        for each in (work / place).iterdir():
            # not young any more
            os.utime(each, (0, 0))
    async with opened(dsn) as database:
        await tidying.tidy(database, settings.load())
    assert [[each.name for each in (work / place).iterdir()] for place in ("trees", "scratch")] == [[], []]
    assert any((server.data / "mirrors").iterdir())


def _is_about(process: psutil.Process, folder: Path) -> bool:
    with suppress(psutil.NoSuchProcess):
        return any(str(folder) in word for word in process.cmdline())
    return False
