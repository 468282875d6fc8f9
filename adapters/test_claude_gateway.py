"""The real Claude Code, with an MCP server that is behind `handrail mcp wrap`; and with the hook as well."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
import server as servers
from hook_world import installed
from mcp_world import Json, Office, trial
from server import HANDRAIL

from adapters.coding_world import CLAUDE, SECONDS, agent_environment
from adapters.scripted_model import Model, scripted


@pytest.fixture
def office() -> Generator[Office]:
    with servers.running() as server:
        yield Office(server)


@contextmanager
def session(office: Office, work: Path, tool: str) -> Generator[tuple[Model, subprocess.Popen[str]]]:
    words = ["mcp", "wrap", "--name", "trial", "--", *trial("ledger", str(work / "done"))]
    config = {"mcpServers": {"trial": {"command": str(HANDRAIL), "args": words}}}
    options = ["--strict-mcp-config", "--allowedTools", "mcp__trial__book,mcp__trial__look"]
    with scripted(f"mcp__trial__{tool}", {"at": work.name}) as model:
        process = subprocess.Popen(
            [CLAUDE, "-p", "do it", "--mcp-config", json.dumps(config), *options],
            env=agent_environment(office.server, model),
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


def done(work: Path) -> list[Json]:
    file = work / "done"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def test_claude_code_waits_for_people_in_front_of_an_mcp_server(office: Office, tmp_path: Path) -> None:
    low, approved, amended, rejected = (tmp_path / name for name in ("low", "approved", "amended", "rejected"))
    for folder in (low, approved, amended, rejected):
        folder.mkdir()
    with session(office, low, "look") as (model, process):
        process.communicate(timeout=SECONDS)
        assert done(low) == [["look", {"at": "low"}]]
    with session(office, approved, "book") as (model, process):
        hold = office.held("mcp__trial__book")
        assert done(approved) == []
        office.review(hold, "approve")
        process.communicate(timeout=SECONDS)
        assert done(approved) == [["book", {"at": "approved"}]]
    with session(office, amended, "book") as (model, process):
        action = {"name": "mcp__trial__book", "args": {"at": "where people said"}}
        office.review(office.review(office.held("mcp__trial__book"), "amend", amended_action=action), "approve")
        process.communicate(timeout=SECONDS)
        assert done(amended) == [["book", {"at": "where people said"}]]
    with session(office, rejected, "book") as (model, process):
        office.review(office.held("mcp__trial__book"), "reject", reason="Fully booked")
        process.communicate(timeout=SECONDS)
        assert "Fully booked" in model.results[0]
        assert done(rejected) == []


def test_with_the_hook_as_well_people_are_asked_twice_and_it_runs_once(office: Office, tmp_path: Path) -> None:
    hook = installed(office.server, "claude-code")
    with session(office, tmp_path, "book") as (_, process):
        first = office.held("mcp__trial__book")
        assert first["opened_by"]["name"] == hook.config["principal"]
        office.review(first, "approve")
        waiting = servers.until(lambda: [h for h in office.holds("mcp__trial__book") if h["id"] != first["id"]])
        assert waiting[0]["opened_by"]["name"] == office.principal
        assert done(tmp_path) == []
        office.review(waiting[0], "approve")
        process.communicate(timeout=SECONDS)
        assert len(done(tmp_path)) == 1
