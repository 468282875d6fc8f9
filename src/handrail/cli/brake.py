"""Commands on the emergency brake: brake on, off, status."""

from __future__ import annotations

from typing import Annotated

import typer

from handrail.cli import output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server

app = typer.Typer(no_args_is_help=True, help="The emergency brake: stop all agents or one, and release them.")

Agent = Annotated[str | None, typer.Option("--agent", help="Only this agent: a name or an id.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; shown to everyone who is stopped.", prompt=True)]


@client(app)
def on(
    server: Server,
    reason: Reason,
    agent: Agent = None,
    deny: Annotated[
        bool, typer.Option("--deny", help="Reject pending holds and cancel runs, instead of freezing them.")
    ] = False,
) -> None:
    """Stop: until the brake is off, nothing is opened, approved, answered or executed, and runs pause."""
    body = {"agent": agent, "pending": "deny" if deny else "freeze", "reason": reason}
    made = server.post("/api/brake", body)
    if server.as_json:
        output.as_json(made)
    else:
        whom = wording.line(made["agent"]["name"]) if made["agent"] else "everybody"
        what = (
            "Pending holds are rejected and runs are cancelled" if deny else "Pending holds are frozen and runs pause"
        )
        output.say(f"The brake is on for {whom}. {what}.")


@client(app)
def off(server: Server, reason: Reason, agent: Agent = None) -> None:
    """Let agents continue. For administrators. Rejected holds stay rejected."""
    server.post("/api/brake/lift", {"agent": agent, "reason": reason})
    if not server.as_json:
        output.say("The brake is off.")


@client(app)
def status(server: Server) -> None:
    """Show which brakes are on."""
    found = server.get("/api/brake")
    if server.as_json:
        output.as_json(found)
        return
    for brake in found["brakes"]:
        whom = wording.line(brake["agent"]["name"]) if brake["agent"] else "everybody"
        said = f"On for {whom}, by {wording.line(brake['set_by']['name'])} {wording.ago(brake['set_at'])}"
        output.say(f"{said}: {wording.line(brake['reason'])}")
    if not found["brakes"]:
        output.say("No brake is on.")
