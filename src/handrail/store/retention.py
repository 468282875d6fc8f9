"""What is given up when it has been kept long enough: data of entries, notices that arrived, files of runs."""

from __future__ import annotations

from datetime import timedelta

from psycopg import sql

from handrail.core import agreement
from handrail.core.audit import PRUNED_DATA, RESTORED
from handrail.store.database import Connection

# while one batch is emptied, nothing gets a number
BATCH = 2000
# of up to 64 MiB each
WORKSPACES = 20
# of a hold `h`
_WAITS = sql.SQL(
    """(h.status = 'pending' OR (h.status = 'approved' AND h.decided_at > handrail_now() - %(keep)s
      AND h.state ->> 'redemption' IS NULL))"""
)


async def empty_entries(conn: Connection, keep: timedelta) -> int | None:
    """Empties the oldest entries that have their data and are older than that; the last one's number, if any was.

    The log stands still until the transaction ends. The log's own statements stay: the proof needs them. So do entries
    of holds that wait for a decision or, not longer than that, for its use: it is compared with them.
    """
    found = await conn.execute("SELECT pruned FROM feed_head FOR UPDATE")
    row = await found.fetchone()
    assert row is not None
    pruned = row["pruned"]
    # moments are not quite in the order of numbers: a batch ends before the first entry that is to be kept
    page = await conn.execute(
        """
        WITH page AS (SELECT seq, at < handrail_now() - %s AS old FROM events WHERE seq > %s ORDER BY seq LIMIT %s)
        SELECT coalesce((SELECT min(seq) - 1 FROM page WHERE NOT old), (SELECT max(seq) FROM page)) AS until
        """,
        (keep, pruned, BATCH),
    )
    row = await page.fetchone()
    assert row is not None
    until: int | None = row["until"]
    if until is None or until <= pruned:
        return None
    values = {"after": pruned, "until": until, "keep": keep, "types": list(agreement.TYPES), "restored": RESTORED}
    await conn.execute(
        sql.SQL(
            """
            INSERT INTO spared_entries (seq, hold_id) SELECT e.seq, e.hold_id FROM events e JOIN holds h
              ON h.id = e.hold_id WHERE e.seq > %(after)s AND e.seq <= %(until)s AND e.type = ANY(%(types)s) AND {}
            """
        ).format(_WAITS),
        values,
    )
    await conn.execute(
        """
        UPDATE events e SET data = %(nothing)s, salt = NULL WHERE seq > %(after)s AND seq <= %(until)s
          AND type NOT LIKE 'audit.%%' AND type <> %(restored)s
          AND NOT EXISTS (SELECT FROM spared_entries s WHERE s.seq = e.seq)
        """,
        {**values, "nothing": PRUNED_DATA},
    )
    await conn.execute("UPDATE feed_head SET pruned = %s", (until,))
    return until


async def empty_spared(conn: Connection, keep: timedelta) -> int:
    """Empties a batch of those that were spared and whose hold waits no longer; how many. The statement that gave up
    the entries around them stands for them too."""
    gone = await conn.execute(
        sql.SQL(
            """
            WITH past AS (DELETE FROM spared_entries WHERE seq IN (
              SELECT s.seq FROM spared_entries s LEFT JOIN holds h ON h.id = s.hold_id
              WHERE h.id IS NULL OR NOT {} LIMIT %(batch)s FOR UPDATE OF s SKIP LOCKED) RETURNING seq)
            UPDATE events SET data = %(nothing)s, salt = NULL FROM past WHERE events.seq = past.seq
            """
        ).format(_WAITS),
        {"keep": keep, "batch": BATCH, "nothing": PRUNED_DATA},
    )
    return gone.rowcount


async def delete_delivered(conn: Connection, keep: timedelta) -> int:
    """Notices that arrived longer ago than that; the log tells of them all the same."""
    gone = await conn.execute(
        """
        DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries
          WHERE status = 'delivered' AND delivered_at < handrail_now() - %s LIMIT %s FOR UPDATE SKIP LOCKED)
        """,
        (keep, BATCH),
    )
    return gone.rowcount


async def delete_messages(conn: Connection, keep: timedelta) -> int:
    """What is remembered of messages outside, where they say what was decided longer ago than that, and what came in
    before."""
    gone = await conn.execute(
        """
        DELETE FROM messages WHERE id IN (SELECT m.id FROM messages m JOIN holds h ON h.id = m.hold_id
          WHERE m.due_at IS NULL AND h.decided_at < handrail_now() - %s LIMIT %s FOR UPDATE OF m SKIP LOCKED)
        """,
        (keep, BATCH),
    )
    await conn.execute("DELETE FROM received WHERE at < handrail_now() - greatest(%s, interval '1 day')", (keep,))
    return gone.rowcount


async def delete_workspaces(conn: Connection, keep: timedelta) -> int:
    """The files of runs that ended longer ago than that; of how many runs. Names, sizes and hashes stay in their
    results."""
    gone = await conn.execute(
        """
        WITH past AS (
          SELECT f.run_id FROM (SELECT DISTINCT run_id FROM run_files) f JOIN runs r ON r.id = f.run_id
          WHERE r.ended_at < handrail_now() - %s LIMIT %s
        ),
        deleted AS (DELETE FROM run_files USING past WHERE run_files.run_id = past.run_id)
        SELECT count(*) AS runs FROM past
        """,
        (keep, WORKSPACES),
    )
    row = await gone.fetchone()
    assert row is not None
    return row["runs"]
