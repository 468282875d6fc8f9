"""The README's tour, run as it stands: each block in one shell, against a server that `handrail up` runs."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from server import ServerProcess, beginning, environment

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"(?:<!-- tour: (?P<instead>[^>]*) -->\n)?```sh\n(?P<code>.*?)```", re.DOTALL)
PATIENCE_SECONDS = 90.0


class Shell:
    """One bash for the whole tour, so that variables and background jobs live on."""

    def __init__(self, server: ServerProcess) -> None:
        self._said = server.folder / "tour"
        path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
        self._output = self._said.open("wb")
        self._bash = subprocess.Popen(
            ["bash"],
            cwd=ROOT,
            env=environment(server.folder, HANDRAIL_URL=server.url, PATH=path, PYTHONUNBUFFERED="1"),
            stdin=subprocess.PIPE,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._blocks = 0

    def run(self, code: str) -> str:
        """Everything said so far, when the block is done."""
        assert self._bash.stdin is not None
        self._blocks += 1
        end = f"-- end of block {self._blocks} --"
        self._bash.stdin.write(f"{code}\necho '{end}'\n".encode())
        self._bash.stdin.flush()
        return self.until(end)

    def until(self, words: str) -> str:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while words not in (said := self._said.read_text()):
            assert time.monotonic() < deadline, f"waited in vain for {words!r} in:\n{said}"
            time.sleep(0.05)
        return said

    def close(self) -> None:
        assert self._bash.stdin is not None
        self._bash.stdin.close()
        try:
            self._bash.wait(PATIENCE_SECONDS)
        finally:
            # what the tour put in the background
            with suppress(ProcessLookupError):
                os.killpg(self._bash.pid, signal.SIGKILL)
            self._output.close()


@pytest.mark.timeout(900)
def test_the_tour() -> None:
    tour = (ROOT / "README.md").read_text().partition("## Five-minute tour")[2].partition("\n## ")[0]
    examples = {
        "HANDRAIL_SKILL_ROOTS": str(ROOT / "examples/skills"),
        "HANDRAIL_MODEL_ADVANCED": f"scripted:{ROOT / 'examples/scripts'}",
    }
    with beginning(HANDRAIL_ADMIN_TOKEN="", HANDRAIL_CONCURRENCY="2", **examples) as server:
        # the tour names the folder that `make up` uses
        (server.folder / ".handrail").symlink_to(server.data)
        shell = Shell(server)
        try:
            for block in BLOCK.finditer(tour):
                _take(block, shell, server)
            said = shell.run("")
        finally:
            shell.close()
    assert "Only people decide" in said
    assert said.count("refused, exit code 4") == 3
    assert "shop 1.4.2 runs in staging" in said
    assert "order-77: refunded" in said
    assert '"escalated_at": "' in said
    assert "left alone" in said
    assert "The audit log is intact" in said
    assert "NOT intact" in said and "found, exit code 1" in said
    assert "240 EUR refunded for order-77" in said
    assert "the configuration was reloaded" in said
    assert '{"name": "Ada"}' in said


def _take(block: re.Match[str], shell: Shell, server: ServerProcess) -> None:
    match block["instead"]:
        case "sign in":
            link = re.search(r"http://\S+sign-in\S+", server.output())
            assert link is not None, server.output()
            shell.run(f"handrail login --code '{link[0].rstrip(chr(39))}'")
        case "kill and start again":
            server.kill()
            server.start()
        case "start with skills":
            server.stop()
            server.start()
        case _:
            shell.run(block["code"])
            if "&\n" in block["code"]:
                _wait_for_a_hold(shell)


def _wait_for_a_hold(shell: Shell) -> None:
    """Until the program in the background has asked: a person would look again, too."""
    shell.run("until handrail pending --json | grep -q '\"pending\"'; do :; done")
