"""`handrail serve --processes 2`: deaths, stops, streams across processes, limits and figures."""

from __future__ import annotations

import json
import os
import signal
import tempfile
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import httpx
import psutil
import psycopg
import pytest
import server as servers
from server import ServerProcess, wait_for_end
from team import CONFIRMATION, team_of

from handrail.store.embedded.folder import Folder

PROCESSES = ("serve", "--processes", "2")


@pytest.fixture
def served() -> Generator[ServerProcess]:
    with watched(servers.running(*PROCESSES)) as server:
        yield server


@pytest.fixture
def commanded() -> Generator[ServerProcess]:
    """By its command line: one that is forked has its signer from the tests, and cannot wait for its end."""
    with watched(servers.by_command(*PROCESSES)) as server:
        yield server


@contextmanager
def watched(starting: AbstractContextManager[ServerProcess]) -> Generator[ServerProcess]:
    with starting as server:
        everything = psutil.Process(server.pid).children()
        try:
            yield server
        finally:
            # it clears up behind itself, unless the test has killed it; then the others see that it is gone
            if psutil.pid_exists(server.pid):
                everything += psutil.Process(server.pid).children()
                server.stop()
            wait_for_end(everything)


def answering(server: ServerProcess) -> list[psutil.Process]:
    """Those that answer: they alone keep figures."""
    return [each for each in psutil.Process(server.pid).children() if _keeps_figures(each)]


def background(server: ServerProcess) -> psutil.Process:
    """The other one that uses the database."""
    users = server.data / "postgres" / "users"
    children = psutil.Process(server.pid).children()
    [found] = [each for each in children if any(users.glob(f"{each.pid}-*")) and not _keeps_figures(each)]
    return found


def _keeps_figures(process: psutil.Process) -> bool:
    """By the names of files: what a process has open is shown to root alone."""
    return any(Path(tempfile.gettempdir()).glob(f"handrail-metrics-*/counter_{process.pid}.db"))


@contextmanager
def only(server: ServerProcess, chosen: psutil.Process) -> Generator[None]:
    """For as long, new connections reach this process alone: the others are stopped."""
    others = [process for process in answering(server) if process != chosen]
    for process in others:
        process.suspend()
    try:
        yield
    finally:
        for process in others:
            process.resume()


def test_one_that_is_killed_is_replaced_and_requests_are_answered(served: ServerProcess):
    first, second = answering(served)

    first.kill()
    psutil.wait_procs([first])
    for _ in range(20):
        with served.client() as http:
            assert http.get("/health").status_code == 200
    [new] = servers.until(lambda: [each for each in answering(served) if each != second])
    with only(served, new), served.client() as http:
        assert http.get("/health").status_code == 200

    assert served.stop() == 0
    assert "process.replaced" in served.output()


def test_the_log_grows_when_the_one_that_numbers_events_is_killed(served: ServerProcess):
    team = team_of(served)
    dead = background(served)

    dead.kill()
    psutil.wait_procs([dead])
    hold = team.ask(**CONFIRMATION)

    with served.client(team.agent) as http, http.stream("GET", "/api/events", params={"after": 0}) as stream:
        lines = stream.iter_lines()
        while hold["id"] not in next(lines):
            continue


def test_a_decision_in_one_is_seen_by_a_stream_of_another(served: ServerProcess):
    team = team_of(served)
    hold = team.ask(**CONFIRMATION)
    first, second = answering(served)

    with served.client(team.team_lead) as deciding, served.client(team.agent) as following:
        with only(served, first):
            deciding.get("/health").raise_for_status()
        with only(served, second):
            stream = following.send(following.build_request("GET", "/api/events"), stream=True)
            lines = stream.iter_lines()
            assert next(lines)
        review = {"verdict": "approve", "digest": hold["digest"]}
        decided = deciding.post(f"/api/holds/{hold['id']}/reviews", json=review).raise_for_status()
        assert (_owner(served, decided), _owner(served, stream)) == (first, second)
        while "hold.decided" not in next(lines):
            continue
        stream.close()


def _owner(server: ServerProcess, answer: httpx.Response) -> psutil.Process:
    """The process that has the other end of the connection."""
    ours = answer.extensions["network_stream"].get_extra_info("client_addr")
    [found] = [each for each in answering(server) if ours in {one.raddr for one in each.net_connections("tcp")}]
    return found


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_the_first_process_ends_all(commanded: ServerProcess, number: signal.Signals):
    everything = [*psutil.Process(commanded.pid).children(recursive=True), *commanded.processes()]

    os.kill(commanded.pid, number)
    os.kill(commanded.pid, number)

    assert commanded.wait() == 0
    wait_for_end(everything)
    assert "Traceback" not in commanded.output()
    assert commanded.output().rstrip().endswith("Handrail has stopped.")


def test_they_do_not_outlive_the_first_process(commanded: ServerProcess):
    children = psutil.Process(commanded.pid).children(recursive=True)

    commanded.kill_process()

    wait_for_end(children)


def test_a_part_that_fails_ends_all(commanded: ServerProcess):
    with psycopg.connect(Folder(commanded.data).dsn, autocommit=True) as conn:
        conn.execute("ALTER TABLE holds RENAME TO elsewhere")

    assert commanded.wait() == 1
    assert "Part of Handrail failed" in commanded.output()


def test_figures_are_those_of_all_and_outlive_the_process_that_counted(served: ServerProcess):
    first, second = answering(served)
    for each in (first, second):
        with only(served, each), served.client() as http:
            http.get("/api/me").raise_for_status()

    first.kill()
    psutil.wait_procs([first])

    with served.client() as http:
        figures = http.get("/metrics").raise_for_status().text
    assert 'handrail_requests_total{method="GET",route="/api/me",status="200"} 2.0' in figures


def test_guesses_are_bounded_however_they_are_spread():
    limit = 3
    with watched(servers.running(*PROCESSES, HANDRAIL_TOKEN_FAILURES_PER_ADDRESS=f"{limit}/hour")) as server:
        codes: list[int] = []
        for each in answering(server) * 5:
            with only(server, each), server.client("hr_" + "x" * 40) as http:
                codes.append(http.get("/api/me").status_code)

    assert codes.count(401) == 2 * limit
    assert codes.count(429) == len(codes) - 2 * limit


def test_the_chat_refuses_polling_which_may_reach_another_process(served: ServerProcess):
    with served.client() as http:
        refused = http.get("/ws/chat/", params={"EIO": "4", "transport": "polling"})

    assert refused.status_code == 400
    assert "transport" in json.loads(refused.text).lower()
