"""A server process, the same database opened from here, and holds to measure with."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from handrail.api.identity import by_token
from handrail.core.holds import Action, Kind
from handrail.core.people import Principal
from handrail.core.quotas import Quota
from handrail.holds.context import Context
from handrail.holds.opening import Opening
from handrail.holds.policies import in_force
from handrail.holds.quotas import Quotas
from handrail.store.audiences import Audiences
from handrail.store.database import opened
from handrail.store.embedded import Server

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from server import ServerProcess, running

# one principal opens them all
UNLIMITED = Quota(open_holds=10_000_000, open_bytes=1 << 40)
BODY = {
    "kind": "confirmation",
    "title": "Send the weekly report",
    "action": {"name": "send_report", "args": {"to": ["ops@example.org"], "copies": 2}, "target": "ops"},
}


def opening(n: int) -> Opening:
    return Opening(
        Kind.confirmation, f"Send report {n}", Action("send_report", {"n": n, "to": ["ops@example.org"]}, "ops")
    )


@dataclass(frozen=True)
class World:
    server: ServerProcess
    context: Context
    agent: Principal
    person: Principal
    agent_token: str
    person_token: str
    agent_http: httpx.AsyncClient
    person_http: httpx.AsyncClient


@asynccontextmanager
async def world() -> AsyncGenerator[World]:
    """`handrail up`, a service that opens, a person who decides."""
    with running(HANDRAIL_OPEN_HOLDS=str(UNLIMITED.open_holds), HANDRAIL_OPEN_MEGABYTES="1000000") as server:
        agent, person = server.token_of("loader", kind="service"), server.token_of("reviewer", "team_lead")
        user = Server(server.data)
        try:
            async with (
                opened(user.start(), largest_pool=10) as database,
                _http(server.url, agent) as agent_http,
                _http(server.url, person) as person_http,
            ):
                context = Context(
                    database, Audiences(), await in_force(database), lambda: None, quotas=Quotas(UNLIMITED)
                )
                asks = await by_token(database, agent)
                decides = await by_token(database, person)
                yield World(server, context, asks.principal, decides.principal, agent, person, agent_http, person_http)
        finally:
            user.stop()


def _http(url: str, token: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60, trust_env=False)
