"""How soon an update reaches a chat after its commit, with 200 chats open, against the same update over the bare
WebSocket of its run. Twenty changes, each followed by ten chats and one such socket; all in one process."""
# socketio is typed in part
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import quantiles
from typing import Any
from uuid import UUID

import httpx
import socketio
import uvloop
import websockets

from benchmarks.feed import TOKEN, server_on
from handrail.changes.events import ChangeAnswered
from handrail.store import events, runs, workflows
from handrail.store.database import Database, opened
from handrail.store.embedded import running
from handrail.store.migrate import migrate
from handrail.store.workflows import WorkflowListing

CHANGES = 20
CHATS = 200
UPDATES = 400
PAUSE_SECONDS = 0.01


def run() -> dict[str, float]:
    return uvloop.run(_run())


async def _run() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder)) as dsn:
            await migrate(dsn)
            async with opened(dsn) as database, AsyncExitStack() as stack:
                return await _measured(database, Path(folder), stack)


async def _measured(database: Database, folder: Path, stack: AsyncExitStack) -> dict[str, float]:
    rates = {"chat_handshakes_per_address": "10000/minute", "chat_connections_per_principal": CHATS}
    url, poke = await stack.enter_async_context(server_on(database, folder, repository_roots=(folder,), **rates))
    sessions = await _started(database, url, folder)
    bare: dict[str, list[float]] = {}
    chats: dict[str, list[float]] = {}
    for session in sessions:
        socket = await stack.enter_async_context(
            websockets.connect(
                f"{url.replace('http', 'ws')}/ws/runs/{session}",
                additional_headers={"Authorization": f"Bearer {TOKEN}"},
            )
        )
        listening = asyncio.create_task(_listen(socket, bare))
        stack.callback(listening.cancel)
    for number in range(CHATS):
        await _joined(url, sessions[number % CHANGES], chats, stack)
    committed = await _happened(database, sessions, poke)
    each = CHATS // CHANGES
    async with asyncio.timeout(120):
        while sum(map(len, chats.values())) < UPDATES * each or len(bare) < UPDATES:  # noqa: ASYNC110 - what clients have
            await asyncio.sleep(0.05)
    chat, feed = _cuts(committed, chats), _cuts(committed, bare)
    return {
        "chats": CHATS,
        "feed_p50_ms": feed[0],
        "feed_p99_ms": feed[1],
        "chat_p50_ms": chat[0],
        "chat_p99_ms": chat[1],
        "chat_over_feed_p50": chat[0] / feed[0],
        "chat_over_feed_p99": chat[1] / feed[1],
    }


async def _started(database: Database, url: str, folder: Path) -> list[str]:
    async with database.transaction() as conn:
        await workflows.publish(conn, [WorkflowListing("change", version="v1", input_schema=None)])
    (folder / "shop").mkdir()
    body = {"message": "Round prices.", "repo_url": str(folder / "shop")}
    async with httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {TOKEN}"}) as http:
        return [(await http.post("/api/changes", json=body)).raise_for_status().json()["id"] for _ in range(CHANGES)]


async def _listen(socket: websockets.ClientConnection, arrived: dict[str, list[float]]) -> None:
    async for text in socket:
        told: dict[str, Any] = json.loads(text)
        if told["type"] == ChangeAnswered.type:
            arrived.setdefault(told["story"]["text"], []).append(time.perf_counter())


async def _joined(url: str, session: str, arrived: dict[str, list[float]], stack: AsyncExitStack) -> None:
    client = socketio.AsyncClient(reconnection=False)

    async def update(sent: dict[str, Any]) -> None:
        if sent["type"] == "summary":
            arrived.setdefault(sent["data"]["message"], []).append(time.perf_counter())

    client.on("agent_update", update)
    auth = {"token": TOKEN, "session_id": session}
    await client.connect(url, auth=auth, transports=["websocket"], socketio_path="ws/chat", wait_timeout=30)
    stack.push_async_callback(client.disconnect)


async def _happened(database: Database, sessions: list[str], poke: Callable[[], None]) -> dict[str, float]:
    """When each update was committed."""
    committed: dict[str, float] = {}
    for number in range(UPDATES):
        await asyncio.sleep(PAUSE_SECONDS)
        async with database.transaction() as conn:
            run = await runs.get(conn, UUID(sessions[number % CHANGES]))
            assert run is not None
            await events.append(conn, [ChangeAnswered(content=f"e{number}")], None, events.of_run(run))
        committed[f"e{number}"] = time.perf_counter()
        poke()
    return committed


def _cuts(committed: dict[str, float], arrived: dict[str, list[float]]) -> tuple[float, float]:
    cuts = quantiles((1000 * (at - committed[name]) for name, each in arrived.items() for at in each), n=100)
    return cuts[49], cuts[98]
