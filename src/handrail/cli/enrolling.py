"""An agent for a hook or a gateway on this machine, and a token for it: never the person's."""

from __future__ import annotations

import platform
import secrets
from collections.abc import Callable
from typing import Any

from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure
from handrail.cli.people import find

Json = dict[str, Any]


def enroll(server: Server, kind: str, label: str, known: Json | None, keep: Callable[[Json], None], again: str) -> str:
    """The agent's name: a new one, or the one that is `known` here. `keep` is given what to write down; after that the
    earlier token is revoked. `again` says what to do where the known one is no agent any more."""
    name = str(known["principal"]) if known else f"{kind}@{platform.node() or 'here'}-{secrets.token_hex(3)}"
    try:
        if known is None:
            server.post("/api/people", {"name": name, "kind": "agent"})
        elif find(server, name)["kind"] != "agent":
            raise Failure(Exit.conflict, f"{name} is not an agent. {again}")
        token = server.post("/api/tokens", {"principal": name, "scopes": ["open", "read"], "label": label})
    except Failure as failure:
        if failure.exit is Exit.not_allowed:
            said = f"{failure.message} Only an administrator can add an agent: sign in as one."
            raise Failure(failure.exit, said, failure.problem) from failure
        raise
    keep({"url": server.url, "token": token["token"], "token_id": token["id"], "principal": name})
    if known and known.get("token_id"):
        server.delete(f"/api/tokens/{known['token_id']}")
    return name
