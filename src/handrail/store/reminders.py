"""Which holds are near their deadline and have not been reminded of, as rows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from handrail.store.database import Connection


async def due(conn: Connection, seconds: Mapping[str, float], least: float, at_most: int) -> list[UUID]:
    """Pending holds whose deadline is nearer than the `seconds` of their level, or than a quarter of their time where
    that is less. Those that live shorter than `least` seconds are not worth it."""
    rows = await conn.execute(
        """
        SELECT h.id FROM holds h JOIN unnest(%s::text[], %s::float[]) AS w (level, seconds) ON w.level = h.level
        WHERE h.status = 'pending' AND h.due_at < handrail_now() + make_interval(secs => %s)
          AND CASE WHEN isfinite(h.due_at) THEN
            extract(epoch FROM h.due_at - h.opened_at) >= %s
            AND h.due_at <= handrail_now() + make_interval(
              secs => least(w.seconds, extract(epoch FROM h.due_at - h.opened_at) / 4))
          ELSE false END
          AND NOT EXISTS (SELECT FROM reminders r WHERE r.hold_id = h.id AND r.expires_at = h.due_at)
        ORDER BY h.due_at LIMIT %s
        """,
        (list(seconds), list(seconds.values()), max(seconds.values()), least, at_most),
    )
    return [row["id"] for row in await rows.fetchall()]


async def take(conn: Connection, hold_id: UUID, expires_at: datetime) -> bool:
    """Whether nobody has been reminded of this deadline."""
    done = await conn.execute(
        "INSERT INTO reminders (hold_id, expires_at) VALUES (%s, %s) ON CONFLICT DO NOTHING", (hold_id, expires_at)
    )
    return bool(done.rowcount)
