"""The command `workflows`: what can be run."""

from __future__ import annotations

import json
import shlex
from typing import Annotated, Any

import typer

from handrail.cli import output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure

app = typer.Typer()

Json = dict[str, Any]


@client(app)
def workflows(
    server: Server,
    name: Annotated[str | None, typer.Argument(help="Show this one: its input, its graph, why it cannot run.")] = None,
) -> None:
    """List the workflows that workers serve, or show one."""
    found = server.get("/api/workflows")
    if name is not None:
        _show(server, _called(found["workflows"], name))
        return
    if server.as_json:
        output.as_json(found)
        return
    if not found["workflows"]:
        output.say("There is no workflow yet. Name yours in handrail.toml, and start `handrail up`.")
        return
    output.table(
        ("NAME", "STATE", "WHAT", "SEEN"),
        [
            (
                wording.line(one["name"]),
                _state(one),
                wording.line(one["description"] or ""),
                wording.ago(one["seen_at"]) if one["seen_at"] else "never",
            )
            for one in found["workflows"]
        ],
    )


def _state(one: Json) -> str:
    if one["error"]:
        return "cannot run"
    return "ready" if one["served"] else "no worker"


def _called(known: list[Json], name: str) -> Json:
    for one in known:
        if one["name"] == name:
            return one
    names = ", ".join(wording.line(one["name"]) for one in known) or "none"
    detail = f"No workflow is called {wording.line(name)}; there are {names}."
    raise Failure(Exit.not_found, detail, {"code": "not_found", "detail": detail})


def _show(server: Server, one: Json) -> None:
    if server.as_json:
        output.as_json(one)
        return
    output.say(f"{wording.line(one['name'])}: {wording.line(one['description'] or 'no description')}")
    if one["error"]:
        output.say(f"\nIt cannot run:\n{wording.plain(one['error'])}")
    if one["input_schema"]:
        output.say(f"\nInput:\n{wording.block(one['input_schema'])}")
    if one["example"] is not None:
        given = wording.plain(shlex.quote(json.dumps(one["example"], ensure_ascii=False)))
        output.say(f"\nTry it:\nhandrail runs start {wording.line(one['name'])} --input {given}")
    if one["diagram"]:
        output.say(f"\nGraph (Mermaid):\n{wording.plain(one['diagram'])}")
