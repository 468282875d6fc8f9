"""Commands on grants: standing permissions for calls within bounds."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from handrail.cli import lookup, output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure
from handrail.cli.times import WHEN, later

app = typer.Typer(no_args_is_help=True, help="Allow calls within bounds in advance: list, allow, show, revoke.")

Json = dict[str, Any]
Id = Annotated[str, typer.Argument(help="The grant, like H-1042.")]
SHOWN_CALLS = 10


@client(app, "list")
def list_grants(
    server: Server, ended: Annotated[bool, typer.Option("--all", help="Also those that are over.")] = False
) -> None:
    """List grants that you made or may decide."""
    found = server.get("/api/grants", ended="true" if ended else None)
    if server.as_json:
        output.as_json(found)
        return
    if not found["grants"]:
        output.say("There are no grants: every call that needs people is asked.")
        return
    output.table(("GRANT", "STATE", "USED", "LAST", "OWNER", "WHAT"), [_row(one) for one in found["grants"]])


@client(app)
def allow(
    server: Server,
    hold: Annotated[str, typer.Argument(help="The hold with the call to allow, like H-1042.")],
    reason: Annotated[str | None, typer.Option(help="Why; stands in the audit log.")] = None,
    bounds: Annotated[
        str | None, typer.Option(help="`args`, `target`, `amount` and `uses` as JSON; by default what is proposed.")
    ] = None,
    uses: Annotated[int | None, typer.Option(help="How many calls.")] = None,
    until: Annotated[str | None, typer.Option(help=f"In 7 days, if not given. {WHEN}")] = None,
    this_case: Annotated[bool, typer.Option("--this-case", help="Only calls in the case of this hold.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Allow an agent's calls like this one, within bounds, until a date."""
    shown = lookup.hold(server, hold)
    wanted: Json = {"this_case": this_case, **(_json(bounds) if bounds else {})}
    wanted |= {"until": later(until)} if until else {}
    wanted |= {"uses": uses} if uses else {}
    preview = server.post(f"/api/holds/{shown['id']}/grant/preview", wanted)
    terms = preview["terms"]
    given = {name: terms[name] for name in ("args", "target", "amount", "uses", "until")}
    if not yes and not server.as_json:
        _say_preview(preview)
        if not preview["allowed"]:
            raise Failure(Exit.refused, preview["reason"], {"code": preview["code"]})
        if not typer.confirm("Allow this?", err=True):
            raise Failure(Exit.refused, "Nothing was changed.")
    body = {**given, "this_case": this_case, "digest": shown["digest"], "reason": reason}
    made = server.post(f"/api/holds/{shown['id']}/grant", body)
    if server.as_json:
        output.as_json(made)
        return
    output.say(wording.line(made["sentence"]))
    if made["status"] == "proposed":
        output.say(f"{made['short_id']} is proposed: it counts when the others have approved it.")
    else:
        output.say(f"{made['short_id']} counts from now. Revoke it: `handrail grants revoke {made['short_id']}`.")


@client(app)
def show(server: Server, id: Id) -> None:
    """Show one grant: what it allows, who made it, how much of it was used."""
    one = server.get(f"/api/grants/{id}")
    if server.as_json:
        output.as_json(one)
        return
    output.say(f"{one['short_id']}  {one['status'].replace('_', ' ')}  {one['risk']} risk")
    output.say(wording.line(one["sentence"]))
    makers = ", ".join(wording.line(each["name"]) for each in one["makers"]) or "nobody yet"
    spent = f", {one['spent']:g} spent" if one["spent"] is not None else ""
    output.say(f"Made {wording.ago(one['made_at'])} by {makers}. Used {_times(one)}{spent}, last {_last(one)}.")


@client(app)
def revoke(
    server: Server, id: Id, reason: Annotated[str, typer.Option(help="Why; stands in the audit log.", prompt=True)]
) -> None:
    """End a grant at once."""
    ended = server.post(f"/api/grants/{id}/revoke", {"reason": reason})
    if server.as_json:
        output.as_json(ended)
        return
    output.say(f"{ended['short_id']} is revoked, used {_times(ended)}: people are asked again.")


def _row(one: Json) -> tuple[str, ...]:
    most = one["terms"]["uses"]
    used = f"{one['used']} of {most}" if most else str(one["used"])
    state = one["status"].replace("_", " ")
    return one["short_id"], state, used, _last(one), wording.line(one["owner"]["name"]), wording.line(one["sentence"])


def _times(one: Json) -> str:
    return "once" if one["used"] == 1 else f"{one['used']} times"


def _last(one: Json) -> str:
    return wording.ago(one["last_used_at"]) if one["last_used_at"] else "never"


def _say_preview(preview: Json) -> None:
    output.say(wording.line(preview["sentence"]))
    covered = preview["covered"]
    output.say(f"Of {preview['calls']} calls in the last 30 days it would have covered {len(covered)}.")
    if covered:
        rows = [
            (one["short_id"], one["outcome"], wording.ago(one["at"]), wording.line(one["title"]))
            for one in covered[:SHOWN_CALLS]
        ]
        output.table(("CALL", "WAS", "WHEN", "WHAT"), rows)


def _json(text: str) -> Json:
    try:
        return json.loads(text)
    except ValueError as error:
        raise Failure(Exit.usage, f"--bounds is not JSON: {error}") from error
