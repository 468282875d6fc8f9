"""The emergency brake reaches runs at work, in whatever worker, and lets them go on when it is lifted."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
import server as servers
from server import HANDRAIL, ServerProcess, environment, forked, until

FILE = Path(__file__).with_name("handrail.toml")
GATES = 3


@pytest.fixture(scope="module")
def server() -> Generator[ServerProcess]:
    """A server that runs one run at a time, and a worker beside it that does too."""
    variables = {"HANDRAIL_WORKFLOWS_FILE": str(FILE), "HANDRAIL_CONCURRENCY": "1"}
    with servers.running(**variables) as server:
        server.serves("gated")
        command = [str(HANDRAIL), "worker", "--data", str(server.data)]
        with (server.folder / "worker").open("wb") as output:
            worker = forked(command, environment(server.folder, **variables), output)
        try:
            yield server
        finally:
            worker.terminate()
            worker.wait(servers.STOP_SECONDS)


@pytest.fixture
def http(server: ServerProcess) -> Generator[httpx.Client]:
    with server.client() as client:
        yield client
        client.post("/api/brake/lift", json={"reason": "the test is over"})


def start(http: httpx.Client, workflow: str, notes: Path) -> str:
    for number in range(GATES):
        os.mkfifo(f"{notes}.{number}")
    answer = http.post("/api/runs", json={"workflow": workflow, "input": {"notes": str(notes)}})
    assert answer.is_success, answer.text
    return answer.json()["id"]


def brake(http: httpx.Client, pending: str) -> None:
    http.post("/api/brake", json={"pending": pending, "reason": "smoke"}).raise_for_status()


def lift(http: httpx.Client) -> None:
    http.post("/api/brake/lift", json={"reason": "a false alarm"}).raise_for_status()


def has(http: httpx.Client, run: str, status: str) -> Any:
    seen = http.get(f"/api/runs/{run}").raise_for_status().json()
    return seen if seen["status"] == status else None


def lines(notes: Path) -> list[str]:
    return notes.read_text().splitlines() if notes.exists() else []


def process_of(notes: Path) -> psutil.Process:
    return psutil.Process(int(lines(notes)[-1].split()[1]))


def let_through(notes: Path, number: int) -> None:
    """Blocks until the node waits there."""
    Path(f"{notes}.{number}").write_text("through")


def test_runs_of_slow_nodes_pause_in_every_worker_and_go_on_when_the_brake_is_lifted(
    http: httpx.Client, tmp_path: Path
) -> None:
    both = {start(http, "gated", notes): notes for notes in (tmp_path / "one", tmp_path / "two")}
    for notes in both.values():
        until(lambda notes=notes: lines(notes))
    parents = {process_of(notes).ppid() for notes in both.values()}
    assert len(parents) == 2, "each worker has one of them"
    brake(http, "freeze")
    assert http.post("/api/runs", json={"workflow": "walk", "input": {}}).json()["code"] == "braked"
    for run, notes in both.items():
        let_through(notes, 0)
        until(lambda run=run: has(http, run, "paused"))
        # what it did is kept, and nothing else was begun
        assert [step["node"] for step in http.get(f"/api/runs/{run}").json()["steps"]] == ["gate_0"]
        assert len(lines(notes)) == 1
    lift(http)
    for run, notes in both.items():
        for number in range(1, GATES):
            let_through(notes, number)
        assert until(lambda run=run: has(http, run, "completed"))["result"]["steps"] == ["gate-0", "gate-1", "gate-2"]
        assert len(lines(notes)) == GATES


def test_a_run_that_the_brake_denies_is_stopped_in_the_middle_of_its_step(http: httpx.Client, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    run = start(http, "gated", notes)
    until(lambda: lines(notes))
    process = process_of(notes)
    brake(http, "deny")
    # the answer to the brake says so already
    assert has(http, run, "cancelled")
    until(lambda: not process.is_running())
    lift(http)
    assert has(http, run, "cancelled") and len(lines(notes)) == 1


def in_sandbox() -> list[psutil.Process]:
    return [each for each in psutil.process_iter(["cmdline"]) if each.info["cmdline"] == ["sleep", "98.7654"]]


@pytest.mark.parametrize("pending", ["freeze", "deny"])
def test_a_command_in_the_sandbox_ends_when_the_brake_is_set(http: httpx.Client, tmp_path: Path, pending: str) -> None:
    run = start(http, "boxed", tmp_path / "notes")
    until(in_sandbox)
    brake(http, pending)
    until(lambda: has(http, run, "paused" if pending == "freeze" else "cancelled"))
    until(lambda: not in_sandbox())
    lift(http)
    if pending == "freeze":
        # it is not as if the command had said something: it runs again
        until(in_sandbox)
        assert len(lines(tmp_path / "notes")) == 2
        http.post(f"/api/runs/{run}/cancel", json={}).raise_for_status()
