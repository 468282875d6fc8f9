"""Processes of tests that are forked behave as those of the command line do, and outlive nobody."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
import server as servers
from server import ServerProcess

STARTS = """
import sys
from pathlib import Path
from server import HANDRAIL, environment, forked

with open(sys.argv[1], "wb") as output:
    command = [str(HANDRAIL), "up", "--data", sys.argv[2], "--port", "0"]
    print(forked(command, environment(Path(sys.argv[2])), output).pid)
"""


@pytest.fixture
def absent(tmp_path: Path) -> ServerProcess:
    """One that was never started."""
    made = ServerProcess(tmp_path)
    made.url = "http://127.0.0.1:1"
    return made


@pytest.mark.parametrize("words", [["--version"], ["no-such-command"], ["whoami"], ["pending", "--json"]])
def test_a_forked_command_ends_and_prints_as_one_of_the_command_line(absent: ServerProcess, words: list[str]) -> None:
    by_command = absent.run(*words, token="hr_none", COLUMNS="70")
    absent.is_forked = True
    assert absent.run(*words, token="hr_none", COLUMNS="70") == by_command


def test_a_kill_is_told_as_a_kill() -> None:
    with servers.running() as server:
        os.kill(server.pid, signal.SIGKILL)
        assert server.wait() == -signal.SIGKILL


def test_it_ends_with_the_one_that_started_it(tmp_path: Path) -> None:
    variables = {**os.environ, "PYTHONPATH": str(Path(servers.__file__).parent)}
    command = [sys.executable, "-c", STARTS, tmp_path / "output", tmp_path / "data"]
    pid = int(subprocess.run(command, env=variables, check=True, capture_output=True, text=True).stdout)
    servers.until(lambda: not psutil.pid_exists(pid))
