"""The plugin for Claude Code, installed by Claude Code's own commands: hook and MCP server in one step."""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
import server as servers
from hook_world import Hooked
from server import ServerProcess

from adapters.coding_world import CLAUDE, SECONDS, agent_environment
from adapters.scripted_model import Model, scripted

PLUGIN = Path(__file__).parents[1] / "integrations" / "claude-code"


@pytest.fixture(scope="module")
def server() -> Generator[ServerProcess]:
    with servers.running() as server:
        for words in (["marketplace", "add", str(PLUGIN)], ["install", "handrail@handrail"]):
            ran = subprocess.run(
                [CLAUDE, "plugin", *words],
                env=servers.environment(server.folder, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1"),
                capture_output=True,
                text=True,
                check=False,
                timeout=SECONDS,
            )
            assert ran.returncode == 0, ran.stdout + ran.stderr
        yield server


def environment(server: ServerProcess, model: Model) -> dict[str, str]:
    """With the `handrail` that the plugin starts, and nothing else of this checkout."""
    return {**agent_environment(server, model), "PATH": f"{servers.HANDRAIL.parent}:/usr/bin:/bin"}


@contextmanager
def session(server: ServerProcess, work: Path) -> Generator[tuple[Model, subprocess.Popen[str]]]:
    with scripted("Bash", {"command": f"touch {work}/made"}) as model:
        process = subprocess.Popen(
            [CLAUDE, "-p", "do it", "--allowedTools", "Bash"],
            env=environment(server, model),
            cwd=work,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with process:
            try:
                yield model, process
            finally:
                process.kill()


def test_the_plugin_blocks_until_its_machine_is_enrolled_and_then_asks(server: ServerProcess, tmp_path: Path) -> None:
    with session(server, tmp_path) as (model, process):
        process.communicate(timeout=SECONDS)
        assert "not enrolled" in model.results[0]
        assert not (tmp_path / "made").exists()

    ran = server.run("hook", "install", "claude-code", "--plugin", token=server.admin_token)
    assert ran.exit == 0, ran.err
    status = server.run("hook", "status", "--json", token=server.admin_token)
    assert [(one["state"], one["settings"]) for one in status.json()["hooks"]] == [("works", "the plugin")]

    hooked = Hooked(server, "claude-code")
    with session(server, tmp_path) as (model, process), server.client() as http:
        [hold] = servers.until(lambda: http.get("/api/holds", params={"text": "touch"}).json()["holds"])
        assert not (tmp_path / "made").exists()
        hooked.review(hold, "approve")
        process.communicate(timeout=SECONDS)
        assert (tmp_path / "made").exists()
        assert http.get(f"/api/holds/{hold['id']}").json()["result"]["outcome"] == "succeeded"
        assert len(http.get("/api/holds", params={"text": "touch", "status": "all"}).json()["holds"]) == 1
    # a session does not wait for MCP servers, and on a busy machine it ends before this one is there
    ran = subprocess.run(
        [CLAUDE, "mcp", "list"],
        env=environment(server, model),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    assert "plugin:handrail:handrail: handrail mcp serve - ✔ Connected" in ran.stdout
