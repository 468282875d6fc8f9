"""What docs/mcp.md and the README show of MCP works as it is written."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
import typer.main

from handrail.cli import mcp
from handrail_mcp import config
from handrail_mcp.main import parser

ROOT = Path(__file__).parents[3]
DOCUMENT = (ROOT / "docs" / "mcp.md").read_text("utf-8")
SHOWN = DOCUMENT + (ROOT / "README.md").read_text("utf-8")
COMMANDS = re.findall(r"^handrail (mcp .+?)(?: +#.*)?$", SHOWN, re.MULTILINE)
BLOCKS = re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)


def check(words: list[str]) -> None:
    if words[0] in ("wrap", "gateway", "serve"):
        parser().parse_args(words)
    else:
        typer.main.get_command(mcp.app).make_context("mcp", words)


def test_the_documents_show_some() -> None:
    assert (len(COMMANDS) >= 5, len(BLOCKS)) == (True, 2)


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_is_one(line: str) -> None:
    check(shlex.split(line)[1:])


@pytest.mark.parametrize("block", BLOCKS)
def test_a_configuration_starts_a_command_that_is_one(block: str, tmp_path: Path) -> None:
    file = tmp_path / "servers.json"
    file.write_text(block)
    [server] = config.servers(file)
    assert server.command[:2] == ("handrail", "mcp")
    check(list(server.command[2:]))
    assert json.loads(block)["mcpServers"][server.name]
