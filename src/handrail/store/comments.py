"""What was said on holds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from handrail.core.ids import HoldId
from handrail.store.database import Connection


async def add(
    conn: Connection, hold_id: HoldId, principal_id: UUID, at: datetime, text: str, reply_to: int | None
) -> int:
    row = await (
        await conn.execute(
            "INSERT INTO comments (hold_id, principal_id, at, text, reply_to) VALUES (%s, %s, %s, %s, %s) RETURNING id",
            (hold_id, principal_id, at, text, reply_to),
        )
    ).fetchone()
    assert row is not None
    return row["id"]


async def of_hold(conn: Connection, hold_id: UUID, after: int = 0) -> Sequence[dict[str, Any]]:
    """Those with a greater id, oldest first. On one hold ids follow the order of commits: the hold is locked."""
    rows = await conn.execute(
        "SELECT id, principal_id, at, text, reply_to FROM comments WHERE hold_id = %s AND id > %s ORDER BY id",
        (hold_id, after),
    )
    return await rows.fetchall()


async def any_after(conn: Connection, hold_id: UUID, after: int) -> bool:
    found = await conn.execute("SELECT FROM comments WHERE hold_id = %s AND id > %s LIMIT 1", (hold_id, after))
    return await found.fetchone() is not None
