"""Commands on runs: list, show, start, cancel, retry, watch."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from handrail.cli import lookup, output, stream, wording
from handrail.cli.commands import Quiet, client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure
from handrail.cli.story import Story

app = typer.Typer(no_args_is_help=True, help="Runs of workflows: list, show, start, cancel, retry, watch.")

Json = dict[str, Any]

Id = Annotated[str, typer.Argument(help="A run, like R-77.", metavar="ID")]
Steps = Annotated[int | None, typer.Option(help="Maximum number of steps.")]
Seconds = Annotated[float | None, typer.Option(help="Maximum working time, in seconds.")]
Cost = Annotated[float | None, typer.Option(help="Maximum cost of its model calls.")]


@client(app, "list")
def list_runs(
    server: Server,
    status: Annotated[
        str | None, typer.Option(help="queued, running, paused, completed, failed, cancelled or expired.")
    ] = None,
    workflow: Annotated[str | None, typer.Option(help="Only this workflow.")] = None,
    mine: Annotated[bool, typer.Option("--mine", help="Only runs that I started.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=200, help="Maximum number to list.")] = 50,
    quiet: Quiet = False,
) -> None:
    """List runs, newest first."""
    page = server.get("/api/runs", status=status, workflow=workflow, limit=limit, mine="true" if mine else None)
    if server.as_json:
        output.as_json(page)
        return
    if quiet:
        output.ids(run["short_id"] for run in page["runs"])
        return
    if not page["runs"]:
        output.say("No runs found.")
        return
    output.table(
        ("ID", "WORKFLOW", "STATE", "STARTED BY", "STEPS", "COST"),
        [
            (
                run["short_id"],
                wording.line(run["workflow"]),
                f"{run['status']} {wording.ago(run['ended_at'] or run['active_at'])}",
                f"{wording.line(run['started_by']['name'])}, {wording.ago(run['created_at'])}",
                str(run["usage"]["steps"]),
                f"{run['usage']['cost']:g}",
            )
            for run in page["runs"]
        ],
    )


@client(app)
def show(server: Server, id: Id) -> None:
    """Show a run: its steps, its holds, what it has used, its result."""
    run = lookup.run(server, id)
    if server.as_json:
        output.as_json(run)
        return
    _show(run)


@client(app)
def start(
    server: Server,
    workflow: Annotated[str, typer.Argument(help="Name of the workflow: see `handrail workflows`.")],
    input: Annotated[
        str | None, typer.Option("--input", "-i", help='As JSON; "-" reads standard input; default {}.')
    ] = None,
    mode: Annotated[str | None, typer.Option(help="Passed to the workflow.")] = None,
    steps: Steps = None,
    seconds: Seconds = None,
    cost: Cost = None,
    key: Annotated[str | None, typer.Option(help="Idempotency key: the same key starts it once.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Follow it until it ends.")] = False,
    quiet: Quiet = False,
) -> None:
    """Start a run."""
    body: Json = {"workflow": workflow, "input": _input(input), "mode": mode, "budget": _budget(steps, seconds, cost)}
    run = server.post("/api/runs", body, key=key)
    if watch:
        _watch(server, run["id"])
    elif server.as_json:
        output.as_json(run)
    elif quiet:
        output.ids([run["short_id"]])
    else:
        output.say(f"Started {run['short_id']}. Follow it with `handrail runs watch {run['short_id']}`.")
    if run["hint"]:
        output.say(wording.line(run["hint"]), err=True)


@client(app)
def cancel(
    server: Server, id: Id, reason: Annotated[str | None, typer.Option("--reason", "-r", help="Why.")] = None
) -> None:
    """Cancel a run that you started, and its holds."""
    _tell(server, server.post(f"/api/runs/{lookup.run(server, id)['id']}/cancel", {"reason": reason}), "Cancelled.")


@client(app)
def retry(server: Server, id: Id, steps: Steps = None, seconds: Seconds = None, cost: Cost = None) -> None:
    """Resume a failed run from its last good step, with a new budget if you give one."""
    body = {"budget": _budget(steps, seconds, cost)}
    _tell(server, server.post(f"/api/runs/{lookup.run(server, id)['id']}/retry", body), "Queued again.")


@client(app)
def watch(server: Server, id: Id) -> None:
    """Follow a run from its start until it ends. Exits with 1 if it did not complete."""
    _watch(server, lookup.run(server, id)["id"])


def _watch(server: Server, run_id: str) -> None:
    story = Story(lambda hold_id: lookup.hold_if_any(server, hold_id))

    def show(told: Json) -> None:
        for line in [json.dumps(told)] if server.as_json else story.lines(told):
            print(line, flush=True)

    follow(server, run_id, show)


def follow(server: Server, run_id: str, show: Callable[[Json], None]) -> None:
    """Each part of the run's story as it happens, until it ends. Exits with 1 if it did not complete."""
    ended: str | None = None
    for told in stream.story(server, run_id):
        part = told["story"]
        ended = part["status"] if part["is"] == "end" else None if part["is"] == "retry" else ended
        show(told)
        if ended and server.get(f"/api/runs/{run_id}")["status"] == ended:
            break
    if ended != "completed":
        raise typer.Exit(Exit.refused)


def _show(run: Json) -> None:
    budget, usage = run["budget"], run["usage"]
    output.say(wording.run(run))
    output.say(f"Started by {wording.line(run['started_by']['name'])} {wording.ago(run['created_at'])}.")
    spent = f"{usage['steps']} of {budget['steps']} steps, {usage['seconds']:.1f} of {budget['seconds']:g} s worked"
    of_cost = f" of {budget['cost']:g}" if budget["cost"] is not None else ""
    output.say(f"Used {spent}, {usage['tokens_in']} + {usage['tokens_out']} tokens, cost {usage['cost']:g}{of_cost}.")
    output.say(f"Input: {wording.block(run['input'])}")
    for step in run["steps"]:
        output.say(f"  {step['step']:>3}  {wording.line(step['node'])}  {wording.value(step['update'])}")
    for hold in run["holds"]:
        output.say(f"  {hold['short_id']}  {wording.line(hold['title'])}: {wording.decision(hold)}")
    if run["status"] == "completed":
        output.say(f"Result: {wording.block(run['result'])}")
    error: Json = run["error"] or {}
    if error.get("traceback"):
        output.say(wording.plain(error["traceback"]))


def _tell(server: Server, run: Json, text: str) -> None:
    if server.as_json:
        output.as_json(run)
    else:
        output.say(text)


def _input(text: str | None) -> object:
    if text is None:
        return {}
    try:
        return json.loads(sys.stdin.read() if text == "-" else text)
    except ValueError as error:
        raise Failure(
            Exit.usage, f'The input is not JSON ({error}). Write it like \'{{"service": "shop"}}\'.'
        ) from error


def _budget(steps: int | None, seconds: float | None, cost: float | None) -> Json | None:
    given = {"steps": steps, "seconds": seconds, "cost": cost}
    return {name: value for name, value in given.items() if value is not None} or None
