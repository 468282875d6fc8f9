"""Commands on how you are notified: notifications show, set, test, preview."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from handrail.cli import output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure

app = typer.Typer(no_args_is_help=True, help="How you are notified: channels, quiet hours, a test of each.")

_HOURS = re.compile(r"(\d{2}:\d{2})-(\d{2}:\d{2})")


@client(app)
def show(server: Server) -> None:
    """Show your channels and quiet hours, and which channels reach you."""
    chosen, found = server.get("/api/me/notifications"), server.get("/api/channels")
    if server.as_json:
        output.as_json({**chosen, **found})
        return
    output.say(f"Channels: {_order(chosen['channels'])}\nQuiet hours: {_hours(chosen['quiet'])}\n")
    output.table(
        ("CHANNEL", "SET UP", "REACHES", "IN THE POLICY"),
        [
            (
                one["name"],
                "yes" if one["set_up"] else f"no, {one['needs']} is missing",
                "everyone" if one["shared"] and one["set_up"] else "you" if one["reaches"] else "not you",
                "yes" if one["named"] else "no",
            )
            for one in found["channels"]
        ],
    )


@client(app, "set")
def set_(
    server: Server,
    channels: Annotated[
        str | None,
        typer.Option(help="Tried first, in this order: push,email. Or `policy`, or `inbox` for the inbox only."),
    ] = None,
    quiet: Annotated[str | None, typer.Option(help="Quiet hours like 22:00-07:00, or `none`.")] = None,
    timezone: Annotated[str, typer.Option(help="Of the quiet hours, such as Europe/Berlin.")] = "UTC",
) -> None:
    """Choose your channels and quiet hours. What you leave out stays."""
    body = server.get("/api/me/notifications")
    if channels is not None:
        special: dict[str, list[str] | None] = {"policy": None, "inbox": []}
        listed = [one.strip() for one in channels.split(",") if one.strip()]
        body["channels"] = special.get(channels, listed)
    if quiet is not None:
        body["quiet"] = None if quiet == "none" else _quiet(quiet, timezone)
    saved = server.put("/api/me/notifications", body)
    if server.as_json:
        output.as_json(saved)
    else:
        output.say(f"Channels: {_order(saved['channels'])}\nQuiet hours: {_hours(saved['quiet'])}")


@client(app)
def test(
    server: Server, channel: Annotated[str, typer.Argument(help="slack, email, push, linear or webhook.")]
) -> None:
    """Send yourself a test. Shared channels are for administrators."""
    server.post(f"/api/channels/{channel}/test")
    if not server.as_json:
        output.say(f"The test by {channel} was delivered.")


def _order(channels: list[str] | None) -> str:
    if channels is None:
        return "as the policy says"
    return ", then ".join(channels) or "the inbox only"


def _hours(quiet: dict[str, Any] | None) -> str:
    return f"{quiet['begins'][:5]} to {quiet['ends'][:5]}, {wording.line(quiet['timezone'])}" if quiet else "none"


def _quiet(text: str, timezone: str) -> dict[str, str]:
    found = _HOURS.fullmatch(text)
    if found is None:
        raise Failure(Exit.usage, f"{text!r} are no quiet hours. Write them like 22:00-07:00, or `none`.")
    return {"begins": found[1], "ends": found[2], "timezone": timezone}
