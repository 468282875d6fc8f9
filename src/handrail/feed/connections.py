"""Work that lives on a dedicated database connection, and continues on a new one whenever it breaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import structlog

from handrail.store import feed
from handrail.store.database import Connection

RETRY_SECONDS = 0.5

log = structlog.stdlib.get_logger(__name__)


@asynccontextmanager
async def kept_up(name: str, dsn: str, work: Callable[[Connection], Awaitable[None]]) -> AsyncGenerator[None]:
    """Runs endless work in the background while the block lasts."""
    task = asyncio.create_task(_keep_up(name, dsn, work), name=name)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _keep_up(name: str, dsn: str, work: Callable[[Connection], Awaitable[None]]) -> None:
    broken = False
    while True:
        try:
            async with feed.connection(dsn) as connection:
                broken = False
                await work(connection)
        except Exception as error:
            # whatever it was: a feed that stops is worse than one that retries; one line per outage
            if not broken:
                log.warning("feed.connection_broke", work=name, reason=f"{type(error).__name__}: {error}".strip())
            broken = True
        await asyncio.sleep(RETRY_SECONDS)
