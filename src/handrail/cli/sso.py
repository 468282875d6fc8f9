"""Commands on the company's sign-in: sso providers, preview."""

from __future__ import annotations

from typing import Annotated

import typer

from handrail.cli import output
from handrail.cli.commands import client
from handrail.cli.connection import Server

app = typer.Typer(no_args_is_help=True, help="The company's sign-in: its providers, and which roles groups give.")


@client(app)
def providers(server: Server) -> None:
    """List the providers that people can sign in with."""
    found = server.get("/api/sso/providers")
    if server.as_json:
        output.as_json(found)
    elif not found["providers"]:
        output.say("No provider is set up. Name a file with HANDRAIL_SSO_FILE: see docs/sso.md.")
    else:
        output.table(["name", "title"], [[each["name"], each["title"]] for each in found["providers"]])


@client(app)
def preview(
    server: Server,
    provider: Annotated[str, typer.Argument(help="The provider's name in the file.")],
    groups: Annotated[list[str] | None, typer.Argument(help="Groups as the provider sends them.")] = None,
) -> None:
    """Show what a person with these groups would get. For administrators."""
    found = server.post("/api/sso/preview", {"provider": provider, "groups": groups or []})
    if server.as_json:
        output.as_json(found)
        return
    if found["admitted"]:
        output.say(f"Roles: {', '.join(found['roles'])}.")
        output.say(f"May approve: {', '.join(found['levels']) or 'nothing'}.")
    else:
        output.say("Not admitted: none of these groups gives a role.")
    if found["unlisted_groups"]:
        output.say(f"Not in the table: {', '.join(found['unlisted_groups'])}.")
    if found["unknown_roles"]:
        output.say(f"In the table but not in the policy, so nobody gets them: {', '.join(found['unknown_roles'])}.")
