"""Sessions as rows: how many there are, and what the log says about one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from handrail.core.run_events import ENDS
from handrail.store import locks
from handrail.store.database import Connection
from handrail.store.locks import Lock


class Active(NamedTuple):
    all: int
    own: int


async def count_active(conn: Connection, starter: UUID) -> Active:
    """How many have not ended, and how many of them this principal started; no other transaction that asks goes on
    before this one ends."""
    await locks.take(conn, Lock.admission)
    # a statement of its own: it sees what was committed while this one waited for the lock
    found = await conn.execute(
        """
        SELECT count(*) AS all, count(*) FILTER (WHERE starter_id = %s) AS own FROM runs
        WHERE workflow = 'skill' AND ended_at IS NULL
        """,
        (starter,),
    )
    row = await found.fetchone()
    assert row is not None
    return Active(**row)


async def idle(conn: Connection, since: timedelta) -> list[UUID]:
    """Those in which nothing has happened for so long: no event, no checkpoint, no text of a model. Time in which a
    brake stops them does not count."""
    rows = await conn.execute(
        """
        SELECT r.id FROM runs r, (SELECT handrail_now() - %s AS quiet) AS since
        WHERE r.workflow = 'skill' AND r.ended_at IS NULL AND r.active_at < since.quiet
          AND NOT EXISTS (SELECT FROM events e WHERE e.run_id = r.id AND e.at >= since.quiet)
          AND NOT EXISTS (SELECT FROM event_inbox e WHERE e.run_id = r.id AND e.at >= since.quiet)
          AND NOT EXISTS (SELECT FROM message_chunks c WHERE c.run_id = r.id AND c.at >= since.quiet)
          AND NOT EXISTS (SELECT FROM brakes b WHERE (b.agent_id IS NULL OR b.agent_id IN (r.agent_id, r.starter_id))
            AND coalesce(b.lifted_at, 'infinity') >= since.quiet)
        """,
        (since,),
    )
    return [row["id"] for row in await rows.fetchall()]


class StoryEvent(NamedTuple):
    """An event of a run; one that has no number yet is on its way into the log."""

    seq: int | None
    at: datetime
    type: str
    actor_id: UUID | None
    hold_id: UUID | None
    kind: str | None
    data: dict[str, Any] | None


async def read_only(conn: Connection) -> None:
    """All that the transaction reads is of one moment."""
    await conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")


async def told(conn: Connection, run_id: UUID) -> list[StoryEvent]:
    """Everything that happened in a run but its steps, in order."""
    rows = await conn.execute(
        """
        SELECT seq, at, type, actor_id, hold_id, kind, data FROM (
          SELECT seq, 0 AS id, at, type, actor_id, hold_id, kind, data FROM events WHERE run_id = %(run)s
          UNION ALL
          SELECT NULL, id, at, type, actor_id, hold_id, kind, data FROM event_inbox WHERE run_id = %(run)s
        ) AS said WHERE type <> 'run.step_completed' ORDER BY seq NULLS LAST, id
        """,
        {"run": run_id},
    )
    return [StoryEvent(**row) for row in await rows.fetchall()]


async def calls_until(conn: Connection, run_id: UUID, seq: int) -> set[str]:
    """Tools that were called up to that number of the log, each by the id of its call."""
    rows = await conn.execute(
        "SELECT data ->> 'call_id' AS id FROM events WHERE run_id = %s AND seq <= %s AND type = 'run.tool_called'",
        (run_id, seq),
    )
    return {row["id"] for row in await rows.fetchall() if row["id"] is not None}


async def number_of_end(conn: Connection, run_id: UUID) -> int | None:
    """The number of the event that says that the run has ended; nothing where that has none yet."""
    found = await conn.execute(
        "SELECT max(seq) AS seq FROM events WHERE run_id = %s AND type = ANY(%s)", (run_id, [*ENDS])
    )
    row = await found.fetchone()
    return row["seq"] if row else None
