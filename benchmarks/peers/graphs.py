"""LangGraph: its development server, and alone in the process that waits."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from benchmarks.engine import bare as bare_graph
from benchmarks.engine.world import WORKFLOWS
from benchmarks.peers import installing
from benchmarks.peers.side import Side, client, free_port, moment, started

SERVER_VERSION = "0.16.7"
CLI_VERSION = "0.4.40"


class Server(Side):
    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def resumed(self) -> float:
        thread = (await self._http.post("/threads", json={})).raise_for_status().json()["thread_id"]
        await self._run(thread, {"input": {}})
        while (await self._thread(thread))["status"] != "interrupted":  # noqa: ASYNC110 - another process's doing
            await asyncio.sleep(0.02)
        began = moment()
        await self._run(thread, {"command": {"resume": "yes"}})
        at: int | None = None
        while at is None:
            await asyncio.sleep(0.02)
            values: dict[str, int] = (await self._thread(thread))["values"] or {}
            at = values.get("at")
        return (at - began) / 1000

    async def _run(self, thread: str, body: dict[str, Any]) -> None:
        answer = await self._http.post(f"/threads/{thread}/runs", json={"assistant_id": "bench", **body})
        answer.raise_for_status()

    async def _thread(self, thread: str) -> dict[str, Any]:
        return (await self._http.get(f"/threads/{thread}")).raise_for_status().json()


@asynccontextmanager
async def server() -> AsyncGenerator[Server]:
    packages = [f"langgraph-cli[inmem]=={CLI_VERSION}", f"langgraph-api=={SERVER_VERSION}"]
    python = installing.python("langgraph", packages)
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="handrail-langgraph-") as folder:
        shutil.copy(WORKFLOWS.parent / "bench_flow.py", folder)
        config = Path(folder) / "langgraph.json"
        config.write_text(json.dumps({"dependencies": ["."], "graphs": {"bench": f"{folder}/bench_flow.py:graph"}}))
        command = [python.with_name("langgraph"), "dev", "--config", config, "--host", "127.0.0.1"]
        async with (
            started(
                [*command, "--port", str(port), "--no-browser", "--no-reload"],
                installing.variables(),
                f"http://127.0.0.1:{port}/ok",
            ),
            client(port) as http,
        ):
            yield Server(http)


class Bare(Side):
    def __init__(self, graph: Any) -> None:
        self._graph = graph

    async def resumed(self) -> float:
        return await bare_graph.resumed(self._graph)


@asynccontextmanager
async def bare(dsn: str) -> AsyncGenerator[Bare]:
    async with bare_graph.compiled(dsn) as graph:
        yield Bare(graph)
