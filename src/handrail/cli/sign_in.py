"""Commands of a person's sign-in: login, logout, whoami, password."""

from __future__ import annotations

import re
from getpass import getpass
from typing import Annotated, Any
from urllib.parse import parse_qs, urlsplit

import typer

from handrail.cli import credentials, output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure

app = typer.Typer()

Json = dict[str, Any]

EIGHT_HOURS = 8 * 3600


@client(app)
def login(
    server: Server,
    name: Annotated[str | None, typer.Option(help="Your name; you are asked if you do not give it.")] = None,
    code: Annotated[
        str | None, typer.Option(help="A one-time link, or the code in it, instead of name and password.")
    ] = None,
) -> None:
    """Sign in for 8 hours. With name and password, or with a one-time link."""
    if code:
        link = urlsplit(code)
        server = Server(f"{link.scheme}://{link.netloc}", as_json=server.as_json) if link.netloc else server
        made = _sign_in(server, {"code": _code_of(code)})
    else:
        made = _sign_in(server, _name_and_password(name))
    who = made["principal"]
    credentials.keep(server.url, credentials.Credential(made["token"], made["id"], who["name"], made["expires_at"]))
    if server.as_json:
        # the token is kept in the file and nowhere else
        output.as_json({key: value for key, value in made.items() if key != "token"})
    else:
        output.say(f"Signed in at {server.url} as {wording.line(who['name'])} for 8 hours. See `handrail pending`.")


@client(app)
def logout(server: Server) -> None:
    """Sign out. Revokes the token of `handrail login` and forgets it."""
    found = credentials.find(server.url)
    if found is None:
        raise Failure(Exit.refused, f"You are not signed in at {server.url}.")
    credentials.drop(server.url)
    if not found.expired:
        Server(server.url, found.token).delete(f"/api/tokens/{found.token_id}")
    if server.as_json:
        output.as_json({"signed_out": server.url})
    else:
        output.say(f"Signed out at {server.url}.")


@client(app)
def whoami(server: Server) -> None:
    """Show who you are here: your name, your roles, what you may do, and at which server."""
    me = server.get("/api/me")
    if server.as_json:
        output.as_json({**me, "server": server.url})
        return
    roles = ", ".join(map(wording.line, me["roles"])) or "none"
    output.say(f"{wording.line(me['name'])} ({me['kind']}) at {server.url}\nRoles: {roles}")
    output.say(f"May: {', '.join(me['scopes'])}")
    if me["kind"] == "person" and not me["own_credential"]:
        output.say(
            "You did not create this sign-in. To approve critical actions, set your own password: `handrail password`."
        )


@client(app)
def password(server: Server) -> None:
    """Set your own password. After that, the token or sign-in you are using counts as your own."""
    try:
        current = getpass("Current password (leave empty if you have none): ")
        new = getpass("New password: ")
        if getpass("New password again: ") != new:
            raise Failure(Exit.usage, "The passwords do not match. Nothing was changed.")
    except EOFError as error:
        raise Failure(Exit.usage, "This is not an interactive terminal, so no password can be typed.") from error
    me = server.post("/api/me/password", {"password": new, **({"current": current} if current else {})})
    if server.as_json:
        output.as_json(me)
    else:
        output.say(f"Your password is set, {wording.line(me['name'])}. All your other sign-ins have ended.")


def _name_and_password(name: str | None) -> Json:
    try:
        if name is None:
            output.say("Name:", err=True)
            name = input().strip()
        return {"name": name, "password": getpass()}
    except EOFError as error:
        raise Failure(Exit.usage, "This is not an interactive terminal: use --code or a token.") from error


def _code_of(link: str) -> str:
    """The code in a link, in its query or behind its #; the text itself if it is not a link."""
    parts = urlsplit(link)
    found = {**parse_qs(parts.query), **parse_qs(parts.fragment)}.get("code")
    if parts.netloc and not found:
        raise Failure(Exit.usage, "That link has no code. Copy the whole link, in quotes.")
    return found[0] if found else re.sub(r"^code=", "", link)


def _sign_in(server: Server, proof: Json) -> Json:
    """A token of 8 hours. The sign-in it takes to get one ends at once."""
    import httpx

    try:
        with server.http(signed_in=False) as http:
            me = server.answer(http.post("/api/sign-in", json=proof))
            http.headers["X-CSRF-Token"] = me["csrf_token"]
            body = {"principal": me["id"], "expires_in": EIGHT_HOURS, "label": "handrail login"}
            made = server.answer(http.post("/api/tokens", json=body))
            server.answer(http.post("/api/sign-out"))
            return made
    except httpx.TransportError as error:
        raise server.unreachable(error) from error
