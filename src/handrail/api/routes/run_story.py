"""A run's story as server-sent events that can be resumed."""

from __future__ import annotations

from fastapi import Request

from handrail.api import sockets
from handrail.api.identity import Reader, guarded_router, identify
from handrail.api.references import RunInPath
from handrail.api.routes.events import STREAM, After, LastEventId
from handrail.api.services import Use
from handrail.engine import reading
from handrail.feed import sse
from handrail.feed.entries import Entry, Filter

router = guarded_router("runs")


@router.get(
    "/api/runs/{run_id:run}/story",
    status_code=200,
    response_class=sse.Stream,
    responses=STREAM,
    summary="Follow a run's story",
)
async def run_story(
    request: Request,
    run_id: RunInPath,
    caller: Reader,
    services: Use,
    last_event_id: LastEventId = None,
    after: After = None,
) -> sse.Stream:
    """What happened in the run, as parts of a closed set, each with its words. Starts at the beginning by default."""
    run = await reading.get(services.context, caller.principal, run_id)
    start = await services.feed.start(sse.cursor(last_event_id, after or "0"))
    look = sockets.reader(lambda: identify(request), lambda who: reading.get(services.context, who, run.id))
    where = Filter(run_id=run.id, whole=True)
    entries = services.feed.follow(caller.principal, look, after=start, where=where)
    return sse.Stream(sse.messages(start, entries, _encode))


async def _encode(entry: Entry) -> bytes | None:
    return None if entry.story is None else sse.message(entry.seq, entry.type, entry.story)
