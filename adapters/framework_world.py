"""The programs of docs/frameworks, each in its framework's own environment, with a scripted model and a real server."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from server import ServerProcess, environment, until

from adapters.protocols import Call, Json
from adapters.scripted_model import Model, scripted

ROOT = Path(__file__).parents[1]
CACHE = Path(os.environ.get("HANDRAIL_ADAPTERS", ROOT / ".adapters"))
SECONDS = 120
ARGS: Json = {"order": "77", "amount": 120.5}
HURRIED = "__import__('handrail_sdk').AsyncHandrail(retry_for=1)"
"""A gate's client that gives up on a server that is away sooner than after 30 s."""


def blocks(framework: str) -> list[str]:
    """The programs of a framework's page: the first waits in the call, the second resumes after a crash."""
    page = (ROOT / "docs" / "frameworks" / f"{framework}.md").read_text("utf-8")
    return re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


@dataclass
class Program:
    """A program of the documentation, which may be killed and started again in the same folder and thread."""

    server: ServerProcess
    token: str
    framework: str
    model: Model
    folder: Path
    code: str
    thread: str = field(default_factory=lambda: f"order-{uuid4().hex}")
    process: subprocess.Popen[str] | None = None

    def start(self, **variables: str) -> None:
        file = self.folder / "program.py"
        file.write_text(self.code)
        self.process = subprocess.Popen(
            [CACHE / self.framework / "bin" / "python", file, self.thread],
            env={**self._environment(), **variables},
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.communicate()

    def ended(self) -> str:
        """What it printed, once it has ended well."""
        assert self.process is not None
        out, err = self.process.communicate(timeout=SECONDS)
        assert self.process.returncode == 0, err
        return out

    @property
    def refunds(self) -> list[str]:
        file = self.folder / "refunds.txt"
        return file.read_text().splitlines() if file.exists() else []

    @property
    def calls(self) -> list[Call]:
        """What the model asked for so far."""
        return [said for said in self.model.replies if isinstance(said, Call)]

    def holds(self, status: str = "all") -> list[Json]:
        """The holds of this conversation, oldest first."""
        with self.server.client() as http:
            params = {"case": self.thread, "status": status}
            found = http.get("/api/holds", params=params).raise_for_status().json()["holds"]
        return sorted(found, key=lambda hold: hold["opened_at"])

    def held(self) -> Json:
        """The hold that waits, once one does."""

        def look() -> list[Json]:
            assert self.process is not None
            assert self.process.poll() is None, self.process.communicate()
            return self.holds("pending")

        [hold] = until(look)
        return hold

    def review(self, hold: Json, verdict: str, **more: Any) -> Json:
        """As the administrator, who has every role and has not asked."""
        said = {"verdict": verdict, "digest": hold["digest"], **more}
        with self.server.client() as http:
            return http.post(f"/api/holds/{hold['id']}/reviews", json=said).raise_for_status().json()

    def amend(self, hold: Json, args: Json) -> None:
        amended = self.review(hold, "amend", amended_action={"name": hold["action"]["name"], "args": args})
        self.review(amended, "approve")

    def _environment(self) -> Mapping[str, str]:
        ours = environment(self.folder)
        return {
            **{name: value for name, value in ours.items() if not name.lower().endswith("_proxy")},
            "HANDRAIL_URL": self.server.url,
            "HANDRAIL_TOKEN": self.token,
            "OPENAI_BASE_URL": f"{self.model.url}/v1",
            "OPENAI_API_KEY": "sk-none",
            "ANTHROPIC_BASE_URL": self.model.url,
            "ANTHROPIC_API_KEY": "sk-none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "GOOGLE_GEMINI_BASE_URL": self.model.url,
            "GOOGLE_API_KEY": "none",
            # what some of them send home is no business of a test
            "OTEL_SDK_DISABLED": "true",
            "OPENAI_AGENTS_DISABLE_TRACING": "1",
        }


def low(framework: str) -> Call:
    """A call that only reads. Tools of MCP servers ask until they are registered, so Claude reads by its own."""
    if framework == "claude-agent-sdk":
        return Call("Read", {"file_path": "program.py"})
    return Call("find_order", {"order": "77"})


def refund(framework: str) -> Call:
    return Call("mcp__shop__send_refund" if framework == "claude-agent-sdk" else "send_refund", ARGS)


@contextmanager
def program(
    server: ServerProcess, framework: str, folder: Path, call: Call, *more: Call, block: int = 0, **edits: str
) -> Generator[Program]:
    """The page's program, not started yet; `edits` are further arguments of its gate."""
    if call.tool == "Read":
        call = Call(call.tool, {"file_path": str(folder / "program.py")})
    token = server.token_of(f"agent-{uuid4().hex[:8]}", kind="agent")
    code = blocks(framework)[block]
    for name, value in edits.items():
        code = code.replace("ToolGate(", f"ToolGate({name}={value}, ")
    with scripted(call.tool, call.args, *more) as model:
        one = Program(server, token, framework, model, folder, code)
        try:
            yield one
        finally:
            if one.process is not None:
                one.process.kill()
                one.process.communicate()
