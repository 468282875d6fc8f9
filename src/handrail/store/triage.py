"""Who looks at a hold, and who looks at it later, as rows."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from handrail.store.database import Connection


class Assignee(NamedTuple):
    person: UUID
    by: UUID
    at: datetime


class Triage(NamedTuple):
    """How a hold stands for one person."""

    assignee: Assignee | None = None
    snoozed_until: datetime | None = None


async def assign(conn: Connection, hold_id: UUID, to: Assignee) -> None:
    await conn.execute(
        """
        INSERT INTO assignees (hold_id, principal_id, assigned_by, at) VALUES (%s, %s, %s, %s)
        ON CONFLICT (hold_id) DO UPDATE SET principal_id = excluded.principal_id, assigned_by = excluded.assigned_by,
          at = excluded.at
        """,
        (hold_id, *to),
    )


async def release(conn: Connection, hold_id: UUID) -> None:
    await conn.execute("DELETE FROM assignees WHERE hold_id = %s", (hold_id,))


async def snooze(conn: Connection, hold_id: UUID, principal_id: UUID, until: datetime) -> None:
    """Until then, or until the hold changes."""
    await conn.execute(
        """
        INSERT INTO snoozes (principal_id, hold_id, until, version)
        SELECT %s, id, %s, version FROM holds WHERE id = %s
        ON CONFLICT (principal_id, hold_id) DO UPDATE SET until = excluded.until, version = excluded.version
        """,
        (principal_id, until, hold_id),
    )


async def wake(conn: Connection, hold_id: UUID, principal_id: UUID) -> None:
    await conn.execute("DELETE FROM snoozes WHERE hold_id = %s AND principal_id = %s", (hold_id, principal_id))


async def of(conn: Connection, viewer: UUID, hold_ids: Collection[UUID]) -> dict[UUID, Triage]:
    """Of those of the holds of which there is something to say."""
    rows = await conn.execute(
        """
        SELECT h.id, a.principal_id, a.assigned_by, a.at, s.until FROM holds h
          LEFT JOIN assignees a ON a.hold_id = h.id AND h.status = 'pending'
          LEFT JOIN snoozes s ON s.hold_id = h.id AND s.principal_id = %s AND s.version = h.version
            AND s.until > handrail_now() AND h.status = 'pending'
        WHERE h.id = ANY(%s) AND (a.hold_id IS NOT NULL OR s.hold_id IS NOT NULL)
        """,
        (viewer, list(hold_ids)),
    )
    return {
        row["id"]: Triage(
            Assignee(row["principal_id"], row["assigned_by"], row["at"]) if row["principal_id"] else None, row["until"]
        )
        for row in await rows.fetchall()
    }
