"""The real coding agents, with a scripted model on loopback, behind the hook as it is installed.

Each asks for one command that makes a file; what happened is what the file system and the model say.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
from hook_world import SETTINGS, Hooked, Json
from server import ServerProcess, environment, until

from adapters.protocols import Call
from adapters.scripted_model import Model, scripted

CACHE = Path(os.environ.get("HANDRAIL_ADAPTERS", Path(__file__).parents[1] / ".adapters"))
CLAUDE = CACHE / "claude" / "claude_agent_sdk" / "_bundled" / "claude"
CODEX = CACHE / "codex" / "node_modules" / ".bin" / "codex"
GEMINI = CACHE / "gemini" / "node_modules" / ".bin" / "gemini"
TOOLS = {
    "claude-code": ("Bash", "command"),
    "codex": ("exec_command", "cmd"),
    "gemini": ("run_shell_command", "command"),
}
TITLES = {"claude-code": "Bash", "codex": "Bash", "gemini": "run_shell_command"}
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
        """What the model was told of its last call, once the agent has ended."""
        out, err = self.process.communicate(timeout=SECONDS)
        assert self.process.returncode == 0, (out, err)
        return self.model.results[-1]

    def die(self) -> None:
        """Kills the agent and nothing that it started; Codex is started by another program."""
        found = psutil.Process(self.process.pid).children(recursive=True)
        for each in [self.process, *(one for one in found if "codex" in Path(one.exe()).name)]:
            each.kill()
        self.process.communicate(timeout=SECONDS)

    def asked(self) -> bool:
        with self.hooked.server.client() as http:
            params = {"text": self.work.name, "status": "all"}
            return bool(http.get("/api/holds", params=params).json()["holds"])


def prepare(server: ServerProcess) -> None:
    """What a user of Gemini has chosen once: the key as the way to sign in."""
    file = server.folder / SETTINGS["gemini"]
    file.parent.mkdir()
    file.write_text(json.dumps({"security": {"auth": {"selectedType": "gemini-api-key"}}}))


@contextmanager
def session(
    hooked: Hooked, work: Path, command: str = "touch {}/made", *, again: bool = False, **more: str
) -> Generator[Session]:
    """The agent, started in its folder. With `again`, its model makes the same call once more after the first ended."""
    tool, argument = TOOLS[hooked.agent]
    args = {argument: command.format(work)}
    with scripted(tool, args, *([Call(tool, args)] if again else [])) as model:
        one = Session(hooked, model, work, start(hooked, model, work, **more))
        try:
            yield one
        finally:
            if one.process.poll() is None:
                one.die()


def start(hooked: Hooked, model: Model, work: Path, resumed: str | None = None, **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        words(hooked.agent, model, resumed),
        env={**agent_environment(hooked.server, model), **more},
        cwd=work,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def words(agent: str, model: Model, resumed: str | None = None) -> list[str]:
    """The command of an agent that would run every command unasked, were it not for its hook."""
    before = ["--resume", resumed] if resumed else []
    if agent == "claude-code":
        return [str(CLAUDE), "-p", "do it", "--output-format", "json", "--allowedTools", "Bash", *before]
    if agent == "gemini":
        options = ["--output-format", "json", "--approval-mode", "yolo", "--skip-trust", "-m", "gemini-2.5-flash"]
        return [str(GEMINI), "-p", "do it", *options, *before]
    provider = f'{{name="scripted",base_url="{model.url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}}'
    settings = [f"model_providers.scripted={provider}", 'model_provider="scripted"', 'model="gpt-5"']
    options = ["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    trust = ["--dangerously-bypass-hook-trust", *(word for one in settings for word in ("-c", one))]
    return [str(CODEX), "exec", *options, *trust, *(["resume", resumed] if resumed else []), "do it"]


def agent_environment(server: ServerProcess, model: Model) -> dict[str, str]:
    ours = {name: value for name, value in environment(server.folder).items() if not name.lower().endswith("_proxy")}
    return {
        **ours,
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "sk-none",
        "OPENAI_API_KEY": "sk-none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        # what an MCP server has to start in, in milliseconds: a busy machine is slow
        "MCP_TIMEOUT": f"{SECONDS * 1000}",
        "GOOGLE_GEMINI_BASE_URL": model.url,
        "GEMINI_API_KEY": "none",
        "GEMINI_CLI_NO_RELAUNCH": "true",
    }
