"""Commands on samples: what ran unasked, looked at afterwards."""

from __future__ import annotations

from typing import Annotated

import typer

from handrail.cli import lookup, output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure
from handrail.cli.inbox import Id

app = typer.Typer(no_args_is_help=True, help="Low actions that ran unasked: look at a sample of them.")


@client(app, name="list")
def list_(server: Server) -> None:
    """List what waits to be looked at, and the rules that findings propose."""
    found = server.get("/api/samples")
    if server.as_json:
        output.as_json(found)
        return
    for one in found["samples"]:
        who = wording.line(one["opened_by"]["name"])
        output.say(f"{one['short_id']}  {wording.line(one['title'])}, by {who} {wording.ago(one['opened_at'])}")
    if not found["samples"]:
        output.say("Nothing waits to be looked at.")
    for one in found["proposals"]:
        output.say(f"\n{len(one['findings'])} findings for {wording.line(one['action'])}. To have people asked, add:")
        output.say(wording.plain(one["rule"]))
        output.say("to `rules` in risk-assessment-rules.yaml, then run `handrail policy apply`.")


@client(app)
def look(
    server: Server,
    id: Id,
    fine: Annotated[bool, typer.Option("--fine", help="It is right that nobody was asked.")] = False,
    finding: Annotated[str | None, typer.Option(help="People should have been asked: why.", metavar="REASON")] = None,
) -> None:
    """Say what you found."""
    if fine is (finding is not None):
        raise Failure(Exit.usage, "Give --fine, or --finding with the reason.")
    hold = lookup.hold(server, id)
    said = server.post(f"/api/holds/{hold['id']}/sample", {"finding": finding is not None, "reason": finding})
    if server.as_json:
        output.as_json(said)
    else:
        output.say("Recorded." if fine else "Recorded. `handrail samples list` has the rule that it proposes.")
