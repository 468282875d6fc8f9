"""How much an agent has opened of what it may, counted for all servers together."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from handrail.store import clock
from handrail.store.database import Connection


class Lease(NamedTuple):
    """So many may be opened until the window ends."""

    openings: int
    seconds: float


async def lease(conn: Connection, principal_id: UUID, most: int, window: timedelta, wanted: int) -> Lease:
    """As many of `wanted` as are left in the window. Who asks for the same principal waits until the transaction
    ends."""
    await conn.execute("INSERT INTO openings VALUES (%s, handrail_now(), 0) ON CONFLICT DO NOTHING", (principal_id,))
    found = await conn.execute("SELECT since, taken FROM openings WHERE principal_id = %s FOR UPDATE", (principal_id,))
    row = await found.fetchone()
    assert row is not None, "it was inserted above, and nobody deletes it"
    now = await clock.now(conn)
    since, taken = (row["since"], row["taken"]) if now - row["since"] < window else (now, 0)
    granted = max(0, min(wanted, most - taken))
    await conn.execute(
        "UPDATE openings SET since = %s, taken = %s WHERE principal_id = %s", (since, taken + granted, principal_id)
    )
    return Lease(granted, (since + window - now).total_seconds())
