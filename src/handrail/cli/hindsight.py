"""Commands that look back: fatigue, suggestions, report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from handrail.cli import output, replays, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure
from handrail.cli.times import WHEN, earlier

app = typer.Typer()

Json = dict[str, Any]
Since = Annotated[str, typer.Option(help=f"The beginning of the period. {WHEN}")]


@client(app)
def fatigue(server: Server, since: Since = "30d") -> None:
    """Look for signs that people no longer read what they decide: your own, or everybody's if you may read all."""
    found = server.get("/api/fatigue", since=earlier(since))
    if server.as_json:
        output.as_json(found)
        return
    if not found["findings"]:
        output.say(f"Nothing stands out in {found['reviews']} reviews.")
        return
    for one in found["findings"]:
        output.say(wording.line(one["words"]))
        output.say(f"  such as {', '.join(each['short_id'] for each in one['examples'])}")
        for fix in one["fixes"]:
            output.say(f"  {fix['id']}  {wording.line(fix['words'])}")
    output.say("See a change with its replay: `handrail suggestions ID`.")


@client(app)
def suggestions(
    server: Server,
    id: Annotated[str | None, typer.Argument(help="One of them, to see its replay; else they are listed.")] = None,
    since: Since = "30d",
    write: Annotated[
        Path | None, typer.Option(help="A new folder for the changed policy files, to read, replay and apply.")
    ] = None,
) -> None:
    """List rules and grants that would ask less, or show one with its replay. It applies nothing."""
    begin = earlier(since)
    if id is None:
        _list(server, begin)
        return
    found = server.get(f"/api/suggestions/{id}", since=begin)
    if write is not None:
        _write(found, write)
    if server.as_json:
        output.as_json(found)
        return
    output.say(wording.line(found["words"]))
    if found["kind"] == "rule":
        replays.say_policy(found, write)
        return
    stopped = f"{found['slips']} of which somebody stopped" if found["slips"] else "and none that somebody stopped"
    output.say(f"Of {found['asked']} calls it would have covered {found['covered']}, {stopped}.")
    rows = [
        (one["short_id"], one["outcome"], wording.ago(one["at"]), wording.line(one["title"]))
        for one in found["calls"][:10]
    ]
    output.table(("CALL", "WAS", "WHEN", "WHAT"), rows)
    output.say(f"Make it, if you may decide such calls: `handrail grants allow {found['like']['short_id']}`.")


@client(app)
def report(
    server: Server,
    from_: Annotated[str, typer.Option("--from", help=f"The beginning of the period. {WHEN}")] = "30d",
    to: Annotated[str | None, typer.Option(help="Its end; now, if not given.")] = None,
    html: Annotated[Path | None, typer.Option(help="A new file for the report, as HTML.")] = None,
    pdf: Annotated[
        Path | None, typer.Option(help="A new file for it as PDF; a Chromium or Chrome on this machine prints it.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(help="The public key (key.pub), kept where the server cannot write.")
    ] = None,
    head: Annotated[
        Path | None, typer.Option(help="Signed heads (heads.jsonl), to detect a cut-off end as well.")
    ] = None,
) -> None:
    """Write the oversight report of a period, for auditors: what ran and was held, who decided, exceptions, grants,
    policies, brakes. Verifies the whole log first, and exits with 1 if it is not intact."""
    from handrail.cli import audit, reports
    from handrail.hindsight import document

    if html is None and pdf is None and not server.as_json:
        raise Failure(Exit.usage, "Name a file: --html FILE or --pdf FILE. With --json the report is printed.")
    found = server.get("/api/report", since=earlier(from_), until=earlier(to) if to else None)
    checked = audit.checked(server, key, head)
    if server.as_json:
        output.as_json({**found, "verified": checked.lines, "intact": checked.intact})
    text = document.html(found, checked.lines)
    if html is not None:
        reports.write(html, text.encode())
    if pdf is not None:
        reports.write(pdf, reports.printed(text))
    if not server.as_json:
        for file in filter(None, (html, pdf)):
            output.say(f"Written to {file}.")
        for line in checked.lines:
            output.say(line)
    if not checked.intact:
        raise typer.Exit(Exit.refused)


def _list(server: Server, since: str) -> None:
    found = server.get("/api/suggestions", since=since)
    if server.as_json:
        output.as_json(found)
        return
    if not found["suggestions"]:
        output.say("Nothing is asked so often that a rule or a grant could replace it, or is mostly rejected.")
        return
    rows = [
        (
            one["id"],
            f"{one['kind']}, asks more" if one["tightens"] else one["kind"],
            str(one["asked"]),
            str(one["covered"]),
            f"{one['minutes']:.0f} min",
            wording.line(one["words"]),
        )
        for one in found["suggestions"]
    ]
    output.table(("ID", "KIND", "ASKED", "SAVED", "READING", "WHAT"), rows)


def _write(found: Json, folder: Path) -> None:
    if not found["files"]:
        raise Failure(Exit.usage, "A grant has no files: make it with `handrail grants allow`.")
    replays.write(found["files"], folder)
