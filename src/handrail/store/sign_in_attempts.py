"""Passwords tried, and the browsers that are known, as rows."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from handrail.store.database import Connection

FIRST_WAIT_SECONDS = 5
LONGEST_WAIT_SECONDS = 60


async def count(conn: Connection, counted: bytes, free: int, forgotten_after: timedelta, now: datetime) -> float | None:
    """Counts a try, or says how many seconds it has to wait, which counts nothing.

    So many are free; after them, each waits twice as long as the one before, from five seconds up to a minute. The row
    is locked until the transaction ends: of tries at the same moment, on any replica, no more pass than one by one.
    """
    values = {
        "counted": counted,
        "free": free,
        "now": now,
        "forgotten": now - forgotten_after,
        "first": FIRST_WAIT_SECONDS,
        "longest": LONGEST_WAIT_SECONDS,
    }
    taken = await conn.execute(
        """
        INSERT INTO sign_in_attempts AS a (counted, tries, last_at) VALUES (%(counted)s, 1, %(now)s)
        ON CONFLICT (counted) DO UPDATE SET last_at = %(now)s,
          tries = CASE WHEN a.last_at < %(forgotten)s THEN 1 ELSE a.tries + 1 END
        WHERE a.last_at < %(forgotten)s OR a.tries < %(free)s
          OR %(now)s >= a.last_at
            + make_interval(secs => least(%(longest)s, %(first)s * 2 ^ least(a.tries - %(free)s, 6)))
        """,
        values,
    )
    if taken.rowcount:
        return None
    found = await conn.execute(
        """
        SELECT extract(epoch FROM last_at - %(now)s)::float
          + least(%(longest)s, %(first)s * 2 ^ least(tries - %(free)s, 6)) AS seconds
        FROM sign_in_attempts WHERE counted = %(counted)s
        """,
        values,
    )
    row = await found.fetchone()
    return max(1.0, row["seconds"]) if row else 1.0


async def clear(conn: Connection, forgotten_after: timedelta) -> None:
    """In a transaction of its own: what it deletes must not make others wait who hold what it waits for."""
    await conn.execute(
        """
        DELETE FROM sign_in_attempts WHERE counted IN (
          SELECT counted FROM sign_in_attempts WHERE last_at < handrail_now() - %s FOR UPDATE SKIP LOCKED)
        """,
        (forgotten_after,),
    )


async def forgive(conn: Connection, counted: bytes) -> None:
    """The try was right, and so counts no more."""
    await conn.execute("UPDATE sign_in_attempts SET tries = tries - 1 WHERE counted = %s AND tries > 0", (counted,))


async def forget(conn: Connection, counted: bytes) -> None:
    await conn.execute("DELETE FROM sign_in_attempts WHERE counted = %s", (counted,))


async def knows_device(conn: Connection, hash_: bytes, principal_id: UUID) -> bool:
    found = await conn.execute(
        "SELECT FROM sign_in_devices WHERE hash = %s AND principal_id = %s", (hash_, principal_id)
    )
    return await found.fetchone() is not None


async def keep_device(conn: Connection, hash_: bytes, principal_id: UUID, now: datetime, forgotten: datetime) -> None:
    """Also clears the person's devices that were not used for long."""
    await conn.execute(
        "DELETE FROM sign_in_devices WHERE principal_id = %s AND last_at < %s", (principal_id, forgotten)
    )
    await conn.execute(
        """
        INSERT INTO sign_in_devices (hash, principal_id, last_at) VALUES (%s, %s, %s)
        ON CONFLICT (hash, principal_id) DO UPDATE SET last_at = excluded.last_at
        """,
        (hash_, principal_id, now),
    )
