"""A run as it goes, for sockets: all that happened after a cursor, then what happens, with the text of models."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from uuid import UUID

from handrail.api.services import Services
from handrail.core.people import Principal
from handrail.feed.chunks import Delta, with_deltas
from handrail.feed.entries import Entry, Filter
from handrail.store.chunks import Message

Look = Callable[[], Awaitable[Principal | None]]
_NOTHING: Mapping[Message, int] = {}


async def whole(
    services: Services,
    who: Principal,
    look: Look,
    run_id: UUID,
    after: int,
    told: Mapping[Message, int] = _NOTHING,
) -> AsyncGenerator[Entry | Delta | None]:
    """Nothing (None) is a heartbeat. It ends where `look` gives nobody any more."""
    feed, where = services.feed, Filter(run_id=run_id, whole=True)
    # what is being said now comes after all that happened before
    while past := await feed.past(who, after=after, where=where):
        for entry in past:
            yield entry
            after = entry.seq
    entries = feed.follow(who, look, after=after, where=where)
    async with aclosing(with_deltas(services.chunks, run_id, entries, told)) as stream:
        async for found in stream:
            yield found
