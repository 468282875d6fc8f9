"""`handrail up` and its kin as processes: first start, stops, kills, shared data, ports."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
import server as servers
from server import HANDRAIL, Ran, ServerProcess, environment
from team import CONFIRMATION, team_of
from zygote import Process

from handrail.store.embedded.folder import Folder


def test_a_stranger_signs_in_with_the_printed_link():
    with servers.beginning(HANDRAIL_ADMIN_TOKEN="") as server:
        [link] = set(re.findall(r"http://\S+#code=[\w-]+", server.output()))

        signed_in = server.run("login", "--code", link)
        waiting = server.run("pending")

        assert "as admin" in signed_in.out
        assert waiting.out == "No holds are waiting for a decision.\n"

        # later starts have nothing to hand out, and say how to get back in
        server.stop()
        server.is_forked = True
        server.start()
        assert "#code=" not in server.output()
        assert server.run("pending").exit == 0
        new = server.run("admin-link", "--data", str(server.data), "--json").json()
        assert server.run("login", "--code", new["url"]).exit == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_stop_is_clean_and_leaves_nothing_running(number: signal.Signals):
    with servers.by_command() as server:
        processes = server.processes()

        # impatience must not leave the database behind
        os.kill(server.pid, number)
        os.kill(server.pid, number)

        assert server.wait() == 0
        assert len(processes) > 2
        assert not any(process.is_running() for process in processes)
        assert "Traceback" not in server.output()
        assert server.output().rstrip().endswith("Handrail has stopped.")


def test_a_stop_lets_those_who_wait_go(server: ServerProcess):
    team = team_of(server)
    hold = team.ask(**CONFIRMATION)
    with (
        server.client(team.agent) as http,
        http.stream("GET", "/api/events", params={"after": 0}) as stream,
        _waiting(server, team.agent, hold["id"]) as waiting,
    ):
        lines = stream.iter_lines()
        while "hold.opened" not in next(lines):
            pass
        # answered after the wait has begun: requests are taken in the order in which they came
        http.get("/health").raise_for_status()

        assert server.stop() == 0
        answer = waiting.recv(65536)

    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert b'"status":"pending"' in answer
    assert "Traceback" not in server.output()


@contextmanager
def _waiting(server: ServerProcess, token: str, hold_id: str) -> Generator[socket.socket]:
    """A connection over which a wait for a decision has been sent."""
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=30) as connection:
        path = f"/api/holds/{hold_id}/wait?timeout=60"
        head = f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {token}\r\n\r\n"
        connection.sendall(head.encode())
        yield connection


def test_a_hold_outlives_the_death_of_everything(server: ServerProcess):
    team = team_of(server)
    hold = team.ask(**CONFIRMATION)

    server.kill()
    dead = server.run("pending", token=team.team_lead)
    server.start()
    alive = server.run("approve", hold["id"], "--yes", token=team.team_lead)

    assert (dead.exit, alive.exit) == (6, 0)
    assert team.hold(hold["id"])["status"] == "approved"


def test_a_second_one_on_the_same_data_shares_the_database(server: ServerProcess):
    second = ServerProcess(server.folder, HANDRAIL_ADMIN_TOKEN=server.admin_token)
    second.is_forked = True
    second.start()
    try:
        team = team_of(server)
        hold = team.ask(**CONFIRMATION)

        server.stop()
        done = second.run("approve", hold["id"], "--yes", token=team.team_lead)

        assert second.url != server.url
        assert done.exit == 0
    finally:
        assert second.stop() == 0
    assert server.processes() == []


def test_a_port_that_is_taken_is_said_before_anything_is_started(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        failed = _handrail(tmp_path, "up", "--data", str(tmp_path / "data"), "--port", port)

    assert failed.exit == 1
    assert f"Port {port}" in failed.err
    assert "--port" in failed.err
    assert not (tmp_path / "data").exists()


def test_a_data_folder_that_cannot_be_used_is_said_in_a_line(tmp_path: Path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")

    failed = _handrail(tmp_path, "up", "--data", str(blocked / "data"), "--port", "0")

    assert failed.exit == 1
    assert "--data" in failed.err
    assert failed.err.count("\n") == 1


def test_a_host_for_others_needs_allowed_hosts(tmp_path: Path):
    failed = _handrail(tmp_path, "serve", "--data", str(tmp_path / "data"), "--host", "0.0.0.0", "--port", "0")

    assert failed.exit == 1
    assert "HANDRAIL_ALLOWED_HOSTS" in failed.err
    assert "Traceback" not in failed.err


def test_a_wrong_database_url_is_said_without_its_password(tmp_path: Path):
    url = "postgresql://me:hunter2@127.0.0.1:9/none"

    failed = _handrail(tmp_path, "worker", HANDRAIL_DATABASE_URL=url)

    assert failed.exit == 6
    assert "hunter2" not in failed.err
    assert "Traceback" not in failed.err


def test_a_part_that_dies_stops_the_whole(server: ServerProcess):
    with psycopg.connect(Folder(server.data).dsn, autocommit=True) as conn:
        conn.execute("ALTER TABLE holds RENAME TO elsewhere")

    assert server.wait() == 1
    assert server.processes() == []
    assert "Part of Handrail failed" in server.output()


@contextmanager
def beside(server: ServerProcess, *words: str, **variables: str) -> Generator[tuple[Process, IO[str]]]:
    """Another process on the server's data, which does not outlive the block, and what it prints."""
    ours, theirs = os.pipe()
    with os.fdopen(ours) as printed, os.fdopen(theirs, "wb") as out, Path(os.devnull).open("wb") as errors:
        command = [str(HANDRAIL), *words, "--data", str(server.data)]
        process = servers.forked(command, environment(server.folder, **variables), out, errors)
        out.close()
        try:
            yield process, printed
        finally:
            process.kill()


