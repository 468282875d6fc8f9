"""Commands that read holds: pending, show; and status, of a hold or a run."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from handrail.cli import lookup, output, wording
from handrail.cli.commands import Quiet, client
from handrail.cli.connection import Server

app = typer.Typer()

Json = dict[str, Any]

NONE: Json = {"count": 0}
LOOK_SECONDS = 0.5

Id = Annotated[str, typer.Argument(help="A hold or a run, like H-1042 or R-77.", metavar="ID")]


@client(app)
def pending(
    server: Server,
    mine: Annotated[bool, typer.Option("--mine", help="Only holds that I opened or whose run I started.")] = False,
    kind: Annotated[str | None, typer.Option(help="confirmation, approval, input or review.")] = None,
    risk: Annotated[str | None, typer.Option(help="low, medium, high or critical.")] = None,
    case: Annotated[str | None, typer.Option(help="Only this case.")] = None,
    run: Annotated[str | None, typer.Option(help="Only this run.")] = None,
    text: Annotated[str | None, typer.Option(help="Only with these words.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Maximum number to list.")] = 50,
    wait: Annotated[bool, typer.Option("--wait", help="Where there is none, wait for one.")] = False,
    quiet: Quiet = False,
) -> None:
    """List pending holds, most urgent first."""
    filters = {"kind": kind, "risk": risk, "case": case, "run": run, "text": text, "mine": "true" if mine else None}
    page = server.get("/api/holds", status="pending", limit=limit, **filters)
    while wait and not page["holds"]:
        time.sleep(LOOK_SECONDS)
        page = server.get("/api/holds", status="pending", limit=limit, **filters)
    if server.as_json:
        output.as_json(page)
        return
    if quiet:
        output.ids(hold["short_id"] for hold in page["holds"])
        return
    if not page["holds"]:
        output.say("No holds are waiting for a decision.")
        return
    _list(page["holds"])
    _sum_up(page)


@client(app)
def show(server: Server, id: Id) -> None:
    """Show a hold with everything needed to decide."""
    hold = lookup.hold(server, id)
    if server.as_json:
        output.as_json(hold)
        return
    output.card(hold, server.get(f"/api/holds/{hold['id']}/comments")["comments"])


@client(app)
def status(server: Server, id: Id) -> None:
    """Show the status of a hold, or of a run and its holds."""
    run = lookup.run_if_any(server, id)
    if run is not None:
        if server.as_json:
            output.as_json(run)
            return
        output.say(wording.run(run))
        _say(run["holds"], "  ")
        return
    # who decides a run's holds may not see the run itself
    holds = lookup.holds_of_run(server, id) or [lookup.hold(server, id)]
    if server.as_json:
        output.as_json({"holds": holds} if len(holds) > 1 else holds[0])
        return
    _say(holds)


def _say(holds: list[Json], indent: str = "") -> None:
    for hold in holds:
        output.say(f"{indent}{hold['short_id']}  {wording.line(hold['title'])}: {wording.decision(hold)}")


def _list(holds: list[Json]) -> None:
    output.table(
        ("ID", "RISK", "WHAT", "ASKED BY", "NEEDS", "DEADLINE"),
        [
            (
                hold["short_id"],
                wording.risk(hold),
                wording.line(hold["title"]),
                f"{wording.line(hold['opened_by']['name'])}, {wording.ago(hold['opened_at'])}",
                wording.needs(hold, brief=True),
                wording.deadline(hold),
            )
            for hold in holds
        ],
    )


def _sum_up(page: Json) -> None:
    counts: Json = page["counts"] or {}
    waiting = ", ".join(
        f"{counts[level]['text']} {level}" for level in wording.SHAPES if counts.get(level, NONE)["count"]
    )
    yours = sum(hold["may_decide"]["allowed"] for hold in page["holds"])
    more = " There are more: narrow the list with --risk, --case or --text." if page["next"] else ""
    output.say(f"\n{waiting or len(page['holds'])} waiting; you may decide {yours} of those shown.{more}")
