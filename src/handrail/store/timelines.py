"""What happened on a hold, from the log."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from psycopg.rows import DictRow

from handrail.store.database import Connection

# each is a person's or an agent's act on one hold: nobody reads more
MOST = 1000


async def of_hold(conn: Connection, hold_id: UUID) -> Sequence[DictRow]:
    """Its events in order, without comments and notices, which have tables of their own. An event appears here when it
    has its number."""
    rows = await conn.execute(
        """
        SELECT seq, at, type, actor_id, data::jsonb AS data FROM events
        WHERE hold_id = %s AND starts_with(type, 'hold.') AND type <> 'hold.commented' ORDER BY seq LIMIT %s
        """,
        (hold_id, MOST),
    )
    return await rows.fetchall()
