"""Commands on people, services and agents, for administrators: people list, add, change, link."""

from __future__ import annotations

from getpass import getpass
from typing import Annotated, Any

import typer

from handrail.cli import output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure

app = typer.Typer(no_args_is_help=True, help="People, services and agents: list, add, change, link.")

Json = dict[str, Any]

Name = Annotated[str, typer.Argument(help="Name or id.")]
Roles = Annotated[list[str] | None, typer.Option("--role", help="A role; repeat for more.")]
Email = Annotated[str | None, typer.Option("--email", help="Where email notifications go; '' removes it.")]
Password = Annotated[bool, typer.Option("--password", help="Ask for a password.")]


@client(app, "list")
def list_people(server: Server) -> None:
    """List everyone who can act."""
    found = server.whole("/api/people", "people")
    if server.as_json:
        output.as_json(found)
        return
    output.table(
        ("NAME", "KIND", "ROLES", "STATE", "ID"),
        [
            (
                wording.line(one["name"]),
                one["kind"],
                ", ".join(map(wording.line, one["roles"])) or "none",
                "active" if one["active"] else "inactive",
                one["id"],
            )
            for one in found["people"]
        ],
    )


@client(app)
def add(
    server: Server,
    name: Annotated[str, typer.Argument(help="Their name.")],
    role: Roles = None,
    kind: Annotated[str, typer.Option(help="person, service or agent.")] = "person",
    password: Password = False,
    email: Email = None,
) -> None:
    """Add a person, a service or an agent."""
    body: Json = {"name": name, "kind": kind, "roles": role or [], "email": email}
    made = server.post("/api/people", body | ({"password": getpass()} if password else {}))
    if server.as_json:
        output.as_json(made)
        return
    output.say(f"Added {wording.line(made['name'])} ({made['kind']}).")
    step = "people link" if kind == "person" else "token make"
    output.say(f"Next: `handrail {step} '{wording.line(made['name'])}'`.")


@client(app)
def change(
    server: Server,
    name: Name,
    role: Annotated[
        list[str] | None, typer.Option("--role", help="A role that replaces all current ones; repeat for more.")
    ] = None,
    no_roles: Annotated[bool, typer.Option("--no-roles", help="Remove all roles.")] = False,
    active: Annotated[bool | None, typer.Option("--active/--inactive", help="Whether the account is active.")] = None,
    password: Password = False,
    email: Email = None,
    trust_claims: Annotated[
        bool | None,
        typer.Option("--trust-claims/--no-trust-claims", help="Whether their claims about an action count as facts."),
    ] = None,
) -> None:
    """Change roles, state, password or address. Anything not given stays as it is."""
    body: Json = {"roles": [] if no_roles else role} if role or no_roles else {}
    body |= {} if active is None else {"active": active}
    body |= {"password": getpass()} if password else {}
    body |= {} if email is None else {"email": email}
    body |= {} if trust_claims is None else {"trusted_claims": trust_claims}
    if not body:
        raise Failure(
            Exit.usage,
            "Nothing to change: give --role, --no-roles, --active, --inactive, --password, --email or --trust-claims.",
        )
    changed = server.patch(f"/api/people/{find(server, name)['id']}", body)
    if server.as_json:
        output.as_json(changed)
        return
    state = "active" if changed["active"] else "inactive"
    roles = ", ".join(map(wording.line, changed["roles"])) or "none"
    trusted = "; claims are trusted" if changed["trusted_claims"] else ""
    output.say(f"{wording.line(changed['name'])} is {state}; roles: {roles}{trusted}.")


@client(app)
def link(server: Server, name: Name) -> None:
    """Create a one-time sign-in link for a person."""
    made = server.post(f"/api/people/{find(server, name)['id']}/login-link")
    if server.as_json:
        output.as_json(made)
    else:
        output.say(f"{made['url']}\nWorks once; expires {wording.until(made['expires_at'])}.")


def find(server: Server, name: str) -> Json:
    """Whoever has this name or id."""
    for one in server.whole("/api/people", "people")["people"]:
        if name.lower() in {one["name"].lower(), one["id"]}:
            return one
    detail = f"No one is called {wording.line(name)}. See `handrail people list`."
    raise Failure(Exit.not_found, detail, {"code": "not_found", "detail": detail})
