"""Pages of the whole log, for streams that are behind what memory holds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from handrail.core.people import Principal
from handrail.feed.entries import Entry, Filter
from handrail.store import feed
from handrail.store.database import Database

PAGE = 500
# all streams together take no more connections of the pool than these, so that commands always find one
READERS = 2


class Log:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._readers = asyncio.Semaphore(READERS)

    async def head(self) -> int:
        async with self._readers, self._database.connection() as conn:
            return await feed.head(conn)

    async def page(self, after: int, where: Filter, viewer: Principal) -> Sequence[Entry]:
        """The next entries that fit and may be seen. None: there are no more."""
        async with self._readers, self._database.connection() as conn:
            rows = await feed.read(
                conn,
                after,
                PAGE,
                hold_id=where.hold_id,
                run_id=where.run_id,
                case_id=where.case_id,
                kind=where.kind,
                viewer=None if where.whole else viewer,
            )
        return [Entry.of(row) for row in rows]
