"""Coding agents' hooks as the agents run them: the installed script, a call on stdin, the answer on stdout."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from server import ServerProcess, environment, until

Json = dict[str, Any]

BEFORE = {"claude-code": "PreToolUse", "codex": "PreToolUse", "gemini": "BeforeTool"}
AFTER = {"claude-code": "PostToolUse", "codex": "PostToolUse", "gemini": "AfterTool"}
SETTINGS = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
}
EDIT: Json = {"tool_name": "Edit", "tool_input": {"file_path": "/srv/app/x.py", "old_string": "a", "new_string": "b"}}
READ: Json = {"tool_name": "Read", "tool_input": {"file_path": "/srv/app/x.py"}}


def call_of(agent: str, event: str | None = None, **said: Any) -> Json:
    """What the agent writes to its hook's stdin."""
    return {
        "hook_event_name": event or BEFORE[agent],
        "session_id": uuid4().hex,
        "tool_use_id": f"toolu_{uuid4().hex}",
        "cwd": "/srv/app",
        "transcript_path": "/home/dev/transcript.jsonl",
        **said,
    }


@dataclass(frozen=True)
class Ended:
    exit: int
    out: str
    err: str

    @property
    def said(self) -> Json:
        return json.loads(self.out)

    @property
    def decision(self) -> str:
        """allow, deny or block, whichever agent it is."""
        if self.exit == 2:
            return "block"
        assert self.exit == 0, self
        inner = self.said.get("hookSpecificOutput", {})
        return inner.get("permissionDecision") or self.said.get("decision") or "allow"

    @property
    def reason(self) -> str:
        inner = self.said.get("hookSpecificOutput", {})
        return inner.get("permissionDecisionReason") or self.said.get("reason") or ""


@dataclass(frozen=True)
class Hooked:
    """An agent whose hook was installed on a server."""

    server: ServerProcess
    agent: str

    @property
    def folder(self) -> Path:
        return self.server.folder / ".config" / "handrail" / "hooks" / f"{self.agent}-user"

    @property
    def config(self) -> Json:
        return json.loads((self.folder / "config.json").read_text())

    @property
    def settings(self) -> Json:
        return json.loads((self.server.folder / SETTINGS[self.agent]).read_text())

    @property
    def command(self) -> str:
        return self.settings["hooks"][BEFORE[self.agent]][0]["hooks"][0]["command"]

    def start(
        self, call: Mapping[str, Any] | bytes, cwd: Path | None = None, variables: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """The hook, as its agent would start it."""
        process = subprocess.Popen(
            ["/bin/sh", "-c", self.command],
            env={**environment(self.server.folder), **(variables or {})},
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdin is not None
        process.stdin.write(call if isinstance(call, bytes) else json.dumps(call).encode())
        process.stdin.close()
        # so that `communicate` leaves it alone
        process.stdin = None
        return process

    def ask(self, call: Mapping[str, Any] | bytes, cwd: Path | None = None) -> Ended:
        return ended(self.start(call, cwd))

    def held(self, call: Json) -> Json:
        """The hold of the call, once it waits."""
        case = f"{self.agent}/{call['session_id']}"
        with self.server.client() as http:
            [hold] = until(lambda: http.get("/api/holds", params={"case": case}).raise_for_status().json()["holds"])
        return hold

    def hold_of(self, call: Json) -> Json:
        """The same, decided or not."""
        case = f"{self.agent}/{call['session_id']}"
        with self.server.client() as http:
            [hold] = http.get("/api/holds", params={"case": case, "status": "all"}).raise_for_status().json()["holds"]
        return hold

    def review(self, hold: Json, verdict: str, **more: Any) -> Json:
        """As the administrator, who has every role and has not asked."""
        said = {"verdict": verdict, "digest": hold["digest"], **more}
        with self.server.client() as http:
            return http.post(f"/api/holds/{hold['id']}/reviews", json=said).raise_for_status().json()

    def amend(self, hold: Json, args: Json) -> None:
        """Amends the arguments, and approves what they have become."""
        amended = self.review(hold, "amend", amended_action={"name": hold["action"]["name"], "args": args})
        self.review(amended, "approve")


def ended(process: subprocess.Popen[bytes]) -> Ended:
    out, err = process.communicate(timeout=60)
    return Ended(process.returncode, out.decode(), err.decode())


def installed(server: ServerProcess, agent: str, *options: str) -> Hooked:
    ran = server.run("hook", "install", agent, *options, token=server.admin_token)
    assert ran.exit == 0, ran.err
    return Hooked(server, agent)
