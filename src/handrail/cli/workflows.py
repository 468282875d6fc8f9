"""The command `workflows`: what can be run."""

from __future__ import annotations

import json
import re
import shlex
from typing import Annotated, Any

import typer

from handrail.cli import output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure

app = typer.Typer()

Json = dict[str, Any]

# as LangGraph draws them: `a --> b;`, `a -.-> b;`, `a -. words .-> b;`
_EDGE = re.compile(r"^\s*(?P<from>\S+) (?:-->|-\.->|-\. .*? \.->) (?P<to>\S+?);$", re.MULTILINE)
_ENDS = {"__start__": "start", "__end__": "end"}


@client(app)
def workflows(
    server: Server,
    name: Annotated[
        str | None, typer.Argument(help="Show this one: its input, its graph, and why it cannot run.")
    ] = None,
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
        output.say("No worker has registered a workflow. List yours in handrail.toml and start `handrail up`.")
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
    detail = f"No workflow is called {wording.line(name)}. Available: {names}."
    raise Failure(Exit.not_found, detail, {"code": "not_found", "detail": detail})


def _show(server: Server, one: Json) -> None:
    """As a page: what it is, what it takes, how to start it, and its steps."""
    if server.as_json:
        output.as_json(one)
        return
    output.say(f"{wording.line(one['name'])} ({_state(one)})")
    if one["description"]:
        output.say(wording.line(one["description"]))
    if one["error"]:
        output.say(f"\nIt cannot run:\n{wording.plain(one['error'])}")
    _show_input(one["input_schema"])
    if one["example"] is not None:
        given = wording.plain(shlex.quote(json.dumps(one["example"], ensure_ascii=False)))
        output.say(f"\nTry it:\n  handrail runs start {wording.line(one['name'])} --input {given}")
    if found := steps(one["diagram"] or ""):
        output.say("\nSteps:")
        for node, following in found.items():
            output.say(f"  {wording.line(node)} → {', '.join(map(wording.line, following))}")


def _show_input(schema: Json | None) -> None:
    if not schema:
        return
    output.say("\nInput:")
    if not schema.get("properties"):
        output.say(wording.block(schema))
        return
    output.table(("  FIELD", "TYPE", "", "WHAT"), [(f"  {row[0]}", *row[1:]) for row in fields(schema)])


def fields(schema: Json) -> list[tuple[str, str, str, str]]:
    """Of each field its name, type, whether it must be there, and what is known of it."""
    wanted: list[str] = schema.get("required") or []
    return [
        (
            wording.line(name),
            _type(schema, about),
            "required" if name in wanted else "",
            wording.line(about.get("description") or ""),
        )
        for name, about in schema["properties"].items()
    ]


def _type(schema: Json, about: Json) -> str:
    """In a word or two: `string`, `json or mermaid`, `integer or null`, `list of string`."""
    if "$ref" in about:
        known: Json = schema.get("$defs") or {}
        meant: Json = known.get(str(about["$ref"]).rpartition("/")[2]) or {}
        return _type({}, meant)
    if "enum" in about:
        return " or ".join(wording.line(value) for value in about["enum"])
    if "anyOf" in about:
        return " or ".join(_type(schema, one) for one in about["anyOf"])
    if about.get("type") == "array":
        items: Json = about.get("items") or {}
        return f"list of {_type(schema, items)}"
    return wording.line(about.get("type") or "any")


def steps(diagram: str) -> dict[str, list[str]]:
    """Which steps follow each, of a graph's Mermaid text; its ends are called `start` and `end`."""
    found: dict[str, list[str]] = {}
    for edge in _EDGE.finditer(diagram):
        node, following = (_ENDS.get(edge[part], edge[part]) for part in ("from", "to"))
        found.setdefault(node, []).append(following)
    return found
