"""The program as a whole: what every command has in common, and what starting it does without."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from handrail.cli.main import app

SLOW = ["langchain_core", "langgraph", "numpy", "faiss", "prompt_toolkit", "tree_sitter"]


def commands(found: Any, name: str = "handrail") -> Iterator[tuple[str, Any]]:
    if hasattr(found, "commands"):
        for word, inner in found.commands.items():
            yield from commands(inner, f"{name} {word}")
    else:
        yield name, found


@pytest.mark.parametrize(
    "command", [pytest.param(*pair[1:], id=pair[0]) for pair in commands(typer.main.get_command(app))]
)
def test_every_command_can_print_json(command: Any):
    assert any("--json" in option.opts for option in command.params)


def test_the_version_is_told():
    told = CliRunner().invoke(app, ["--version"])
    assert (told.exit_code, told.output) == (0, f"handrail {version('handrail')}\n")


@pytest.mark.parametrize(
    ("module", "slow"),
    [
        ("handrail.cli.main", [*SLOW, "fastapi", "httpx", "asyncio", "pydantic"]),
        ("handrail.cli.serving", SLOW),
        ("handrail.cli.upkeep", [*SLOW, "fastapi", "uvicorn"]),
        ("handrail.store.signing", [*SLOW, "fastapi", "structlog", "psycopg"]),
    ],
)
def test_what_only_others_need_is_not_imported_at_a_start(module: str, slow: list[str]):
    code = f"import sys, {module}; print([name for name in {slow} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"
