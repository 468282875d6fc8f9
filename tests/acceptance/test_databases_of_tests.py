"""The tests' own server: shared by all workers of a run, and gone after it, also after Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import database as databases
import psutil
import pytest

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
    (tmp_path / "test_specimen.py").write_text(SPECIMEN)
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "conftest", f"-n{workers}", "--rootdir", tmp_path, tmp_path],
        env={key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
        | {"PYTHONPATH": str(Path(databases.__file__).parent)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        servers = {wait_for(tmp_path / f"running-{n}", run) for n in range(workers or 1)}
        assert len(servers) == 1
        folder, pid = servers.pop().split()

        os.killpg(run.pid, signal.SIGINT)
        run.communicate(timeout=120)
        assert not Path(folder).exists()
        assert not psutil.pid_exists(int(pid))
    finally:
        run.kill()
        run.communicate()


def wait_for(file: Path, run: subprocess.Popen[str]) -> str:
    deadline = time.monotonic() + 120
    while not file.exists():
        assert run.poll() is None, run.communicate()[0]
        assert time.monotonic() < deadline, f"no {file}"
        time.sleep(0.01)
    return file.read_text()
