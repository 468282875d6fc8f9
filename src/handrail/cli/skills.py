"""Commands on skills: list, show, search, register, queue, approve-safe, sync, delete, run."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from handrail.cli import answers, output, registrations, sessions, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit

app = typer.Typer(no_args_is_help=True, help="Skills: register, review the queue, search, sync, delete, run.")

Json = dict[str, Any]
Name = Annotated[str, typer.Argument(help="Name of the skill.")]


@client(app, "list")
def list_skills(server: Server) -> None:
    """List the skills that can be used."""
    found = server.get("/api/skills")
    if server.as_json:
        output.as_json(found)
        return
    _table(found["skills"], "No skills yet. Register some: handrail skills register URL")


@client(app)
def show(
    server: Server,
    name: Name,
    version: Annotated[int | None, typer.Option(help="A version other than the one in use.")] = None,
) -> None:
    """Show a skill: what it does, where it came from, its files, what the scan found, its instructions."""
    skill = server.get(f"/api/skills/{name}" + (f"/versions/{version}" if version else ""))
    if server.as_json:
        output.as_json(skill)
        return
    output.say(f"{skill['name']} version {skill['version']}, {skill['complexity']}, {skill['status']}")
    output.say(wording.line(skill["description"]))
    source = skill["source"]
    at = f" at {source['commit'][:12]}" if source["commit"] else ""
    output.say(f"From {wording.line(source['location'])} {wording.line(source['path'])}{at}")
    for one in skill["files"]:
        output.say(f"  {one['size']:>8}  {wording.line(one['path'])}")
    registrations.findings(skill["findings"])
    output.say(f"\n{wording.plain(skill['instructions'])}")


@client(app)
def versions(server: Server, name: Name) -> None:
    """List all versions of a skill, even a deleted one."""
    found = server.get(f"/api/skills/{name}/versions")
    if server.as_json:
        output.as_json(found)
        return
    _table(found["skills"], "")


@client(app)
def search(
    server: Server,
    query: Annotated[str, typer.Argument(help="What it should do, in words.")],
    limit: Annotated[int, typer.Option(min=1, max=50, help="Maximum number to list.")] = 5,
) -> None:
    """Find skills by what they do."""
    found = server.get("/api/skills/search", q=query, limit=limit)
    if server.as_json:
        output.as_json(found)
        return
    if found["message"]:
        output.say(found["message"])
        return
    rows = [(match["name"], f"{match['score']:.2f}", wording.line(match["description"])) for match in found["matches"]]
    output.table(("SKILL", "SCORE", "DESCRIPTION"), rows)


@client(app)
def register(
    server: Server,
    source: Annotated[str, typer.Argument(help="Address of a repository, a deep link to a folder in it, or a folder.")],
) -> None:
    """Propose the skills of a git repository, or of a folder of the server; people decide on each. Exits with 1 if a
    folder was refused."""
    remote = source.startswith(("http://", "https://"))
    registrations.follow(server, server.post("/api/skills", {"url": source} if remote else {"folder": source}))


@client(app)
def queue(server: Server) -> None:
    """List skills waiting for a decision, with the scan results. Decide with `handrail approve ID`."""
    _print_candidates(server, server.get("/api/skills/queue"))


@client(app, "approve-safe")
def approve_safe(
    server: Server, reason: Annotated[str | None, typer.Option("--reason", "-r", help="Why.")] = None
) -> None:
    """Approve every waiting skill that someone else registered and in which the scan found nothing."""
    done = server.post("/api/skills/queue/approve-safe", {"reason": reason})
    if server.as_json:
        output.as_json(done)
        return
    output.say(f"Approved: {', '.join(done['approved']) or 'none'}.")
    if done["left"]:
        output.say(f"Left for others to decide: {', '.join(done['left'])}.")
    for one in done["refused"]:
        output.say(f"  {one['skill']}: {wording.line(one['message'])}")
    if any(one["code"] == "own_request" for one in done["refused"]):
        output.say(registrations.SOMEONE_ELSE)
    if done["refused"] and not done["approved"]:
        raise typer.Exit(Exit.not_allowed)


@client(app)
def sync(server: Server, name: Name) -> None:
    """Check whether a skill's source has changed. A change waits for a decision."""
    registrations.follow(server, server.post(f"/api/skills/{name}/sync"))


@client(app)
def delete(
    server: Server,
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
) -> None:
    """Delete a skill. Its versions stay readable."""
    if not yes:
        skill = server.get(f"/api/skills/{name}")
        output.say(
            f"{wording.line(skill['name'])} version {skill['version']}: {wording.line(skill['description'])}", err=True
        )
        answers.agree("Delete it?", "Nothing was deleted.")
    server.delete(f"/api/skills/{name}")
    if not server.as_json:
        output.say(f"{wording.line(name)} was deleted.")


@client(app)
def run(
    server: Server,
    name: Name,
    input: Annotated[str, typer.Option("--input", "-i", help='What it should do; "-" reads standard input.')],
    autonomous: Annotated[bool, typer.Option("--autonomous", help="Never ask anyone.")] = False,
    model: Annotated[str | None, typer.Option(help="light, advanced, or a configured model.")] = None,
    steps: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of steps.")] = 10,
) -> None:
    """Run a skill and follow it: what it thinks and does, its questions to you, its answer."""
    body: Json = {
        "skill_id": name,
        "input": sys.stdin.read() if input == "-" else input,
        "mode": "AUTONOMOUS" if autonomous else "HITL",
        "config": {"model_id": model, "max_steps": steps},
    }
    session = server.post("/api/execution/start", body)["short_id"]
    output.say(f"Session {session}", err=True)
    sessions.follow(server, session)


def _table(skills: list[Json], nothing: str) -> None:
    if not skills:
        output.say(nothing)
        return
    output.table(
        ("SKILL", "VERSION", "STATE", "REGISTERED", "DESCRIPTION"),
        [
            (
                skill["name"],
                str(skill["version"]),
                skill["status"],
                f"{wording.line(skill['registered_by']['name'])}, {wording.ago(skill['registered_at'])}",
                wording.line(skill["description"])[:80],
            )
            for skill in skills
        ],
    )


def _print_candidates(server: Server, found: Json) -> None:
    if server.as_json:
        output.as_json(found)
        return
    for candidate in found["candidates"]:
        registrations.candidate(candidate)
    if not found["candidates"]:
        output.say("The queue is empty.")
