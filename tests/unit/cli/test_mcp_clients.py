"""Configurations of MCP clients, with their servers behind Handrail."""

from __future__ import annotations

import json
import tomllib

import pytest

from handrail.cli.exits import Failure
from handrail.cli.mcp_clients import CLIENTS, restored, rewritten

WRAP = ["mcp", "wrap", "--name"]


@pytest.mark.parametrize("name", ["claude", "cursor", "vscode"])
def test_each_server_stays_in_its_place_with_handrail_in_front(name: str) -> None:
    client = CLIENTS[name]
    servers = {
        "my files": {"command": "npx", "args": ["-y", "files"], "env": {"KEY": "${KEY}"}, "disabled": False},
        "far": {"type": "http", "url": "https://x.example/mcp", "headers": {"Authorization": "Bearer ${T}"}},
        "old": {"type": "sse", "url": "https://x.example/sse"},
    }
    found = rewritten(client, json.dumps({"theme": "dark", client.key: servers}), "/opt/handrail")
    now = json.loads(found.text)
    assert now["theme"] == "dark"
    files, far, old = now[client.key].values()
    assert files == servers["my files"] | {
        "command": "/opt/handrail",
        "args": [*WRAP, "my_files", "--", "npx", "-y", "files"],
    }
    assert far["args"] == [*WRAP, "far", "--url", "https://x.example/mcp"]
    assert json.loads(far["env"]["HANDRAIL_MCP_HEADERS"]) == {"Authorization": "Bearer ${T}"}
    assert old == servers["old"]
    assert (found.gated, list(found.left)) == (("my files", "far"), ["old"])
    again = rewritten(client, found.text, "/opt/handrail")
    assert (again.gated, again.text) == ((), found.text)


CODEX = """\
# my model
model = "gpt-5"

[mcp_servers.files]
args = [  # where
  "-y", "a ] b",
]
command = "npx"
startup_timeout_sec = 20

[mcp_servers.files.env]
command = "not this one"

[mcp_servers."far"]
url = "https://x.example/mcp"

[profiles.x]
model = "o4"
"""


def test_codexs_comments_and_other_tables_stay() -> None:
    found = rewritten(CLIENTS["codex"], CODEX, "/opt/handrail")
    assert "# my model" in found.text
    now = tomllib.loads(found.text)
    assert now["mcp_servers"]["files"]["args"] == [*WRAP, "files", "--", "npx", "-y", "a ] b"]
    assert now["mcp_servers"]["files"]["env"] == {"command": "not this one"}
    assert (found.gated, list(found.left)) == (("files",), ["far"])


@pytest.mark.parametrize("text", ['mcp_servers = {a = {command = "x"}}', "not toml", "mcp_servers = 3"])
def test_what_cannot_be_changed_without_touching_the_rest_is_refused(text: str) -> None:
    with pytest.raises(Failure):
        rewritten(CLIENTS["codex"], text, "/opt/handrail")


def test_what_somebody_changed_since_stays_when_ours_is_taken_out() -> None:
    client = CLIENTS["claude"]
    before = json.dumps({"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}})
    after = rewritten(client, before, "/opt/handrail").text
    now = json.loads(after)
    now["mcpServers"]["b"]["command"] = "mine"
    now["mcpServers"]["c"] = {"command": "z"}
    back = json.loads(restored(client, json.dumps(now), before, after))["mcpServers"]
    assert back["a"] == {"command": "x"}
    assert (back["b"]["command"], back["c"]) == ("mine", {"command": "z"})
