"""The real Claude Code, Codex and Gemini CLI: what runs, what waits, what the model reads, and what fails open."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import psutil
import pytest
import server as servers
from hook_world import BEFORE, SETTINGS, Hooked, Json, installed
from mcp_world import trial
from server import ServerProcess, until

from adapters.coding_world import (
    CLAUDE,
    SECONDS,
    TITLES,
    TOOLS,
    Session,
    agent_environment,
    prepare,
    session,
    start,
    words,
)
from adapters.scripted_model import scripted

DOCUMENT = Path(__file__).parents[1] / "docs" / "coding-agents.md"


@pytest.fixture(scope="module")
def server() -> Generator[ServerProcess]:
    with servers.running() as server:
        prepare(server)
        for agent in TOOLS:
            installed(server, agent)
        yield server


@pytest.fixture(params=TOOLS)
def hooked(server: ServerProcess, request: pytest.FixtureRequest) -> Hooked:
    return Hooked(server, request.param)


@contextmanager
def changed(file: Path, change: Callable[[Json], object]) -> Generator[None]:
    before = file.read_text()
    said = json.loads(before)
    change(said)
    file.write_text(json.dumps(said))
    try:
        yield
    finally:
        file.write_text(before)


def config_with(hooked: Hooked, **values: object) -> AbstractContextManager[None]:
    return changed(hooked.folder / "config.json", lambda said: said.update(values))


def test_a_command_that_only_reads_runs_unasked(hooked: Hooked, tmp_path: Path) -> None:
    (tmp_path / "here").touch()
    with session(hooked, tmp_path, "ls {}") as one:
        assert "here" in one.ended()
        with hooked.server.client() as http:
            found = http.get("/api/holds", params={"status": "approved", "limit": 1}).json()["holds"][0]
    assert (found["title"], found["risk"], found["result"]["outcome"]) == (
        f"{TITLES[hooked.agent]}: ls {tmp_path}",
        "low",
        "succeeded",
    )


def test_an_approved_command_runs(hooked: Hooked, tmp_path: Path) -> None:
    with session(hooked, tmp_path) as one:
        hold = one.held()
        assert one.made == []
        hooked.review(hold, "approve")
        one.ended()
        assert one.made == ["made"]
        with hooked.server.client() as http:
            assert http.get(f"/api/holds/{hold['id']}").json()["result"]["outcome"] == "succeeded"


def test_an_amended_command_runs_as_amended(hooked: Hooked, tmp_path: Path) -> None:
    with session(hooked, tmp_path) as one:
        hold = one.held()
        hooked.amend(hold, {**hold["action"]["args"], "command": f"touch {tmp_path}/made-by-people"})
        one.ended()
        assert one.made == ["made-by-people"]


def test_a_rejection_reaches_the_model_with_its_reason(hooked: Hooked, tmp_path: Path) -> None:
    with session(hooked, tmp_path) as one:
        hooked.review(one.held(), "reject", reason="Not in this folder")
        assert "Not in this folder" in one.ended()
        assert one.made == []


def test_a_call_that_nobody_decides_is_refused_as_still_pending(hooked: Hooked, tmp_path: Path) -> None:
    with config_with(hooked, wait=0.5), session(hooked, tmp_path) as one:
        assert "Still pending" in one.ended()
        assert one.made == []


def test_without_the_server_nothing_runs(hooked: Hooked, tmp_path: Path) -> None:
    with config_with(hooked, url="http://127.0.0.1:9", wait=1), session(hooked, tmp_path) as one:
        assert "cannot be reached" in one.ended()
        assert one.made == []


def test_an_agent_that_died_waiting_finds_its_decision_when_its_session_is_resumed(
    hooked: Hooked, tmp_path: Path
) -> None:
    # the others note the call as ended, and their model makes it again; Gemini forgets it, so it is the first again
    with session(hooked, tmp_path, again=hooked.agent != "gemini") as one:
        hold = one.held()
        one.die()
        hooked.review(hold, "approve")
        assert one.made == []
        one.process = start(hooked, one.model, tmp_path, resumed=hold["case_id"].partition("/")[2])
        one.ended()
        assert one.made == ["made"]
        with hooked.server.client() as http:
            params = {"case": hold["case_id"], "status": "all"}
            [same] = http.get("/api/holds", params=params).json()["holds"]
    assert (same["id"], same["result"]["outcome"]) == (hold["id"], "succeeded")


def test_a_hook_that_is_killed_blocks(hooked: Hooked, tmp_path: Path) -> None:
    with session(hooked, tmp_path) as one:
        one.held()
        _of_hook(one, "python")[0].kill()
        assert "Handrail blocked this call" in one.ended()
        assert one.made == []


def test_an_agents_own_timeout_and_a_killed_shell_block_claude_code_and_no_other(
    hooked: Hooked, tmp_path: Path
) -> None:
    runs = hooked.agent != "claude-code"
    event = BEFORE[hooked.agent]

    def hurried(said: Json) -> None:
        said["hooks"][event][0]["hooks"][0]["timeout"] = 1000 if hooked.agent == "gemini" else 1

    late, killed = tmp_path / "late", tmp_path / "killed"
    late.mkdir()
    killed.mkdir()
    with changed(_settings(hooked), hurried), session(hooked, late) as one:
        if hooked.agent == "gemini":
            # it kills the shell and waits for the program, whose no it then does not read
            hold = one.held()
            until(lambda: not _of_hook(one, "sh"))
            hooked.review(hold, "reject")
        one.ended()
        assert one.asked()
        assert one.made == (["made"] if runs else [])
    with session(hooked, killed) as one:
        one.held()
        for process in _of_hook(one, "sh") + _of_hook(one, "python"):
            process.kill()
        one.ended()
        assert one.made == (["made"] if runs else [])


def test_codex_runs_a_hook_that_nobody_trusted_not_at_all(server: ServerProcess, tmp_path: Path) -> None:
    codex = Hooked(server, "codex")
    with scripted("exec_command", {"cmd": f"touch {tmp_path}/made"}) as model:
        command = [word for word in words("codex", model) if word != "--dangerously-bypass-hook-trust"]
        environ = agent_environment(server, model)
        subprocess.run(command, env=environ, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    with codex.server.client() as http:
        assert http.get("/api/holds", params={"text": tmp_path.name, "status": "all"}).json()["holds"] == []
    assert (tmp_path / "made").exists()


def test_gemini_names_a_tool_of_a_server_as_other_agents_do(server: ServerProcess, tmp_path: Path) -> None:
    gemini = Hooked(server, "gemini")
    command, *args = trial("ledger", str(tmp_path / "done"))
    shop = {"my_shop": {"command": command, "args": args}}
    with (
        changed(_settings(gemini), lambda said: said.update(mcpServers=shop)),
        scripted("mcp_my_shop_book", {"at": tmp_path.name}) as model,
        start(gemini, model, tmp_path) as process,
        server.client() as http,
    ):
        try:
            [hold] = until(lambda: http.get("/api/holds", params={"text": "mcp__my_shop__book"}).json()["holds"])
            assert hold["action"] == {"name": "mcp__my_shop__book", "args": {"at": tmp_path.name}, "target": None}
            assert not (tmp_path / "done").exists()
            gemini.review(hold, "approve")
            process.communicate(timeout=SECONDS)
            assert json.loads((tmp_path / "done").read_text()) == ["book", {"at": tmp_path.name}]
            assert http.get(f"/api/holds/{hold['id']}").json()["result"]["outcome"] == "succeeded"
        finally:
            process.kill()


@pytest.mark.parametrize("token", ["good", "hr_bad"])
def test_claude_code_asks_over_http_too(server: ServerProcess, tmp_path: Path, token: str) -> None:
    claude = Hooked(server, "claude-code")
    [block] = re.findall(r"```json\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    only = json.loads(block.replace("https://handrail.example.org", server.url))
    given = claude.config["token"] if token == "good" else token
    alone = changed(_settings(claude), lambda said: (said.clear(), said.update(only)))
    with alone, session(claude, tmp_path, HANDRAIL_TOKEN=given) as one:
        if token == "good":
            claude.review(one.held(), "approve")
        one.ended()
        assert one.made == (["made"] if token == "good" else [])


def test_a_deferred_session_is_resumed_by_the_decision(server: ServerProcess, tmp_path: Path) -> None:
    work, path = tmp_path / "work", tmp_path / "bin"
    work.mkdir()
    path.mkdir()
    (path / "claude").symlink_to(CLAUDE)
    claude = installed(server, "claude-code", "--defer")
    try:
        with session(claude, work) as one:
            out, err = one.process.communicate(timeout=SECONDS)
            assert json.loads(out)["stop_reason"] == "tool_deferred", err
            assert one.made == []
            with server.client() as http:
                found = http.get("/api/holds", params={"text": "made"}).json()["holds"]
            [hold] = [each for each in found if str(work) in each["title"]]
            claude.review(hold, "approve")
            environ = agent_environment(server, one.model) | {"PATH": f"{path}:{os.environ['PATH']}"}
            done = subprocess.run(
                [servers.HANDRAIL, "hook", "resume", "--json", "--", "--allowedTools", "Bash"],
                env=environ | {"HANDRAIL_URL": server.url, "HANDRAIL_TOKEN": server.admin_token},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=True,
                timeout=SECONDS,
            )
            assert one.made == ["made"], done
    finally:
        installed(server, "claude-code")


def _settings(hooked: Hooked) -> Path:
    return hooked.server.folder / SETTINGS[hooked.agent]


def _of_hook(one: Session, program: str) -> list[psutil.Process]:
    """The hook's processes of one kind, the innermost first."""
    found = psutil.Process(one.process.pid).children(recursive=True)
    script = str(one.hooked.folder)
    return [each for each in reversed(found) if script in " ".join(each.cmdline()) and program in each.exe()]