def test_a_worker_does_the_background_work_and_stops_when_told(shared_server: ServerProcess):
    with beside(shared_server, "worker") as (worker, printed):
        assert "worker is running" in printed.readline()
        worker.terminate()
        assert worker.wait(30) == 0


@pytest.mark.parametrize("command", ["up", "serve", "worker"])
def test_a_program_reads_where_it_runs(shared_server: ServerProcess, command: str):
    words = ["--health", "127.0.0.1:0"] if command == "worker" else ["--port", "0"]
    # without the first administrator's token it would be revoked
    known = {"HANDRAIL_ADMIN_TOKEN": shared_server.admin_token}
    calm = {"HANDRAIL_CONCURRENCY": "1", "HANDRAIL_LOG_LEVEL": "warning", **known}
    with beside(shared_server, command, "--json", *words, **calm) as (process, printed):
        told = ""
        while not told.endswith("}\n"):
            line = printed.readline()
            assert line, told
            told += line
        where = json.loads(told)
        assert where["data"] == str(shared_server.data)
        health = where["health"] if command == "worker" else f"{where['url']}/health"
        servers.until(lambda: httpx.get(health, trust_env=False, timeout=30, verify=servers.NO_CERTIFICATES).is_success)
        process.terminate()
        assert process.wait(30) == 0
        assert printed.read() == ""


def test_a_backup_brings_everything_back(server: ServerProcess, tmp_path: Path):
    team = team_of(server)
    hold = team.ask(**CONFIRMATION)
    file, data = tmp_path / "handrail.backup", str(tmp_path / "data")

    made = server.run("backup", str(file), "--data", str(server.data))
    twice = server.run("backup", str(file), "--data", str(server.data))
    nowhere = server.run("backup", str(tmp_path / "other"), "--data", str(tmp_path / "nothing"))
    server.stop()
    restored = server.run("restore", str(file), "--data", data)
    again = server.run("restore", str(file), "--data", data, "--json")

    assert (made.exit, twice.exit, nowhere.exit, restored.exit, again.exit) == (0, 5, 3, 0, 5)
    assert json.loads(again.err)["code"] == "conflict"
    shutil.copytree(server.data / "audit", Path(data) / "audit")
    server.data = Path(data)
    server.start()
    assert team.hold(hold["id"])["status"] == "pending"


def _handrail(home: Path, *words: str, **variables: str) -> Ran:
    return servers.ran([str(HANDRAIL), *words], environment(home, **variables))
