"""The app of a test: on the test's own database, asked over ASGI, with principals to ask as."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Collection, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import uvicorn
from fastapi import FastAPI
from feed_world import audit_folder, key_file, sequencing

from handrail import settings
from handrail.api.app import create_app
from handrail.api.services import Services
from handrail.channels.delivering import set_up
from handrail.cli import serving
from handrail.cli.kinds import built_in
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal, PrincipalKind
from handrail.core.sealing import KEY_BYTES, Sealer
from handrail.core.sizes import MIB
from handrail.engine.context import Engine
from handrail.feed.chunks import watching
from handrail.feed.live import following
from handrail.feed.sequencer import poking
from handrail.holds.context import Context
from handrail.holds.policies import in_force
from handrail.holds.quotas import Quotas
from handrail.people.bootstrap import bootstrap_administrator
from handrail.store import database as databases
from handrail.store.audiences import Audiences
from handrail.store.database import Database
from handrail.store.space import Space

URL = "http://127.0.0.1:8400"
ADMIN_TOKEN = "hr_the-administrator-of-the-tests"
OWN_PASSWORD = "correct horse battery staple"

# the routes that strangers may call
OPEN = {
    ("GET", "/health"),
    ("POST", "/api/sign-in"),
    ("POST", "/api/sign-in/passkey"),
    ("POST", "/api/sign-in/passkey/options"),
    ("GET", "/api/sso/providers"),
    ("GET", "/api/sso/{provider}/start"),
    ("GET", "/api/sso/{provider}/callback"),
    # signed, by the provider, by Slack and by Linear
    ("POST", "/api/sso/{provider}/back-channel-logout"),
    ("POST", "/api/channels/slack"),
    ("POST", "/api/channels/linear"),
    # and by a person's own program
    ("POST", "/api/channels/webhook/{link_id}"),
}
# providers add parameters, and send forms
LENIENT = {"/api/sso/{provider}/callback", "/api/sso/{provider}/back-channel-logout"}


@dataclass(frozen=True, slots=True)
class Desk:
    """The app, and a way to get principals and their clients. `admin` is the first administrator."""

    app: FastAPI
    database: Database
    admin: httpx.AsyncClient
    context: Context

    def client(self, token: str | None = None) -> httpx.AsyncClient:
        """One that speaks with this token, or as a stranger."""
        return client_of(self.app, token)

    async def principal(
        self, name: str, kind: str = "person", roles: Collection[str] = (), password: str | None = None
    ) -> Principal:
        body: dict[str, Any] = {"name": name, "kind": kind, "roles": list(roles), "password": password}
        added = (await self.admin.post("/api/people", json=body)).raise_for_status().json()
        return Principal(PrincipalId(UUID(added["id"])), name, PrincipalKind(kind), frozenset(roles))

    async def token(self, principal: str, **fields: Any) -> str:
        body = {"principal": principal, **fields}
        return (await self.admin.post("/api/tokens", json=body)).raise_for_status().json()["token"]

    async def member(self, name: str, kind: str = "person", roles: Collection[str] = ()) -> httpx.AsyncClient:
        """A new principal's client."""
        await self.principal(name, kind, roles)
        return self.client(await self.token(name))

    async def own_member(self, name: str, roles: Collection[str] = ()) -> httpx.AsyncClient:
        """A new person's client, with a token that is their own: they have set a password through it."""
        client = await self.member(name, roles=roles)
        (await client.post("/api/me/password", json={"password": OWN_PASSWORD})).raise_for_status()
        return client

    async def events(self) -> list[dict[str, Any]]:
        """Everything that happened, whether it has its number yet or not."""
        async with self.database.connection() as conn:
            found = await conn.execute(
                """
                SELECT 1 AS part, seq AS place, type, actor_id, data::jsonb AS data FROM events
                UNION ALL SELECT 2, id, type, actor_id, data::jsonb FROM event_inbox
                ORDER BY part, place
                """
            )
            return await found.fetchall()


def client_of(app: FastAPI, token: str | None = None) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=URL, headers=headers)


@asynccontextmanager
async def services(dsn: str, **options: Any) -> AsyncGenerator[Services]:
    """What an app needs, on a database where nobody is yet."""
    loaded = settings.load(**options)
    async with (
        databases.opened(dsn, space=Space(loaded.data, loaded.disk_reserve_megabytes * MIB)) as database,
        sequencing(dsn) as sequencer,
        poking(dsn, sequencer=sequencer) as poke,
        following(database) as feed,
        watching(database) as chunks,
    ):
        policies = await in_force(database)
        context = Context(
            database,
            Audiences(),
            policies,
            poke,
            set_up(loaded),
            quotas=Quotas(loaded.quota),
            sealer=Sealer(os.urandom(KEY_BYTES)),
        )
        engine = Engine(context, built_in(loaded), loaded.run_budget)
        yield Services(loaded, database, engine, feed, chunks, policies, key_file(audit_folder()))


@asynccontextmanager
async def desk(dsn: str, **options: Any) -> AsyncGenerator[Desk]:
    async with services(dsn, **options) as made:
        await bootstrap_administrator(made.database, admin_token=ADMIN_TOKEN)
        app = create_app(made)
        yield Desk(app, made.database, client_of(app, ADMIN_TOKEN), made.context)


@contextmanager
def served(dsn: str, **options: Any) -> Generator[str]:
    """The app on a real socket, in a thread of its own; gives its URL."""
    # the server's own kind: on one that does not say that it is TCP, each answer waits 40 ms for the client's ACK
    listener = serving.listener("127.0.0.1", 0)
    listener.listen()
    started, stop = threading.Event(), threading.Event()

    async def serve() -> None:
        async with desk(dsn, **options) as at:
            server = uvicorn.Server(
                uvicorn.Config(at.app, log_config=None, lifespan="off", timeout_graceful_shutdown=1)
            )
            answering = asyncio.create_task(server.serve([listener]))
            started.set()
            await asyncio.to_thread(stop.wait)
            server.should_exit = True
            await answering

    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(asyncio.run, serve())
        try:
            assert started.wait(30), running.exception(0)
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            stop.set()
            running.result()


async def events_with(client: httpx.AsyncClient, hold_id: str, kind: str) -> list[Any]:
    """The events of a hold once one of this type is there: they get their numbers a moment after the answer."""
    while True:
        events = (await client.get(f"/api/holds/{hold_id}/events")).raise_for_status().json()["events"]
        if any(event["type"] == kind for event in events):
            return events
