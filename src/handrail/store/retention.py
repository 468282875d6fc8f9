"""What is given up when it has been kept long enough: data of entries, notices that arrived."""

from __future__ import annotations

from datetime import timedelta

from handrail.core.audit import PRUNED_DATA
from handrail.store.database import Connection

# while one batch is emptied, nothing gets a number
BATCH = 2000


async def empty_entries(conn: Connection, keep: timedelta) -> int | None:
    """Empties the oldest entries that have their data and are older than that; the last one's number, if any was.

    The log stands still until the transaction ends. The log's own statements stay: the proof needs them.
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
    await conn.execute(
        "UPDATE events SET data = %s, salt = NULL WHERE seq > %s AND seq <= %s AND type NOT LIKE 'audit.%%'",
        (PRUNED_DATA, pruned, until),
    )
    await conn.execute("UPDATE feed_head SET pruned = %s", (until,))
    return until


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
