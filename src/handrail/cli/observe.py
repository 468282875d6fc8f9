"""Commands on agents that are only observed: observe on, off, status."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from handrail.cli import output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server

app = typer.Typer(
    no_args_is_help=True, help="Only observe an agent: nobody is asked, everything is recorded; or enforce again."
)

Agent = Annotated[str, typer.Argument(help="Name or id of the agent or service.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; stands in the audit log.", prompt=True)]


@client(app)
def on(server: Server, agent: Agent, reason: Reason) -> None:
    """Let everything through that this agent asks for, and record what people would have been asked."""
    made = server.post("/api/observations", {"agent": agent, "reason": reason})
    if server.as_json:
        output.as_json(made)
        return
    name = wording.line(made["agent"]["name"])
    output.say(f"{name} is only observed: nobody is asked, whatever the risk. Only the emergency brake stops it.")
    output.say(f"See what went through: `handrail observe status`. Enforce: `handrail observe off '{name}'`.")


@client(app)
def off(server: Server, agent: Agent, reason: Reason) -> None:
    """Enforce the policy again: from now on people are asked."""
    server.post("/api/observations/end", {"agent": agent, "reason": reason})
    if not server.as_json:
        output.say(f"The policy is enforced for {wording.line(agent)}.")


@client(app)
def status(server: Server) -> None:
    """Show who is observed, and what people would have been asked since."""
    found = server.get("/api/observations")
    if server.as_json:
        output.as_json(found)
        return
    for one in found["observed"]:
        who, by = wording.line(one["agent"]["name"]), wording.line(one["by"]["name"])
        since, why = wording.ago(one["since"]), wording.line(one["reason"])
        output.say(f"{who} is only observed. {by} began this {since}: {why}")
        if one["passed"]:
            output.table(("COUNT", "ACTION", "RISK", "WOULD NEED", "LAST"), [_row(each) for each in one["passed"]])
        else:
            output.say("Nothing went through that people would have been asked about.")
    if not found["observed"]:
        output.say("Nobody is only observed: the policy is enforced for every agent.")


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    roles = " or ".join(map(wording.line, one["roles"]))
    last = f"{one['last_short_id']}, {wording.ago(one['last_at'])}"
    return str(one["count"]), wording.line(one["action"]), one["risk"], f"{one['approvals']} of {roles}", last
