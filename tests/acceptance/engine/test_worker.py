"""A worker lives with what workflows do to it: each run in a process of its own, none of which is missed."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
import server as servers
from server import ServerProcess, until

from handrail.store.claims import LEASE_SECONDS
from handrail.store.embedded import Server

FILE = Path(__file__).with_name("handrail.toml")


@pytest.fixture(scope="module")
def database() -> Generator[Server]:
    """A database that nobody starts again but the test."""
    folder = Path(tempfile.mkdtemp(prefix="handrail-worker-"))
    database = Server(folder, durable=False)
    try:
        yield database
    finally:
        database.stop()
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def server(database: Server) -> Generator[ServerProcess]:
    variables = {"HANDRAIL_WORKFLOWS_FILE": str(FILE), "HANDRAIL_CONCURRENCY": "2", "HANDRAIL_LOG_LEVEL": "info"}
    with servers.running("up", **variables, HANDRAIL_DATABASE_URL=database.start()) as server:
        server.serves("walk")
        yield server


@pytest.fixture
def http(server: ServerProcess) -> Generator[httpx.Client]:
    with server.client() as client:
        yield client


def start(http: httpx.Client, workflow: str, notes: Path | None = None, **fields: Any) -> str:
    given = {"notes": str(notes)} if notes else {}
    answer = http.post("/api/runs", json={"workflow": workflow, "input": given, **fields})
    assert answer.is_success, answer.text
    return answer.json()["id"]


def ended(http: httpx.Client, run: str) -> Any:
    def look() -> Any:
        seen = http.get(f"/api/runs/{run}").raise_for_status().json()
        return seen if seen["status"] in {"completed", "failed", "cancelled", "expired"} else None

    return until(look)


def lines(notes: Path) -> list[str]:
    return notes.read_text().splitlines() if notes.exists() else []


def test_workflows_are_published_and_a_broken_one_says_why(http: httpx.Client) -> None:
    found = {each["name"]: each for each in http.get("/api/workflows").json()["workflows"]}
    assert "has no attribute 'nothing'" in found["broken"]["error"]
    assert found["once_deadly"]["description"] == "Dies the first time"
    assert found["walk"]["error"] is None and "step" in found["walk"]["diagram"]


def test_a_run_asks_and_is_answered(http: httpx.Client) -> None:
    run = start(http, "asking")
    (hold,) = until(lambda: http.get("/api/holds", params={"run": run}).json()["holds"])
    say = {"verdict": "answer", "digest": hold["digest"], "answer": "blue"}
    http.post(f"/api/holds/{hold['id']}/reviews", json=say).raise_for_status()
    assert ended(http, run)["result"]["steps"] == ["blue", "step"]


@pytest.mark.parametrize("workflow", ["stuck", "blocked"])
def test_a_node_without_end_is_stopped_by_cancelling(http: httpx.Client, workflow: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    run = start(http, workflow, notes)
    (line,) = until(lambda: lines(notes))
    process = psutil.Process(int(line.split()[1]))
    http.post(f"/api/runs/{run}/cancel", json={}).raise_for_status()
    until(lambda: not process.is_running())
    assert ended(http, start(http, "walk"))["status"] == "completed"


def test_a_node_that_takes_more_time_than_the_run_has_is_stopped(http: httpx.Client, tmp_path: Path) -> None:
    run = ended(http, start(http, "blocked", tmp_path / "notes", budget={"seconds": 1}))
    assert (run["status"], run["error"]["code"]) == ("failed", "budget_exceeded")
    (line,) = lines(tmp_path / "notes")
    until(lambda: not psutil.pid_exists(int(line.split()[1])))


def test_a_run_whose_process_died_is_taken_up_again(http: httpx.Client, tmp_path: Path) -> None:
    run = ended(http, start(http, "once_deadly", tmp_path / "notes"))
    assert run["result"]["steps"] == ["step", "lived"]
    assert len({line.split()[1] for line in lines(tmp_path / "notes")}) == 2
    (left,) = (line.split()[0].partition("-")[2] for line in lines(tmp_path / "notes") if line.startswith("left"))
    until(lambda: not psutil.pid_exists(int(left)))


def test_a_run_that_kills_every_worker_fails_and_names_the_node(http: httpx.Client, tmp_path: Path) -> None:
    run = ended(http, start(http, "deadly", tmp_path / "notes"))
    assert (run["error"]["code"], run["error"]["node"]) == ("worker_lost", "die")
    assert len(lines(tmp_path / "notes")) == 4


def test_what_a_run_prints_is_logged_in_bounds(server: ServerProcess, http: httpx.Client) -> None:
    run = ended(http, start(http, "loud"))
    assert run["status"] == "completed"
    line = until(lambda: [line for line in server.output().splitlines() if "run_prints_too_much" in line])[0]
    assert run["id"] in line
    assert len(server.output()) < 4 << 20


def test_a_database_that_is_away_fails_no_run(http: httpx.Client, database: Server, tmp_path: Path) -> None:
    _outlives(http, database, tmp_path, seconds=2 * LEASE_SECONDS)


@pytest.mark.soak
def test_a_database_that_is_away_for_half_a_minute_fails_no_run(
    http: httpx.Client, database: Server, tmp_path: Path
) -> None:
    _outlives(http, database, tmp_path, seconds=30)


def _outlives(http: httpx.Client, database: Server, tmp_path: Path, seconds: float) -> None:
    """A run at work and one that waits go on as if nothing had been."""
    waiting = start(http, "asking")
    (hold,) = until(lambda: http.get("/api/holds", params={"run": waiting}).json()["holds"])
    working = start(http, "slow", tmp_path / "notes")
    until(lambda: lines(tmp_path / "notes"))
    database.stop()
    # the length of the outage is the experiment
    time.sleep(seconds)
    assert http.get("/health").status_code == 503
    database.start()
    until(lambda: http.get("/health").is_success)
    say = {"verdict": "answer", "digest": hold["digest"], "answer": "blue"}
    until(lambda: http.post(f"/api/holds/{hold['id']}/reviews", json=say).status_code != 503)
    assert ended(http, waiting)["result"]["steps"] == ["blue", "step"]
    assert ended(http, working)["result"]["steps"] == [str(number) for number in range(20)]


def test_a_worker_that_stops_hands_its_runs_over_between_two_steps(server: ServerProcess, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    with server.client() as http:
        run = start(http, "slow", notes)
    until(lambda: lines(notes))
    assert server.stop() == 0
    done = len(lines(notes))
    assert done < 20
    server.start()
    with server.client() as http:
        seen = ended(http, run)
    assert seen["result"]["steps"] == [str(number) for number in range(20)]
    assert [line.split()[1] for line in lines(notes)] == [str(number) for number in range(20)], "each step ran once"
