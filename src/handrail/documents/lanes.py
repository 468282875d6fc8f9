"""Turns at the readers of documents: one that takes long, or many of one principal, do not hold up the others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

from handrail.core.errors import RateLimited

# of one principal, in one process; each has its file in memory
MOST_WAITING = 8


@dataclass(slots=True)
class _Turn:
    """Whose it is: held by the document that is read or next to be read."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    here: int = 0


class Lane:
    """A number of places, at most one per principal; the next free one goes to whoever has waited longest."""

    def __init__(self, places: int) -> None:
        self._places = asyncio.Semaphore(places)
        self._turns: dict[UUID, _Turn] = {}

    @asynccontextmanager
    async def place(self, who: UUID) -> AsyncGenerator[None]:
        """Waits for it; `RateLimited` where this principal has too many waiting already."""
        turn = self._turns.setdefault(who, _Turn())
        if turn.here > MOST_WAITING:
            raise RateLimited(
                f"{MOST_WAITING} of your documents are waiting to be read. Send the next one when one is done.",
                retry_after=15,
            )
        turn.here += 1
        try:
            # the principal's own turn first, so that nobody waits for more than one place at a time
            async with turn.lock, self._places:
                yield
        finally:
            turn.here -= 1
            if not turn.here:
                del self._turns[who]
