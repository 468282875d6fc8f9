"""Commands on samples: what ran unasked, looked at afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer

from handrail.cli import lookup, output, replays, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure
from handrail.cli.inbox import Id
from handrail.cli.times import WHEN, earlier

Json = dict[str, Any]

COUNTS = ("drawn", "looked", "findings")

app = typer.Typer(no_args_is_help=True, help="Low actions that ran unasked: look at a sample of them.")


@client(app, name="list")
def list_(server: Server) -> None:
    """List what waits to be looked at, what findings propose, and the share that is drawn."""
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
        output.say(f"\n{_findings(one)}. To have people asked, add:")
        output.say(wording.plain(one["rule"]))
        output.say("to `rules` in risk-assessment-rules.yaml, then run `handrail policy apply`.")
        output.say(f"See its replay: `handrail samples rule {one['id']}`.")
    for one in found["raised"]:
        output.say(f"\n{_findings(one)}. People are asked now: {one['risk']}.")
    rows = [
        (wording.line(each["action"]), f"{one['share']:.1%}", *(str(each[name]) for name in COUNTS))
        for one in found["rates"]
        for each in one["actions"] or [{"action": f"(entry {one['entry']})", "drawn": 0, "looked": 0, "findings": 0}]
    ]
    if rows:
        output.say("")
        output.table(("ACTION", "SHARE", "DRAWN", "LOOKED AT", "FINDINGS"), rows)


@client(app)
def rule(
    server: Server,
    id: Annotated[str, typer.Argument(help="The rule, as `handrail samples list` names it.")],
    since: Annotated[str, typer.Option(help=f"The beginning of the replay. {WHEN}")] = "30d",
    write: Annotated[
        Path | None, typer.Option(help="A new folder for the changed policy files, to read and apply.")
    ] = None,
) -> None:
    """Show a rule that findings propose, with its replay. It applies nothing."""
    found = server.get(f"/api/samples/rules/{quote(id, safe='')}", since=earlier(since))
    if write is not None:
        replays.write(found["files"], write)
    if server.as_json:
        output.as_json(found)
        return
    output.say(f"{_findings(found)}:")
    for one in found["findings"]:
        output.say(f"  {one['short_id']}  {wording.line(one['title'])}: {wording.line(one['reason'] or '')}")
    replays.say_policy(found, write)


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


def _findings(one: Json) -> str:
    count = len(one["findings"])
    return f"{count} finding{'s' * (count > 1)} for {wording.line(one['action'])}"
