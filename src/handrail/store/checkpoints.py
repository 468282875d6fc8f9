"""LangGraph's tables, where they are not its own business: what is deleted of them, and when."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from handrail.store.database import Connection

BATCH = 200


async def clear(conn: Connection, keep: timedelta) -> int:
    """Deletes those of a batch of runs that ended longer ago; how many runs. A failed run's stay: it can be retried.

    The first worker makes the tables; without one no run has any.
    """
    rows = await conn.execute(
        """
        UPDATE runs SET kept = false WHERE id IN (
          SELECT id FROM runs WHERE kept AND status IN ('completed', 'cancelled', 'expired')
            AND ended_at < (SELECT handrail_now()) - %s AND to_regclass('checkpoints') IS NOT NULL
          ORDER BY ended_at LIMIT %s FOR UPDATE SKIP LOCKED
        ) RETURNING id
        """,
        (keep, BATCH),
    )
    runs: list[UUID] = [row["id"] for row in await rows.fetchall()]
    if runs:
        threads = [str(each) for each in runs]
        await conn.execute("DELETE FROM checkpoint_writes WHERE thread_id = ANY(%s)", (threads,))
        await conn.execute("DELETE FROM checkpoint_blobs WHERE thread_id = ANY(%s)", (threads,))
        await conn.execute("DELETE FROM checkpoints WHERE thread_id = ANY(%s)", (threads,))
    return len(runs)
