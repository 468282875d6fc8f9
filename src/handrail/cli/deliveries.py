"""Commands on notices to people: deliveries list, retry."""

from __future__ import annotations

from typing import Annotated

import typer

from handrail.cli import output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server

app = typer.Typer(no_args_is_help=True, help="Notifications to people: check their delivery, retry them.")


@client(app, "list")
def list_deliveries(
    server: Server,
    status: Annotated[str, typer.Option(help="queued, delivered or dead.")] = "dead",
    hold: Annotated[str | None, typer.Option(help="All notifications for this hold (its id).")] = None,
) -> None:
    """List notifications that could not be delivered. For administrators; with --hold, for any hold you may see."""
    address = f"/api/holds/{hold}/deliveries" if hold else f"/api/deliveries?status={status}"
    found = server.get(address) if hold else server.whole(address, "deliveries")
    if server.as_json:
        output.as_json(found)
        return
    output.table(
        ("EVENT", "CHANNEL", "STATUS", "TRIES", "QUEUED", "LAST ERROR", "ID"),
        [
            (
                one["event"],
                wording.line(one["channel"]),
                one["status"],
                str(one["attempts"]),
                wording.ago(one["queued_at"]),
                wording.line(one["last_error"] or ""),
                one["id"],
            )
            for one in found["deliveries"]
        ],
    )
    if found.get("messages"):
        output.say("\nMessages that people have:")
        output.table(
            ("CHANNEL", "STATUS", "SENT", "LAST ERROR"),
            [
                (
                    wording.line(one["channel"]),
                    one["status"],
                    wording.ago(one["sent_at"]),
                    wording.line(one["last_error"] or ""),
                )
                for one in found["messages"]
            ],
        )


@client(app)
def retry(server: Server, delivery: Annotated[str, typer.Argument(help="Its id.")]) -> None:
    """Retry a dead notification from its first channel."""
    queued = server.post(f"/api/deliveries/{delivery}/retry")
    if server.as_json:
        output.as_json(queued)
    else:
        output.say(f"Queued again for {wording.line(queued['channel'])}.")
