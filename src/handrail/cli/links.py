"""Commands on your accounts elsewhere: link, links, unlink."""

from __future__ import annotations

from typing import Annotated

import typer

from handrail.cli import output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server

app = typer.Typer()


@client(app)
def link(
    server: Server,
    channel: Annotated[str, typer.Argument(help="slack, linear or webhook.")],
    account: Annotated[str | None, typer.Option(help="The address of your account, for linear.")] = None,
) -> None:
    """Link your account elsewhere, or a program, to you, so that you can decide there."""
    if channel == "webhook":
        _link_program(server)
        return
    made = server.post("/api/me/links", {"channel": channel, **({"account": account} if account else {})})
    if server.as_json:
        output.as_json(made)
    else:
        output.say(f"{wording.line(made['next'])}\nIt works once and expires {wording.until(made['expires_at'])}.")


def _link_program(server: Server) -> None:
    made = server.post("/api/me/links/webhook", {})
    if server.as_json:
        output.as_json(made)
        return
    output.say(
        f"Address: {wording.line(made['url'])}\nSecret:  {wording.line(made['secret'])}\n"
        "The secret is not shown again. Whoever has it decides as you: `handrail unlink` ends that."
    )


@client(app)
def links(server: Server) -> None:
    """List your linked accounts."""
    found = server.get("/api/me/links")
    if server.as_json:
        output.as_json(found)
        return
    output.table(
        ("ID", "CHANNEL", "ACCOUNT", "LINKED"),
        [
            (one["id"], one["channel"], wording.line(one["account"]), wording.ago(one["linked_at"]))
            for one in found["links"]
        ],
    )


@client(app)
def unlink(server: Server, link: Annotated[str, typer.Argument(help="Its id, from `handrail links`.")]) -> None:
    """Remove the link to an account: it no longer decides as you."""
    server.delete(f"/api/me/links/{link}")
    if not server.as_json:
        output.say("Unlinked.")
