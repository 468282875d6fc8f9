"""docs/tour.md, played exactly as it stands: each block in one shell, as a person pastes it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from database import new_folder
from server import ServerProcess, environment

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
TOUR_SECONDS = 600


@pytest.mark.timeout(TOUR_SECONDS + 60)
def test_the_tour() -> None:
    blocks = BLOCK.findall((ROOT / "docs" / "tour.md").read_text())
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    home = new_folder()
    # what `make setup` does, this suite began with; set -e: a person would stop at the first thing that fails
    script = "make() { :; }\nset -euo pipefail\n" + "\n".join(blocks)
    # a file: what a tour that failed left running would hold a pipe open
    with (home / "said").open("wb") as output:
        bash = subprocess.Popen(
            ["bash", "-c", script],
            cwd=ROOT,
            env=environment(home, PATH=path, PYTHONUNBUFFERED="1", TMPDIR=str(home)),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        bash.wait(TOUR_SECONDS)
    finally:
        # what a tour that failed left in the background
        with suppress(ProcessLookupError):
            os.killpg(bash.pid, signal.SIGKILL)
    said = (home / "said").read_text()
    assert bash.returncode == 0, said
    assert "Only people decide" in said and "refused, exit code 4" in said
    assert "shop 1.4.2 runs in staging" in said
    assert "order-77: refunded" in said
    assert "240 EUR refunded for order-77" in said
    assert "The audit log is intact" in said
    assert "NOT intact" in said and "found, exit code 1" in said
    assert not list(home.glob("tmp.*")), "the tour leaves nothing behind"


def test_the_readme_makes_a_token_with_which_an_agent_asks(shared_server: ServerProcess) -> None:
    block = next(found for found in BLOCK.findall((ROOT / "README.md").read_text()) if "my-agent" in found)
    ran = subprocess.run(
        ["bash", "-c", f"source() {{ :; }}\nset -euo pipefail\n{block}\nhandrail whoami"],
        env=environment(
            new_folder(),
            PATH=f"{Path(sys.executable).parent}:/usr/bin:/bin",
            HANDRAIL_URL=shared_server.url,
            HANDRAIL_DATA=str(shared_server.data),
        ),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "my-agent (agent) at" in ran.stdout
