"""The commands and settings that docs/coding-agents.md and the README show of hooks are ones."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer.main

from handrail.cli import hook, observe
from handrail.cli.hook_settings import AGENTS

ROOT = Path(__file__).parents[3]
DOCUMENT = (ROOT / "docs" / "coding-agents.md").read_text("utf-8")
SHOWN = DOCUMENT + (ROOT / "README.md").read_text("utf-8")
IN_BLOCKS = re.findall(r"^handrail (hook .+?)(?: +#.*)?$", SHOWN, re.MULTILINE)
IN_TEXT = [" ".join(found.split()) for found in re.findall(r"`handrail ((?:hook|observe) [^`]+)`", DOCUMENT)]
COMMANDS = sorted({*IN_BLOCKS, *IN_TEXT})
APPS = {"hook": hook.app, "observe": observe.app}


def test_the_document_shows_some() -> None:
    assert len(COMMANDS) >= 8


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_is_one(line: str) -> None:
    program, name, *words = shlex.split(line)
    group: Any = typer.main.get_command(APPS[program])
    group.commands[name].make_context(name, words)


def test_the_hook_over_http_fails_closed_and_waits_less_than_claude_code() -> None:
    [block] = re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)
    [group] = json.loads(block)["hooks"][AGENTS["claude-code"].before]
    [handler] = group["hooks"]
    assert (group["matcher"], handler["type"], handler["onFailure"]) == ("*", "http", "block")
    assert int(handler["url"].partition("?wait=")[2]) < handler["timeout"]
