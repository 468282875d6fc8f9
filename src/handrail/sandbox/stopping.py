"""Ends at once what this process runs in sandboxes, and lets nothing new begin."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from threading import Event

from handrail.core.errors import Braked

_under_way: set[tuple[asyncio.AbstractEventLoop, asyncio.Timeout]] = set()
_stopped = Event()


def stop() -> None:
    _stopped.set()
    for loop, limit in list(_under_way):
        # a node may have a loop of its own, on a thread of its own
        loop.call_soon_threadsafe(limit.reschedule, 0)


def allow() -> None:
    _stopped.clear()


@asynccontextmanager
async def stoppable() -> AsyncGenerator[None]:
    """A block that `stop` cancels, or does not let begin: `Braked` then."""
    stopped = Braked("the emergency brake stopped this command")
    if _stopped.is_set():
        raise stopped
    limit = asyncio.timeout(None)
    mine = (asyncio.get_running_loop(), limit)
    try:
        async with limit:
            _under_way.add(mine)
            yield
    except TimeoutError:
        if limit.expired():
            raise stopped from None
        raise
    finally:
        _under_way.discard(mine)
