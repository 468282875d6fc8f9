"""A run as it goes, over a WebSocket: its story after a cursor, and the text of its models as it comes."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing

from fastapi import APIRouter, WebSocket

from handrail.api import sockets
from handrail.api.references import check, named
from handrail.api.services import services_of
from handrail.api.sockets import Identity
from handrail.core import errors
from handrail.core.callers import Scope
from handrail.engine import reading
from handrail.feed import sse
from handrail.feed.chunks import Delta, with_deltas
from handrail.feed.entries import Entry, Filter

router = APIRouter(tags=["runs"])

Stream = AsyncGenerator[Entry | Delta | None]


@router.websocket("/ws/runs/{run_id}")
async def run_socket(socket: WebSocket, run_id: str, after: str | None = None, data: str | None = None) -> None:
    """Who has neither cookie nor header sends `{"token": "hr_…"}` first. Refusals are closes: 4401, 4403, 4404 …

    With `data=true`, the parts of a code change bring the data of their events."""
    await socket.accept()
    async with sockets.closing(socket):
        identity = await sockets.entered(socket, "data")
        if data not in (None, "true"):
            raise errors.InvalidField("`data` is `true`, or left out", field="data")
        stream = await _stream(socket, identity, run_id, sse.cursor(None, after))
        await sockets.both(_send_all(socket, stream, data=data is not None), _hear(socket))
        raise errors.SignInEnded


async def _stream(socket: WebSocket, identity: Identity, run_id: str, after: int | None) -> Stream:
    services = services_of(socket)
    caller = await identity()
    caller.require(Scope.read)
    async with named(services, "R", check("R", run_id, "run")) as id_:
        run = await reading.get(services.context, caller.principal, id_)
    start = await services.feed.start(after)
    await sockets.send(socket, json.dumps({"type": "stream.ready", "run_id": str(run.id), "seq": start}))
    look = sockets.reader(identity, lambda who: reading.get(services.context, who, run.id))
    where = Filter(run_id=run.id, whole=True)
    entries = services.feed.follow(caller.principal, look, after=start, where=where)
    return with_deltas(services.chunks, run.id, entries)


async def _send_all(socket: WebSocket, stream: Stream, *, data: bool) -> None:
    async with aclosing(stream):
        async for found in stream:
            if isinstance(found, Entry):
                text = found.detailed if data else found.story
            else:
                text = found.json if found else None
            if text is not None:
                await sockets.send(socket, text)


async def _hear(socket: WebSocket) -> None:
    await sockets.heard(socket)
    raise errors.Rejected("this socket is read-only")
