"""Runs that have not ended: how many a workflow has, and in which of them nothing happens any more."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from handrail.store import locks
from handrail.store.database import Connection
from handrail.store.locks import Lock


class Active(NamedTuple):
    all: int
    own: int


async def count(conn: Connection, workflow: str, starter: UUID) -> Active:
    """How many have not ended, and how many of them this principal started. No other transaction that counts proceeds
    before this one ends."""
    await locks.take(conn, Lock.admission)
    # a statement of its own: it sees what was committed while this one waited for the lock
    found = await conn.execute(
        """
        SELECT count(*) AS all, count(*) FILTER (WHERE starter_id = %s) AS own FROM runs
        WHERE workflow = %s AND ended_at IS NULL
        """,
        (starter, workflow),
    )
    row = await found.fetchone()
    assert row is not None
    return Active(**row)


async def idle(conn: Connection, workflow: str, since: timedelta) -> list[UUID]:
    """Those in which nothing has happened for so long: no event, no checkpoint, no text of a model. Time in which a
    brake stops them does not count."""
    rows = await conn.execute(
        """
        SELECT r.id FROM runs r, (SELECT handrail_now() - %s AS quiet) AS since
        WHERE r.workflow = %s AND r.ended_at IS NULL AND r.active_at < since.quiet
          AND NOT EXISTS (SELECT FROM events e WHERE e.run_id = r.id AND e.at >= since.quiet)
          AND NOT EXISTS (SELECT FROM event_inbox e WHERE e.run_id = r.id AND e.at >= since.quiet)
          AND NOT EXISTS (SELECT FROM message_chunks c WHERE c.run_id = r.id AND c.at >= since.quiet)
          AND NOT EXISTS (SELECT FROM brakes b WHERE (b.agent_id IS NULL OR b.agent_id IN (r.agent_id, r.starter_id))
            AND coalesce(b.lifted_at, 'infinity') >= since.quiet)
        """,
        (since, workflow),
    )
    return [row["id"] for row in await rows.fetchall()]
