"""Which notices wait to be told in one mail, as rows."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from handrail.store.database import Connection
from handrail.store.deliveries import Delivery


async def enter(conn: Connection, person_id: UUID, delivery_id: UUID, seconds: float) -> datetime | None:
    """Nothing where this notice is to be mailed now: no window is open, and it opens one, or it opened this one and was
    not sent yet. Otherwise when the open window ends. Of two that come at once, one opens it."""
    opened = await conn.execute(
        """
        INSERT INTO mail_windows (principal_id, until, delivery_id)
        VALUES (%s, handrail_now() + make_interval(secs => %s), %s)
        ON CONFLICT (principal_id) DO UPDATE SET until = excluded.until, delivery_id = excluded.delivery_id
          WHERE mail_windows.until <= handrail_now() OR mail_windows.delivery_id = excluded.delivery_id
        RETURNING until
        """,
        (person_id, seconds, delivery_id),
    )
    if await opened.fetchone() is not None:
        return None
    found = await conn.execute("SELECT until FROM mail_windows WHERE principal_id = %s", (person_id,))
    row = await found.fetchone()
    return row["until"] if row else None


async def close(conn: Connection, person_id: UUID, delivery_id: UUID) -> None:
    """What began the wait will not be mailed: the next one is."""
    await conn.execute(
        "DELETE FROM mail_windows WHERE principal_id = %s AND delivery_id = %s", (person_id, delivery_id)
    )


async def waiting(conn: Connection, person_id: UUID, but: UUID, events: Collection[str]) -> list[Delivery]:
    """The notices that ask this person by mail and that the person has not had, oldest first, apart from one."""
    rows = await conn.execute(
        """
        SELECT * FROM deliveries
        WHERE status = 'queued' AND channels[place + 1] = 'email' AND %s = ANY(people) AND NOT %s = ANY(reached)
          AND id <> %s AND event = ANY(%s)
        ORDER BY id LIMIT 200
        """,
        (person_id, person_id, but, list(events)),
    )
    return [Delivery(**row) for row in await rows.fetchall()]


async def told(conn: Connection, delivery_ids: Collection[UUID]) -> None:
    """They need no wait any longer."""
    await conn.execute(
        "UPDATE deliveries SET next_at = handrail_now() WHERE id = ANY(%s) AND status = 'queued'", (list(delivery_ids),)
    )
