"""Commands for MCP: enroll, import; and wrap, gateway and serve, the programs that MCP clients start."""

from __future__ import annotations

import json
import os
import secrets
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from handrail.cli import enrolling, output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server

app = typer.Typer(no_args_is_help=True, help="MCP servers behind Handrail: policy and holds in front of their tools.")

Json = dict[str, Any]

_PASSED_ON: Json = {"allow_extra_args": True, "ignore_unknown_options": True, "allow_interspersed_args": False}
_NoJson = Annotated[bool, typer.Option("--json", help="It never prints anything else.", hidden=True)]


@client(app)
def enroll(server: Server) -> None:
    """Add an agent for the MCP servers of this machine, and keep its token here, where only you can read it."""
    name, file = enrolled(server)
    if server.as_json:
        output.as_json({"principal": name, "config": str(file)})
    else:
        output.say(f"MCP servers on this machine now ask Handrail as {wording.line(name)}.")
        output.say(f"Its token is in {file}.")


class Known(StrEnum):
    claude = "claude"
    cursor = "cursor"
    codex = "codex"
    vscode = "vscode"


@client(app, "import")
def import_(
    server: Server,
    which: Annotated[Known, typer.Argument(help="claude, cursor, codex or vscode.", metavar="CLIENT")],
    project: Annotated[
        bool, typer.Option("--project/--user", help="Of this folder, or your own servers (the default).")
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Put the configuration back as it was.")] = False,
) -> None:
    """Put the servers that a client already has behind Handrail, each under its name; --undo puts them back."""
    from handrail.cli import mcp_import
    from handrail.cli.mcp_clients import CLIENTS
    from handrail_mcp import config

    known, folder = CLIENTS[which], Path.cwd() if project else None
    if undo:
        file = mcp_import.put_back(which, known, folder)
        said: Json = {"file": str(file), "gated": [], "left": {}}
    else:
        if _read(config.home() / "config.json") is None:
            enrolled(server)
        file, found = mcp_import.put_behind(which, known, folder)
        said = {"file": str(file), "gated": list(found.gated), "left": dict(found.left)}
    if server.as_json:
        output.as_json(said)
    elif undo:
        output.say(f"{file} is as it was. Restart {known.title}.")
    else:
        output.say(f"{len(said['gated'])} servers of {file} are behind Handrail now. Restart {known.title}.")
        for name, why in said["left"].items():
            output.say(f"NOT behind Handrail: {wording.line(name)}: {why}.")


@app.command(context_settings=_PASSED_ON)
def wrap(context: typer.Context, as_json: _NoJson = True) -> None:
    """Put Handrail in front of one server: `handrail mcp wrap [--name NAME] -- command …`."""
    _run("wrap", context)


@app.command(context_settings=_PASSED_ON)
def gateway(context: typer.Context, as_json: _NoJson = True) -> None:
    """Put Handrail in front of the servers of a file: `handrail mcp gateway --config servers.json`."""
    _run("gateway", context)


@app.command(context_settings=_PASSED_ON)
def serve(context: typer.Context, as_json: _NoJson = True) -> None:
    """Be an MCP server itself: ask a person, request an approval, wait, status."""
    _run("serve", context)


def _run(command: str, context: typer.Context) -> None:
    from handrail_mcp.main import run

    run([command, *context.args])


def enrolled(server: Server) -> tuple[str, Path]:
    """The agent's name, and the file with its new token. Its earlier token is revoked."""
    from handrail_mcp import config

    file = config.home() / "config.json"
    again = f"Remove {file} and enroll again."
    name = enrolling.enroll(server, "mcp", "MCP", _read(file), lambda made: _write(file, made), again)
    return name, file


def _read(file: Path) -> Json | None:
    try:
        found: Json = json.loads(file.read_text(encoding="utf-8"))
        return found if found.get("principal") else None
    except (OSError, ValueError, AttributeError):
        return None


def _write(file: Path, said: Json) -> None:
    """The owner's alone from its first moment."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        json.dump(said, out)
    draft.replace(file)
