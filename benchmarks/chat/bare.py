"""The least that Socket.IO could do: a server that sends what it is given to whom it concerns, and nothing else."""
# socketio is typed in part
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false, reportUnknownArgumentType=false

from __future__ import annotations

import asyncio
import sys
from typing import Any

import socketio
import uvicorn

from handrail.cli.serving import listener

io: Any = socketio.AsyncServer(async_mode="asgi", http_compression=False)


@io.event
async def connect(sid: str, _environ: Any, auth: dict[str, Any]) -> None:
    await io.enter_room(sid, auth["session_id"])
    await io.emit("agent_update", {"data": {"message": "Connected"}}, to=sid)


@io.event
async def say(_sid: str, sent: dict[str, Any]) -> None:
    await io.emit("agent_update", sent, to=sent["session_id"])


def main() -> None:
    bound = listener("127.0.0.1", 0)
    print(f"http://127.0.0.1:{bound.getsockname()[1]}", flush=True)
    config = uvicorn.Config(socketio.ASGIApp(io, socketio_path="ws/chat"), log_config=None, access_log=False)
    asyncio.run(uvicorn.Server(config).serve([bound]))


if __name__ == "__main__":
    sys.exit(main())
