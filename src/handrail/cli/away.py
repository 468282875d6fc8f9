"""Commands on absences: who is away, and who decides for them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from handrail.cli import output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure
from handrail.cli.times import WHEN, later

app = typer.Typer(no_args_is_help=True, help="Be away: someone decides for you meanwhile.")

Json = dict[str, Any]


@client(app, "list")
def list_absences(
    server: Server,
    everybody: Annotated[bool, typer.Option("--all", help="Everybody's, for administrators and auditors.")] = False,
) -> None:
    """List who is away and who decides meanwhile."""
    found = server.get("/api/absences", everybody="true" if everybody else None)
    if server.as_json:
        output.as_json(found)
        return
    if not found["absences"]:
        output.say("Nobody is away." if everybody else "You are not away, and stand in for nobody.")
        return
    output.table(
        ("AWAY", "STAND-IN", "STATE", "FROM", "UNTIL", "WHAT", "ID"),
        [
            (
                wording.line(one["person"]["name"]),
                wording.line(one["stand_in"]["name"]),
                one["status"].replace("_", " "),
                wording.until(one["from"]),
                wording.until(one["until"]),
                scope(one),
                one["id"],
            )
            for one in found["absences"]
        ],
    )


@client(app, "set")
def set_(
    server: Server,
    stand_in: Annotated[str, typer.Argument(help="Name or id of the person who decides meanwhile.")],
    until: Annotated[str, typer.Option("--until", help=WHEN)],
    since: Annotated[str | None, typer.Option("--from", help=f"Now, if not given. {WHEN}")] = None,
    level: Annotated[list[str] | None, typer.Option(help="Only this level of risk; repeat for more.")] = None,
    action: Annotated[list[str] | None, typer.Option(help="Only actions of this name, * for anything.")] = None,
    case: Annotated[list[str] | None, typer.Option(help="Only this case; repeat for more.")] = None,
    person: Annotated[str | None, typer.Option(help="Who is away, if you are an administrator.")] = None,
    reason: Annotated[str | None, typer.Option(help="Why; required for someone else's absence.")] = None,
) -> None:
    """Name who decides for you while you are away."""
    body: Json = {"stand_in": stand_in, "until": later(until), "levels": level or [], "actions": action or []}
    body |= {"cases": case or [], "person": person, "reason": reason, "from": later(since) if since else None}
    made = server.post("/api/absences", body)
    if server.as_json:
        output.as_json(made)
        return
    who, whom = wording.line(made["stand_in"]["name"]), wording.line(made["person"]["name"])
    begins = "from now" if made["status"] == "in_force" else f"beginning {wording.until(made['from'])},"
    output.say(
        f"{who} decides for {whom} {begins} until {wording.moment(made['until']):%Y-%m-%d %H:%M} UTC: {scope(made)}."
    )
    output.say(f"End it: `handrail away end {made['id']}`.")


@client(app)
def end(
    server: Server,
    id: Annotated[
        str | None, typer.Argument(help="Its id; without one, every absence of yours.", metavar="[ID]")
    ] = None,
    reason: Annotated[str | None, typer.Option(help="Why; stands in the audit log.")] = None,
) -> None:
    """Say that you are back, or that you no longer stand in for someone."""
    ids = [id] if id else _own(server)
    ended = [server.post(f"/api/absences/{one}/end", {"reason": reason}) for one in ids]
    if server.as_json:
        output.as_json({"absences": ended})
        return
    for one in ended:
        who, whom = wording.line(one["stand_in"]["name"]), wording.line(one["person"]["name"])
        output.say(f"Ended. {who} no longer decides for {whom}.")


def _own(server: Server) -> list[str]:
    me = server.get("/api/me")["id"]
    own = [one["id"] for one in server.get("/api/absences")["absences"] if one["person"]["id"] == me]
    if not own:
        raise Failure(Exit.refused, "You are not away.")
    return own


def scope(one: Json) -> str:
    """What the stand-in decides: "everything", "high and critical deploy* in case shop"."""
    parts = [" and ".join(one["levels"])] if one["levels"] else []
    parts += [", ".join(map(wording.line, one["actions"]))] if one["actions"] else []
    parts += [f"in {', '.join(map(wording.line, one['cases']))}"] if one["cases"] else []
    return " ".join(parts) or "everything"
