"""Restate: its server, a service of its SDK in another process, and an awakeable that a suspended invocation awaits."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from benchmarks.peers import installing
from benchmarks.peers.side import Side, client, free_port, moment, started

VERSION = "1.7.12"
SDK_VERSION = "1.14.5"
PROGRAM = Path(__file__).parent / "programs" / "asking.mjs"
# a run that waits for a person is not in memory: without this an invocation would wait there for a minute
SUSPENDED_AFTER = "10ms"


class Restate(Side):
    def __init__(self, ingress: httpx.AsyncClient, admin: httpx.AsyncClient, service: httpx.AsyncClient) -> None:
        self._ingress = ingress
        self._admin = admin
        self._service = service

    async def resumed(self) -> float:
        sent = (await self._ingress.post("/asking/ask/send", json={})).raise_for_status().json()
        invocation = sent["invocationId"]
        while not await self._suspended(invocation):  # noqa: ASYNC110 - another process's doing
            await asyncio.sleep(0.01)
        awakeable = (await self._service.get(f"/asked/{invocation}")).text
        began = moment()
        (await self._ingress.post(f"/restate/awakeables/{awakeable}/resolve", json="yes")).raise_for_status()
        answer = await self._ingress.get(f"/restate/invocation/{invocation}/attach")
        return (answer.raise_for_status().json() - began) / 1000

    async def _suspended(self, invocation: str) -> bool:
        query = f"SELECT status FROM sys_invocation WHERE id = '{invocation}'"
        rows: list[dict[str, Any]] = (await self._admin.post("/query", json={"query": query})).json()["rows"]
        return [row["status"] for row in rows] == ["suspended"]


@asynccontextmanager
async def side() -> AsyncGenerator[Restate]:
    packages = installing.node(
        "restate", [f"@restatedev/restate-server@{VERSION}", f"@restatedev/restate-sdk@{SDK_VERSION}"]
    )
    # it finds its packages from where it lies
    program = Path(shutil.copy(PROGRAM, packages))
    ports = {name: free_port() for name in ("ingress", "admin", "fabric", "service", "asked")}
    server = installing.variables() | {
        "RESTATE_INGRESS__BIND_ADDRESS": f"127.0.0.1:{ports['ingress']}",
        "RESTATE_ADMIN__BIND_ADDRESS": f"127.0.0.1:{ports['admin']}",
        "RESTATE_BIND_ADDRESS": f"127.0.0.1:{ports['fabric']}",
        "RESTATE_ADVERTISED_ADDRESS": f"http://127.0.0.1:{ports['fabric']}",
        "RESTATE_LISTEN_MODE": "tcp",
        "RESTATE_WORKER__INVOKER__INACTIVITY_TIMEOUT": SUSPENDED_AFTER,
        "RESTATE_DEFAULT_NUM_PARTITIONS": "2",
    }
    service = installing.variables() | {"SERVICE_PORT": str(ports["service"]), "ASKED_PORT": str(ports["asked"])}
    binary = packages / "node_modules" / ".bin" / "restate-server"
    async with (
        started(["node", program], service, f"http://127.0.0.1:{ports['asked']}/"),
        started([binary, "--no-logo"], server, f"http://127.0.0.1:{ports['ingress']}/restate/health"),
        client(ports["ingress"]) as ingress,
        client(ports["admin"]) as admin,
        client(ports["asked"]) as asked,
    ):
        admin.headers["Accept"] = "application/json"
        uri = f"http://127.0.0.1:{ports['service']}"
        (await admin.post("/deployments", json={"uri": uri})).raise_for_status()
        yield Restate(ingress, admin, asked)
