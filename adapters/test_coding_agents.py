"""The real Claude Code and Codex, with a scripted model on loopback, behind the hook as it is installed.

Each asks for one command that makes a file; what happened is what the file system and the model say.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
import server as servers
from hook_world import BEFORE, Hooked, Json, installed
from server import ServerProcess, environment, until

from adapters.scripted_model import Model, scripted

CACHE = Path(os.environ.get("HANDRAIL_ADAPTERS", Path(__file__).parents[1] / ".adapters"))
CLAUDE = CACHE / "claude" / "claude_agent_sdk" / "_bundled" / "claude"
CODEX = CACHE / "codex" / "node_modules" / ".bin" / "codex"
TOOLS = {"claude-code": ("Bash", "command"), "codex": ("exec_command", "cmd")}
SECONDS = 120


@dataclass
class Session:
    """A run of an agent that asks for `touch made`."""

    hooked: Hooked
    model: Model
    work: Path
    process: subprocess.Popen[str]

    @property
    def made(self) -> list[str]:
        return sorted(file.name for file in self.work.iterdir() if file.name.startswith("made"))

    def held(self) -> Json:
        """The hold of the call, once it waits."""

        def look() -> list[Json]:
            assert self.process.poll() is None, self.process.communicate()
            with self.hooked.server.client() as http:
                found = http.get("/api/holds", params={"text": self.work.name}).json()["holds"]
            return [one for one in found if str(self.work) in one["title"]]

        return until(look)[0]

    def ended(self) -> str:
        """What the model was told of its call, once the agent has ended."""
        out, err = self.process.communicate(timeout=SECONDS)
        assert self.process.returncode == 0, (out, err)
        [result] = self.model.results
        return result

    def asked(self) -> bool:
        with self.hooked.server.client() as http:
            params = {"text": self.work.name, "status": "all"}
            return bool(http.get("/api/holds", params=params).json()["holds"])


@pytest.fixture(scope="module")
def server() -> Generator[ServerProcess]:
    with servers.running() as server:
        for agent in TOOLS:
            installed(server, agent)
        yield server


@pytest.fixture(params=TOOLS)
def hooked(server: ServerProcess, request: pytest.FixtureRequest) -> Hooked:
    return Hooked(server, request.param)


@contextmanager
def session(
    hooked: Hooked, work: Path, command: str = "touch {}/made", *options: str, **more: str
) -> Generator[Session]:
    tool, argument = TOOLS[hooked.agent]
    with scripted(tool, {argument: command.format(work)}) as model:
        process = subprocess.Popen(
            [*_command(hooked.agent, model), *options],
            env={**_environment(hooked.server, model), **more},
            cwd=work,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with process:
            try:
                yield Session(hooked, model, work, process)
            finally:
                process.kill()


def _command(agent: str, model: Model) -> list[str]:
    if agent == "claude-code":
        # without a hook, these commands would run unasked
        return [str(CLAUDE), "-p", "do it", "--output-format", "json", "--allowedTools", "Bash"]
    provider = f'{{name="scripted",base_url="{model.url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}}'
    settings = [f"model_providers.scripted={provider}", 'model_provider="scripted"', 'model="gpt-5"']
    options = ["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    trust = ["--dangerously-bypass-hook-trust"]
    return [str(CODEX), "exec", *options, *trust, *(word for one in settings for word in ("-c", one)), "do it"]


def _environment(server: ServerProcess, model: Model) -> dict[str, str]:
    ours = {name: value for name, value in environment(server.folder).items() if not name.lower().endswith("_proxy")}
    return {
        **ours,
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "sk-none",
        "OPENAI_API_KEY": "sk-none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }


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
    assert (found["title"], found["risk"], found["result"]["outcome"]) == (f"Bash: ls {tmp_path}", "low", "succeeded")


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


def test_a_hook_that_is_killed_blocks(hooked: Hooked, tmp_path: Path) -> None:
    with session(hooked, tmp_path) as one:
        one.held()
        _of_hook(one, "python")[0].kill()
        assert "Handrail blocked this call" in one.ended()
        assert one.made == []


def test_an_agents_own_timeout_and_a_killed_shell_block_claude_code_and_not_codex(
    hooked: Hooked, tmp_path: Path
) -> None:
    runs = hooked.agent == "codex"
    event = BEFORE[hooked.agent]

    def hurried(said: Json) -> None:
        said["hooks"][event][0]["hooks"][0]["timeout"] = 1

    late, killed = tmp_path / "late", tmp_path / "killed"
    late.mkdir()
    killed.mkdir()
    with changed(_settings(hooked), hurried), session(hooked, late) as one:
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
        words = [word for word in _command("codex", model) if word != "--dangerously-bypass-hook-trust"]
        environ = _environment(server, model)
        subprocess.run(words, env=environ, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    with codex.server.client() as http:
        assert http.get("/api/holds", params={"text": tmp_path.name, "status": "all"}).json()["holds"] == []
    assert (tmp_path / "made").exists()


@pytest.mark.parametrize("token", ["good", "hr_bad"])
def test_claude_code_asks_over_http_too(server: ServerProcess, tmp_path: Path, token: str) -> None:
    claude = Hooked(server, "claude-code")
    hook: Json = {
        "type": "http",
        "url": f"{server.url}/api/hooks/claude-code?wait=50",
        "headers": {"Authorization": "Bearer $HANDRAIL_HOOK_TOKEN"},
        "allowedEnvVars": ["HANDRAIL_HOOK_TOKEN"],
        "timeout": 60,
        "onFailure": "block",
    }
    given = claude.config["token"] if token == "good" else token
    only: Json = {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [hook]}]}}
    alone = changed(_settings(claude), lambda said: (said.clear(), said.update(only)))
    with alone, session(claude, tmp_path, HANDRAIL_HOOK_TOKEN=given) as one:
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
                [hold] = http.get("/api/holds", params={"text": "made"}).json()["holds"]
            claude.review(hold, "approve")
            environ = _environment(server, one.model) | {"PATH": f"{path}:{os.environ['PATH']}"}
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
    return hooked.server.folder / (".claude/settings.json" if hooked.agent == "claude-code" else ".codex/hooks.json")


def _of_hook(one: Session, program: str) -> list[psutil.Process]:
    """The hook's processes of one kind, the innermost first."""
    found = psutil.Process(one.process.pid).children(recursive=True)
    script = str(one.hooked.folder)
    return [each for each in reversed(found) if script in " ".join(each.cmdline()) and program in each.exe()]
