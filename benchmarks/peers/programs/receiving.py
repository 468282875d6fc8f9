"""DBOS's part: `worker` runs the workflow that asks, `door` sends it the answer. Runs in an environment of its own."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

import os
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import uvicorn
from dbos import DBOS, DBOSClient, DBOSConfig, SetWorkflowID
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

DATABASE_URL = os.environ["DATABASE_URL"]


@DBOS.workflow()
async def ask() -> int:
    await DBOS.recv_async("decision", timeout_seconds=600)
    return time.monotonic_ns() // 1000


async def health(_: Request) -> JSONResponse:
    return JSONResponse("ok")


async def start(request: Request) -> JSONResponse:
    key = request.path_params["key"]
    with SetWorkflowID(key):
        await DBOS.start_workflow_async(ask)
    return JSONResponse(key)


async def result(request: Request) -> JSONResponse:
    handle = await DBOS.retrieve_workflow_async(request.path_params["key"])
    return JSONResponse(await handle.get_result(polling_interval_sec=0.01))


async def decide(request: Request) -> JSONResponse:
    await request.app.state.client.send_async(request.path_params["key"], "yes", "decision")
    return JSONResponse("sent")


@asynccontextmanager
async def working(_: Starlette) -> AsyncGenerator[None]:
    config: DBOSConfig = {
        "name": "peer",
        "system_database_url": DATABASE_URL,
        "log_level": "WARNING",
        "use_listen_notify": True,
    }
    DBOS(config=config)
    DBOS.launch()
    yield
    DBOS.destroy()


@asynccontextmanager
async def deciding(app: Starlette) -> AsyncGenerator[None]:
    app.state.client = DBOSClient(system_database_url=DATABASE_URL, use_listen_notify=True)
    yield
    app.state.client.destroy()


def main(role: str, port: int) -> None:
    routes = {
        "worker": [Route("/ask/{key}", start, methods=["POST"]), Route("/result/{key}", result)],
        "door": [Route("/decide/{key}", decide, methods=["POST"])],
    }[role]
    app = Starlette(routes=[Route("/health", health), *routes], lifespan=working if role == "worker" else deciding)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
