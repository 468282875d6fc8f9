"""How soon an update reaches a client and the page after its commit, with 200 chats and a page open.

Forty updates a second: half of them belong to the change that the page shows, the others to nineteen more. Every
update reaches ten chats: stock JavaScript clients, all in one process. The server, the clients and the browser are
processes of their own, on the same cores. `page` is the time until Chromium has the words in its document; the page
shows together what comes within 30 ms.

Two floors are measured in the same run: `notify`, a row and a bare NOTIFY to one listener; and `echo`, the same
messages from a bare Socket.IO server to the same clients, without a database, an order or a token.
"""
# socketio is typed in part
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import socketio

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from server import ServerProcess, running

from benchmarks.chat.watching import Clients, bare_server, clients, latencies, percentiles, window
from benchmarks.feed import bare_notify
from handrail.core.run_events import MessageCompleted
from handrail.feed.sequencer import poking
from handrail.store import events, runs, workflows
from handrail.store.database import Database, opened
from handrail.store.embedded import Server
from handrail.store.workflows import WorkflowListing

CHANGES = 20
CHATS = 200
UPDATES = 600
PAUSE_SECONDS = 0.025
PATIENCE_SECONDS = 60
LIMITS = {
    "HANDRAIL_CHAT_HANDSHAKES_PER_ADDRESS": "10000/minute",
    "HANDRAIL_CHAT_CONNECTIONS_PER_PRINCIPAL": str(CHATS),
    "HANDRAIL_MAX_CHANGES": str(CHANGES),
    "HANDRAIL_MAX_CHANGES_PER_PRINCIPAL": str(CHANGES),
    # nothing happens in a change but what is written here
    "HANDRAIL_CONCURRENCY": "0",
}

Say = Callable[[str, str], Awaitable[float]]


def run() -> dict[str, float]:
    return asyncio.run(_run())


async def _run() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder, running(HANDRAIL_REPOSITORY_ROOTS=folder, **LIMITS) as server:
        user = Server(server.data)
        try:
            async with opened(user.start()) as database, AsyncExitStack() as stack:
                return await _measured(server, database, folder, stack)
        finally:
            user.stop()


async def _measured(server: ServerProcess, database: Database, folder: str, stack: AsyncExitStack) -> dict[str, float]:
    notify = await bare_notify(database)
    sessions = await _started(server, database, folder)
    # ten chats each
    places = [sessions[number % CHANGES] for number in range(CHATS)]
    poke = await stack.enter_async_context(poking(database.dsn))

    async def commit(session: str, name: str) -> float:
        async with database.transaction() as conn:
            found = await runs.get(conn, UUID(session))
            assert found is not None
            said = MessageCompleted(message_id=name, attempt=1, role="ai", node=None, content=name)
            await events.append(conn, [said], None, events.of_run(found))
        at = time.time()
        poke()
        return at

    await commit(sessions[0], "e0e")
    page = await stack.enter_async_context(window(server, sessions[0]))
    auths = [{"token": server.admin_token, "session_id": session} for session in places]
    chats = await stack.enter_async_context(clients(server.url, auths))
    sent = await _said(commit, sessions, chats)
    chat = percentiles(latencies(sent, await chats.arrivals()))
    shown = percentiles(latencies(sent, await page.arrivals()))
    echo = await _echoed(sessions, [{"session_id": session} for session in places])
    return {
        "chats": CHATS,
        "notify_p50_ms": notify[0],
        "notify_p99_ms": notify[1],
        "echo_p50_ms": echo[0],
        "echo_p99_ms": echo[1],
        "chat_p50_ms": chat[0],
        "chat_p99_ms": chat[1],
        "page_p50_ms": shown[0],
        "page_p99_ms": shown[1],
        "chat_over_notify_p50": chat[0] / notify[0],
        "chat_over_echo_p50": chat[0] / echo[0],
        "chat_over_echo_p99": chat[1] / echo[1],
        "page_over_chat_p99": shown[1] / chat[1],
    }


async def _started(server: ServerProcess, database: Database, folder: str) -> list[str]:
    async with database.transaction() as conn:
        await workflows.publish(conn, [WorkflowListing("change", version="v1", input_schema=None)])
    body = {"message": "Round prices.", "repo_url": folder}
    headers = {"Authorization": f"Bearer {server.admin_token}"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers, trust_env=False) as http:
        return [(await http.post("/api/changes", json=body)).raise_for_status().json()["id"] for _ in range(CHANGES)]


async def _said(say: Say, sessions: list[str], heard: Clients) -> dict[str, float]:
    """When each update was sent, once all have arrived."""
    sent: dict[str, float] = {}
    for number in range(1, UPDATES + 1):
        await asyncio.sleep(PAUSE_SECONDS)
        # every second one is the page's
        place = sessions[0 if number % 2 else 1 + number // 2 % (CHANGES - 1)]
        sent[f"e{number}e"] = await say(place, f"e{number}e")
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await heard.count() < UPDATES * CHATS // CHANGES:  # noqa: ASYNC110 - another process's figure
            await asyncio.sleep(0.05)
    return sent


async def _echoed(sessions: list[str], auths: list[dict[str, str]]) -> tuple[float, float]:
    async with bare_server() as url, clients(url, auths) as heard:
        teller: Any = socketio.AsyncClient()
        await teller.connect(url, auth={"session_id": "nobody"}, socketio_path="ws/chat", transports=["websocket"])

        async def say(session: str, name: str) -> float:
            at = time.time()
            data = {"kind": "model", "message": name, "reasoning": None, "message_id": name, "attempt": 1, "node": None}
            place = {"stage": "intent_extraction", "session_id": session, "seq": 1}
            await teller.emit("say", {"type": "log", "timestamp": "2026-11-16T09:00:00Z", "data": data, **place})
            return at

        sent = await _said(say, sessions, heard)
        await teller.disconnect()
        return percentiles(latencies(sent, await heard.arrivals()))
