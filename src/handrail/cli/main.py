"""The command `handrail`: mounts the command groups. Each imports what it needs when it runs: starting is fast."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated, cast

import typer

from handrail.cli import (
    audit,
    away,
    backups,
    brake,
    change,
    completion,
    conformance,
    decisions,
    deliveries,
    demo,
    doctor,
    grants,
    graph,
    hindsight,
    hook,
    inbox,
    links,
    mcp,
    notifications,
    observe,
    packs,
    people,
    policy,
    runs,
    samples,
    server,
    sign_in,
    skills,
    sso,
    stream,
    tokens,
    workflows,
)
from handrail.cli.exits import MEANINGS

# \b keeps the lines as they are
EPILOG = "\n".join(["\b", "Exit codes:", *(f"  {exit.value}  {meaning}" for exit, meaning in MEANINGS.items())])

app = typer.Typer(
    help="Handrail: hold an agent's action until the right people have decided.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"handrail {version('handrail')}")
        raise typer.Exit


@app.callback()
def handrail(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None: ...


for group in (server, doctor, backups, inbox, packs, decisions, workflows, demo, sign_in, links, stream, conformance):
    app.add_typer(group.app)
app.add_typer(hindsight.app)
app.add_typer(runs.app, name="runs")
app.add_typer(skills.app, name="skills")
app.add_typer(people.app, name="people")
app.add_typer(away.app, name="away")
app.add_typer(policy.app, name="policy")
app.add_typer(audit.app, name="audit")
app.add_typer(change.app, name="change")
app.add_typer(brake.app, name="brake")
app.add_typer(observe.app, name="observe")
app.add_typer(grants.app, name="grants")
app.add_typer(samples.app, name="samples")
app.add_typer(deliveries.app, name="deliveries")
app.add_typer(notifications.app, name="notifications")
app.add_typer(hook.app, name="hook")
app.add_typer(mcp.app, name="mcp")
app.add_typer(tokens.app, name="token")
app.add_typer(sso.app, name="sso")
app.add_typer(graph.app, name="graph")
app.add_typer(completion.app, name="completion")


def run() -> None:
    """The entry point. What a terminal cannot show is replaced, not a reason to fail."""
    # httpx does without its own command line, whose import takes a third of a client command's start
    cast(dict[str, None], sys.modules)["httpx._main"] = None
    if completion.VARIABLE in os.environ:
        completion.begin()
    for out in (sys.stdout, sys.stderr):
        if isinstance(out, io.TextIOWrapper):
            out.reconfigure(errors="replace")
    app(prog_name="handrail")
