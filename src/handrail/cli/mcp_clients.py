"""The configurations of MCP clients: where each keeps its servers, and the same servers behind Handrail."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from handrail.cli.exits import Exit, Failure

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Client:
    """`key` is where the file has its servers."""

    title: str
    user_file: str
    project_file: str
    key: str = "mcpServers"
    home_variable: str | None = None

    def file(self, project: Path | None) -> Path:
        if project is not None:
            return project / self.project_file
        own = os.environ.get(self.home_variable) if self.home_variable else None
        return Path(own) / Path(self.user_file).name if own else Path.home() / self.user_file


CLIENTS: Mapping[str, Client] = {
    "claude": Client("Claude Code", ".claude.json", ".mcp.json", home_variable="CLAUDE_CONFIG_DIR"),
    "cursor": Client("Cursor", ".cursor/mcp.json", ".cursor/mcp.json"),
    "codex": Client("Codex", ".codex/config.toml", ".codex/config.toml", "mcp_servers", "CODEX_HOME"),
    "vscode": Client("VS Code", ".config/Code/User/mcp.json", ".vscode/mcp.json", "servers"),
}


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The new text, the servers that are behind Handrail now, and those that are not, with the reason."""

    text: str
    gated: tuple[str, ...]
    left: Mapping[str, str]


def rewritten(client: Client, text: str, program: str) -> Rewritten:
    """Every server in its place and under its name, started by `program`. Failure if the file cannot be kept whole."""
    toml = client.key == "mcp_servers"
    try:
        settings: Any = tomllib.loads(text) if toml else json.loads(text)
        servers = cast("dict[str, Json]", settings.get(client.key) or {})
        found = {name: _behind(name, about, program, toml=toml) for name, about in servers.items()}
    except (ValueError, AttributeError, TypeError) as error:
        raise Failure(Exit.refused, f"{client.title}'s configuration cannot be read ({error}).") from error
    gated = {name: one for name, one in found.items() if not isinstance(one, str)}
    left = {name: one for name, one in found.items() if isinstance(one, str)}
    expected = {**settings, client.key: {**servers, **gated}}
    if not toml:
        return Rewritten(json.dumps(expected, indent=2, ensure_ascii=False) + "\n", tuple(gated), left)
    for name, about in gated.items():
        text = _in_toml(text, name, about)
    try:
        kept = tomllib.loads(text) == expected
    except ValueError:
        kept = False
    if not kept:
        raise Failure(
            Exit.refused,
            "This file writes its servers in a way that cannot be changed without touching the rest. Write each as "
            "`[mcp_servers.NAME]` with `command` and `args`, or use `handrail mcp wrap` by hand.",
        )
    return Rewritten(text, tuple(gated), left)


def restored(client: Client, text: str, before: str, after: str) -> str:
    """The file with our servers as they were, if it was changed since; other changes stay. JSON alone."""
    now, old, ours = (cast(Json, json.loads(each)) for each in (text, before, after))
    servers: Json = dict(now.get(client.key) or {})
    for name, about in cast(Json, ours.get(client.key) or {}).items():
        if servers.get(name) == about:
            servers[name] = old[client.key][name]
    return json.dumps({**now, client.key: servers}, indent=2, ensure_ascii=False) + "\n"


def _behind(name: str, about: Json, program: str, *, toml: bool) -> Json | str:
    """The server's entry with Handrail in front, or why it stays as it is."""
    rule_name = re.sub(r"_{2,}", "_", re.sub(r"[^A-Za-z0-9_-]+", "_", name)).strip("_")[:32] or "server"
    start = ["mcp", "wrap", "--name", rule_name]
    args = about.get("args", [])
    if list(args[:2]) == ["mcp", "wrap"]:
        return "it is behind Handrail already"
    if "command" in about:
        return {**about, "command": program, "args": [*start, "--", about["command"], *args]}
    if toml or about.get("type") == "sse" or not about.get("url"):
        return "only commands and streamable HTTP can be changed here; put it into `handrail mcp gateway`"
    rest = {key: value for key, value in about.items() if key not in ("url", "headers", "type")}
    variables = {"HANDRAIL_MCP_HEADERS": json.dumps(about.get("headers") or {})}
    return {**rest, "type": "stdio", "command": program, "args": [*start, "--url", about["url"]], "env": variables}


def _in_toml(text: str, name: str, about: Json) -> str:
    """With the two lines of this server replaced, whatever else its table has."""
    quoted = rf'(?:{re.escape(name)}|"{re.escape(name)}")'
    table = re.compile(rf"^\[mcp_servers\.{quoted}\][^\n]*\n(?:(?!\[).*\n?)*", re.MULTILINE)
    lines = f"command = {json.dumps(about['command'])}\nargs = {json.dumps(about['args'])}\n"

    def replaced(found: re.Match[str]) -> str:
        head, _, body = found[0].partition("\n")
        body = re.sub(r"^command\s*=.*\n?", "", body, flags=re.MULTILINE)
        body = re.sub(
            r"^args\s*=\s*\[(?:[^\[\]\"']|\"(?:[^\"\\]|\\.)*\"|'[^']*')*\].*\n?", "", body, flags=re.MULTILINE
        )
        return f"{head}\n{lines}{body}"

    return table.sub(replaced, text, count=1)
