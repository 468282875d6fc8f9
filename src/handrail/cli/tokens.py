"""Commands on tokens: token list, make, revoke."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from handrail.cli import output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure

app = typer.Typer(no_args_is_help=True, help="Tokens for programs and people: list, make, revoke.")

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@client(app, "list")
def list_tokens(server: Server) -> None:
    """List your tokens; for an administrator, everyone's."""
    found = server.whole("/api/tokens", "tokens")
    if server.as_json:
        output.as_json(found)
        return
    output.table(
        ("ID", "OF", "LABEL", "SCOPES", "STATE", "LAST USED"),
        [
            (
                one["id"],
                wording.line(one["principal"]["name"]),
                wording.line(one["label"] or ""),
                ", ".join(one["scopes"]),
                _state(one["revoked_at"], one["expires_at"]),
                wording.ago(one["last_used_at"]) if one["last_used_at"] else "never",
            )
            for one in found["tokens"]
        ],
    )


@client(app)
def make(
    server: Server,
    name: Annotated[str, typer.Argument(help="Whose token: a name or an id.")],
    expires_in: Annotated[str | None, typer.Option(help="Such as 8h or 30d; omit for no expiry.")] = None,
    scope: Annotated[list[str] | None, typer.Option(help="read, open, decide or administer; repeat for more.")] = None,
    label: Annotated[str | None, typer.Option(help="What it is for.")] = None,
) -> None:
    """Create a token. It is shown only once."""
    seconds = _seconds(expires_in) if expires_in else None
    made = server.post("/api/tokens", {"principal": name, "expires_in": seconds, "scopes": scope, "label": label})
    if server.as_json:
        output.as_json(made)
        return
    # the token alone on stdout: TOKEN=$(handrail token make agent)
    output.say(made["token"])
    output.say(f"Token for {wording.line(made['principal']['name'])}. It is not shown again.", err=True)


@client(app)
def revoke(server: Server, id: Annotated[str, typer.Argument(help="The token's id.", metavar="ID")]) -> None:
    """Revoke a token immediately."""
    server.delete(f"/api/tokens/{id}")
    if server.as_json:
        output.as_json({"id": id, "revoked": True})
    else:
        output.say("Revoked.")


def _seconds(text: str) -> int:
    match = re.fullmatch(r"(\d+)([smhd])", text.strip())
    if match is None:
        raise Failure(Exit.usage, f"{text!r} is not a duration. Write it like 30m, 8h or 30d.")
    return int(match[1]) * UNITS[match[2]]


def _state(revoked_at: str | None, expires_at: str | None) -> str:
    if revoked_at:
        return f"revoked {wording.ago(revoked_at)}"
    return f"expires {wording.until(expires_at)}" if expires_at else "does not expire"
