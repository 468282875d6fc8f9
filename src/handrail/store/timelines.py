"""What happened on a hold, or to a run and its holds, from the log."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from psycopg.rows import DictRow

from handrail.store.database import Connection

# each is a person's or an agent's act on one hold: nobody reads more
MOST = 1000
TURNS = (
    "run.started",
    "run.paused",
    "run.resumed",
    "run.retried",
    "run.completed",
    "run.failed",
    "run.cancelled",
    "run.expired",
)


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


async def of_run(conn: Connection, run_id: UUID) -> Sequence[DictRow]:
    """The same of a run and all that it asked, with its own beginning, pauses and end."""
    rows = await conn.execute(
        """
        SELECT seq, at, type, actor_id, hold_id, data::jsonb AS data FROM events
        WHERE run_id = %s AND (starts_with(type, 'hold.') AND type <> 'hold.commented' OR type = ANY(%s))
        ORDER BY seq LIMIT %s
        """,
        (run_id, list(TURNS), MOST),
    )
    return await rows.fetchall()
