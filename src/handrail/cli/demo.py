"""The command `demo`: three runs to decide on, and two people to decide as."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Annotated, Any, TypeVar

import typer

from handrail.cli import changing, output, wording
from handrail.cli.commands import Quiet, client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure
from handrail.cli.people import find

app = typer.Typer()

Json = dict[str, Any]
T = TypeVar("T")

# production needs two people, one of them a tech lead: one person can play both
APPROVERS = (("Demo Dana", "tech_lead"), ("Demo Toni", "team_lead"))
WORKFLOWS = ("demo-deploy", "demo-refund", "demo-export")
SHOP = "Demo shop"
CHANGE = "demo-change"
MINUTE = 60
EIGHT_HOURS = 8 * 3600
PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 0.2


class Tale(StrEnum):
    change = "change"


@client(app)
def demo(
    server: Server,
    tale: Annotated[Tale | None, typer.Argument(help="`change`: a code change in a small made-up shop.")] = None,
    quiet: Quiet = False,
) -> None:
    """Start three runs that ask for approval, and create two demo approvers. Needs no model and no key.

    With `change`: a code change, from a sentence to a branch, followed in the terminal.
    """
    if tale is Tale.change:
        _change(server, quiet=quiet)
        return
    _until(lambda: _served(server), "The demo's workflows are not known yet. Is this server up to date?")
    people = [_approver(server, name, role) for name, role in APPROVERS]
    runs = _started(server)
    output.say("Three runs are starting. One moment.", err=True)
    runs = [_asking(server, run["short_id"]) for run in runs]
    if server.as_json:
        output.as_json({"approvers": people, "runs": runs})
        return
    if quiet:
        output.ids(run["short_id"] for run in runs)
        return
    output.say(
        "Three agents of a made-up shop ask. Decide yourself, in the browser or here; production needs two people,"
    )
    output.say("so here are two more to decide as. Each link signs in once, in a browser:")
    for one in people:
        output.say(f"  {one['name']} ({one['role']})  {one['link']}")
    dana, toni = (one["token"] for one in people)
    deploy, refund, export = (run["short_id"] for run in runs)
    output.say(f"Or in this terminal, for eight hours:\n  export DANA={dana}\n  export TONI={toni}\n")
    output.say("1  a deployment to production, which needs two people, one of them a tech lead or CTO:")
    output.say(f"     HANDRAIL_TOKEN=$DANA handrail approve {deploy} --yes")
    output.say(f"     HANDRAIL_TOKEN=$TONI handrail approve {deploy} --yes")
    output.say("2  a refund that is too generous; amend it, then approve the new version:")
    output.say(f"     HANDRAIL_TOKEN=$DANA handrail amend {refund} amount=240 --yes --reason 'one lamp of two'")
    output.say(f"     HANDRAIL_TOKEN=$DANA handrail approve {refund} --yes")
    output.say("3  an export of personal data. Leave it: after half an hour it is escalated to the CTO.")
    output.say(f"     handrail status {export}")
    output.say(f"\nFollow one with `handrail runs watch {deploy}`; all of them with `handrail pending`.")


def _change(server: Server, *, quiet: bool) -> None:
    """Started by the made-up shop, so that you may decide it."""
    _until(lambda: _served(server, CHANGE), "The demo's workflow is not known yet. Is this server up to date?")
    offered: list[Json] = server.get("/api/workflows")["workflows"]
    given: Json = next(one["example"] for one in offered if one["name"] == CHANGE)
    [run] = _by_shop(server, [(CHANGE, given)])
    if quiet:
        output.ids([run["short_id"]])
        return
    output.say(f"{run['short_id']}: {given['request']}", err=True)
    output.say("You decide twice: on the plan, and on what is published.", err=True)
    changing.follow(server, run, asks=sys.stdin.isatty() and not server.as_json)


def _started(server: Server) -> list[Json]:
    """By a made-up shop: nobody decides what they started themselves, and you may want to."""
    return _by_shop(server, [(workflow, {"messages": []}) for workflow in WORKFLOWS])


def _by_shop(server: Server, wanted: Sequence[tuple[str, Json]]) -> list[Json]:
    _add(server, {"name": SHOP, "kind": "service"})
    token = server.post("/api/tokens", {"principal": SHOP, "expires_in": MINUTE, "label": "handrail demo"})
    shop = Server(server.url, token["token"])
    runs = [shop.post("/api/runs", {"workflow": workflow, "input": given}) for workflow, given in wanted]
    server.delete(f"/api/tokens/{token['id']}")
    return runs


def _add(server: Server, who: Json) -> None:
    """Keeps one that an earlier demo added."""
    try:
        server.post("/api/people", who)
    except Failure as failure:
        if failure.exit is not Exit.conflict:
            raise


def _served(server: Server, *names: str) -> bool:
    return {one["name"] for one in server.get("/api/workflows")["workflows"]}.issuperset(names or WORKFLOWS)


def _asking(server: Server, id: str) -> Json:
    """The run, once it waits for people."""

    def look() -> Json | None:
        run = server.get(f"/api/runs/{id}")
        return None if run["status"] in {"queued", "running"} else run

    return _until(look, f"Run {id} is not making progress. Is a worker running?")


def _until(look: Callable[[], T | None], complaint: str) -> T:
    """Its first result that is not empty; a worker that has just started takes a moment."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (seen := look()):
        if time.monotonic() > deadline:
            raise Failure(Exit.unreachable, complaint)
        time.sleep(LOOK_SECONDS)
    return seen


def _approver(server: Server, name: str, role: str) -> Json:
    """The person of that name, who may exist from an earlier demo."""
    _add(server, {"name": name, "kind": "person", "roles": [role]})
    person = find(server, name)
    link = server.post(f"/api/people/{person['id']}/login-link")
    made = server.post("/api/tokens", {"principal": name, "expires_in": EIGHT_HOURS, "label": "handrail demo"})
    return {"name": wording.line(person["name"]), "role": role, "link": link["url"], "token": made["token"]}
