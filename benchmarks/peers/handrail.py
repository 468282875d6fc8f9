"""Handrail: `handrail up` with two processes for runs, the decision over its API."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx

from benchmarks.engine.world import WORKFLOWS, resumed, running, served
from benchmarks.peers.side import Side
from handrail.store.embedded import Server


class Handrail(Side):
    def __init__(self, dsn: str, asker: httpx.AsyncClient, person: httpx.AsyncClient) -> None:
        # of its PostgreSQL, which peers that need one share
        self.dsn = dsn
        self._asker = asker
        self._person = person

    async def resumed(self) -> float:
        return (await resumed(self._asker, self._person))[0]


@asynccontextmanager
async def side() -> AsyncGenerator[Handrail]:
    with running("up", HANDRAIL_WORKFLOWS_FILE=str(WORKFLOWS), HANDRAIL_CONCURRENCY="2") as server:
        token = server.token_of("reviewer", "team_lead")
        user = Server(server.data)
        try:
            async with _http(server.url, server.admin_token) as asker, _http(server.url, token) as person:
                await served(asker)
                yield Handrail(user.start(), asker, person)
        finally:
            user.stop()


def _http(url: str, token: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60, trust_env=False)
