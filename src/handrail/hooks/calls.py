"""What an agent's hook says about a tool call, as one value for all agents."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from handrail.core import canonical, errors
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Action, ResultOutcome

Agent = Literal["claude-code", "codex", "gemini", "mcp"]
"""`mcp` is any client of an MCP server, behind Handrail's gateway: all of its tools are a server's."""

PREFIXES: Mapping[Agent, str] = {"claude-code": "claude", "codex": "codex", "gemini": "gemini", "mcp": "mcp"}
"""How an action's name begins; `code` in it would be a word that the policy reads."""

LONGEST_NAME = 200
LONGEST_KEY = 200
_SERVED = "mcp__"
_BEFORE = frozenset({"PreToolUse", "BeforeTool"})
_AFTER: Mapping[str, ResultOutcome] = {
    "PostToolUse": "succeeded",
    "PostToolUseFailure": "failed",
    "AfterTool": "succeeded",
}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call. Everything but the tool and its arguments is a claim of whoever sent it."""

    agent: Agent
    event: str
    session: str
    tool: str
    args: JsonObject
    use: str | None = None
    """The agent's own id of the call; Gemini has none."""
    at: str | None = None
    folder: str | None = None
    transcript: str | None = None
    local: JsonObject | None = None
    """Seen on its machine: `resolved_path`, `diff`; of a server's tool, `client`, `description`, `annotations`."""
    response: Json = None

    @property
    def ended(self) -> ResultOutcome | None:
        """How the call ended, if it has."""
        outcome = _AFTER.get(self.event)
        failed = isinstance(self.response, dict) and bool(self.response.get("error") or self.response.get("is_error"))
        return "failed" if outcome is not None and failed else outcome

    @property
    def action(self) -> Action:
        """A tool of an MCP server keeps its name, by which the operator registers it for all agents."""
        served = self.tool.startswith(_SERVED)
        return Action(self.tool if served else f"{PREFIXES[self.agent]}.{self.tool}", self.args)

    @property
    def case_id(self) -> str:
        """A session's calls are one case."""
        return f"{self.agent}/{self.session}"

    @property
    def key(self) -> str:
        """The idempotency key: one hold for each call of a session."""
        use = self.use or hashlib.sha256(canonical.encode([self.at, self.tool, self.args])).hexdigest()
        key = f"{self.agent}:{self.session}:{use}"
        return key if len(key) <= LONGEST_KEY else hashlib.sha256(key.encode()).hexdigest()


def read(agent: Agent, said: JsonObject) -> ToolCall:
    """The call that a hook reports. Rejected names the field; unknown fields are ignored, because agents add some."""
    event = _text(said, "hook_event_name")
    if event not in _BEFORE and event not in _AFTER:
        raise errors.InvalidField(f"`hook_event_name` is {event!r:.80}, not a tool call", field="hook_event_name")
    args = said.get("tool_input")
    if not isinstance(args, dict):
        raise errors.InvalidField("`tool_input` must be an object", field="tool_input")
    tool = _text(said, "tool_name")
    if agent == "mcp" and not re.fullmatch(r"mcp__[A-Za-z0-9_-]+?__.+", tool, re.DOTALL):
        raise errors.InvalidField(f"`tool_name` is {tool!r:.80}, not mcp__SERVER__TOOL", field="tool_name")
    if agent == "gemini":
        tool = _of_server(tool, said.get("mcp_context")) or tool
    local = said.get("handrail")
    return ToolCall(
        agent,
        event,
        _id(said, "session_id"),
        tool,
        args,
        use=_id(said, "tool_use_id") if agent != "gemini" else None,
        at=_maybe(said, "timestamp"),
        folder=_maybe(said, "cwd"),
        transcript=_maybe(said, "transcript_path"),
        local=local if isinstance(local, dict) else None,
        response=said.get("tool_response"),
    )


def _of_server(tool: str, context: Json) -> str | None:
    """The name that other agents give a tool of an MCP server. Gemini's own, `mcp_SERVER_TOOL`, can be read two ways,
    so it names both in a field apart."""
    if not tool.startswith("mcp_") or not isinstance(context, dict):
        return None
    names = [context.get("server_name"), context.get("tool_name")]
    parts = [re.sub(r"[^A-Za-z0-9_-]", "_", name) for name in names if isinstance(name, str) and name]
    joined = f"{_SERVED}{'__'.join(parts)}"
    return joined if len(parts) == 2 and len(joined) <= LONGEST_NAME else None


def _text(said: JsonObject, field: str) -> str:
    value = said.get(field)
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_NAME:
        raise errors.InvalidField(f"`{field}` must be a text of 1 to {LONGEST_NAME} characters", field=field)
    return value


def _id(said: JsonObject, field: str) -> str:
    value = _text(said, field)
    if not re.fullmatch(r"[\w.@-]+", value, re.ASCII) or value in {".", ".."}:
        raise errors.InvalidField(f"`{field}` must be an id of letters, digits, `.`, `_`, `@` and `-`", field=field)
    return value


def _maybe(said: JsonObject, field: str) -> str | None:
    value = said.get(field)
    return value if isinstance(value, str) else None
