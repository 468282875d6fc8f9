"""An app behind a real uvicorn on a port of its own, and clients of its event streams."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import uvicorn
from server import NO_CERTIFICATES
from starlette.types import ASGIApp

from handrail_sdk.sse import Parser


@asynccontextmanager
async def served(app: ASGIApp) -> AsyncGenerator[str]:
    """The address of the app, served from this process's own loop."""
    async with serving(app) as server:
        yield url_of(server)


def url_of(server: uvicorn.Server) -> str:
    return f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"


@asynccontextmanager
async def serving(app: ASGIApp) -> AsyncGenerator[uvicorn.Server]:
    config = uvicorn.Config(app, host="127.0.0.1", port=0, ws="websockets-sansio", lifespan="off", log_config=None)
    async with running(config) as server:
        yield server


@asynccontextmanager
async def running(config: uvicorn.Config) -> AsyncGenerator[uvicorn.Server]:
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    ticking = asyncio.create_task(server.main_loop())
    try:
        yield server
    finally:
        server.should_exit = True
        server.force_exit = True
        await ticking
        await server.shutdown()


@dataclass(frozen=True, slots=True)
class Message:
    id: str
    event: str
    data: dict[str, Any]


@asynccontextmanager
async def stream(url: str, path: str, token: str, **headers: str) -> AsyncGenerator[AsyncGenerator[Message]]:
    """The messages of a stream that is open; it fails where the server refuses."""
    headers = {"Authorization": f"Bearer {token}", **headers}
    async with (
        httpx.AsyncClient(base_url=url, headers=headers, timeout=60, verify=NO_CERTIFICATES) as client,
        client.stream("GET", path) as response,
    ):
        assert response.status_code == 200, await response.aread()
        assert response.headers["content-type"].startswith("text/event-stream")
        yield _messages(response)


async def _messages(response: httpx.Response) -> AsyncGenerator[Message]:
    parser = Parser()
    async for chunk in response.aiter_bytes():
        # one at a time: the parser's id is that of the last block
        for byte in chunk.splitlines(keepends=True):
            for found in parser.feed(byte):
                yield Message(parser.last_id, found.event, json.loads(found.data))
