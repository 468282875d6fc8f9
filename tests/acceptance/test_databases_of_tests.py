"""The tests' own server: shared by all workers of a run, and gone after it, also after Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import database as databases
import psutil
import pytest

PYTEST = [sys.executable, "-m", "pytest", "-p", "xdist.plugin", "-p", "conftest"]
SPECIMEN = """
import os
import threading
from pathlib import Path

import pytest

@pytest.mark.parametrize("n", range(2))
def test_that_does_not_end(database: str, n: int) -> None:
    folder = Path(os.environ["HANDRAIL_TEST_SERVER_FOLDER"])
    pid = (folder / "postgres/cluster/postmaster.pid").read_text().split()[0]
    Path(__file__).with_name(f"draft-{n}").write_text(f"{folder} {pid}")
    Path(__file__).with_name(f"draft-{n}").rename(Path(__file__).with_name(f"running-{n}"))
    threading.Event().wait()
"""


@pytest.mark.parametrize("workers", [0, 2])
def test_ctrl_c_leaves_nothing_running(workers: int, tmp_path: Path) -> None:
    with specimen(tmp_path, workers) as run:
        folder, pid = server_of(tmp_path, run, workers or 1)
        os.killpg(run.pid, signal.SIGINT)
        run.communicate(timeout=120)
    assert not Path(folder).exists()
    assert ends(pid)


def test_the_next_run_clears_away_what_a_killed_one_left(tmp_path: Path) -> None:
    with specimen(tmp_path, 0) as run:
        folder, pid = server_of(tmp_path, run, 1)
    assert psutil.pid_exists(pid)

    subprocess.run([*PYTEST, "--collect-only", tmp_path], env=environment(), check=True, capture_output=True)
    assert not Path(folder).exists()
    assert ends(pid)


@contextmanager
def specimen(folder: Path, workers: int) -> Generator[subprocess.Popen[str]]:
    (folder / "test_specimen.py").write_text(SPECIMEN)
    with heeding_ctrl_c():
        run = subprocess.Popen(
            [*PYTEST, f"-n{workers}", "--rootdir", folder, folder],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
    try:
        yield run
    finally:
        run.kill()
        run.communicate(timeout=60)


@contextmanager
def heeding_ctrl_c() -> Generator[None]:
    """For what is started in the block, also where these tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def environment() -> dict[str, str]:
    own = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    return own | {"PYTHONPATH": str(Path(databases.__file__).parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def server_of(folder: Path, run: subprocess.Popen[str], tests: int) -> tuple[str, int]:
    servers = {wait_for(folder / f"running-{n}", run) for n in range(tests)}
    assert len(servers) == 1
    found, pid = servers.pop().split()
    return found, int(pid)


def wait_for(file: Path, run: subprocess.Popen[str]) -> str:
    deadline = time.monotonic() + 120
    while not file.exists():
        assert run.poll() is None, run.communicate()[0]
        assert time.monotonic() < deadline, f"no {file}"
        time.sleep(0.01)
    return file.read_text()


def ends(pid: int) -> bool:
    """A process lets go of its locks a moment before it is gone, and a zombie is gone too."""
    deadline = time.monotonic() + 120
    with suppress(psutil.NoSuchProcess):
        while psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
    return True
