"""What happens, as server-sent events that can be resumed."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import Header, Query, Request

from handrail.api.identity import Reader, guarded_router, identify
from handrail.api.references import HoldInQuery, RunInQuery
from handrail.api.services import Services, Use
from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Kind
from handrail.core.people import Principal
from handrail.engine import reading
from handrail.feed import sse
from handrail.feed.chunks import with_deltas
from handrail.feed.entries import Filter

router = guarded_router("events")

LastEventId = Annotated[
    str | None, Header(description="The `id` of the last event received; the stream continues after it.")
]
After = Annotated[
    str | None, Query(description="The same as Last-Event-ID, for the first request; 0 starts at the beginning.")
]

STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


@router.get("/api/events", status_code=200, response_class=sse.Stream, responses=STREAM, summary="Follow what happens")
async def events(
    request: Request,
    caller: Reader,
    services: Use,
    hold: HoldInQuery = None,
    run: RunInQuery = None,
    case: Annotated[str | None, Query(min_length=1, max_length=200)] = None,
    kind: Kind | None = None,
    deltas: Annotated[
        bool, Query(description="With `run`: also `message.delta`, its models' text as it arrives, without an id.")
    ] = False,
    last_event_id: LastEventId = None,
    after: After = None,
) -> sse.Stream:
    """Each event that the caller may see, once and in order; a comment line every 15 s if nothing happens."""
    where = Filter(hold, run, case, kind)
    if deltas:
        if run is None:
            raise errors.InvalidField("`deltas` needs `run`: name the run whose text you want", field="deltas")
        await reading.get(services.context, caller.principal, run)
    cursor = sse.cursor(last_event_id, after)
    return await follow(request, caller, services, where, cursor, deltas_of=run if deltas else None)


async def follow(
    request: Request,
    caller: Caller,
    services: Services,
    where: Filter,
    after: int | None,
    encode: sse.Encode = sse.event,
    deltas_of: UUID | None = None,
) -> sse.Stream:
    """The stream of a request. What happens after the caller has its first byte is in it, with or without a cursor."""

    async def look() -> Principal | None:
        try:
            now = await identify(request)
        except errors.Rejected:
            return None
        return now.principal if Scope.read in now.scopes else None

    start = await services.feed.start(after)
    entries = services.feed.follow(caller.principal, look, after=start, where=where)
    if deltas_of is None:
        return sse.Stream(sse.messages(start, entries, encode))
    return sse.Stream(sse.messages(start, with_deltas(services.chunks, deltas_of, entries), encode))
