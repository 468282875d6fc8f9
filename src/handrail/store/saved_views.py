"""Saved views of the inbox, as rows."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from handrail.core.canonical import JsonObject
from handrail.store.database import Connection


class SavedView(NamedTuple):
    id: UUID
    name: str
    filters: JsonObject
    saved_at: datetime


async def save(conn: Connection, principal_id: UUID, new: SavedView) -> SavedView:
    """Under a name that the person has already it takes the place of that one."""
    row = await (
        await conn.execute(
            """
            INSERT INTO saved_views (id, principal_id, name, filters, saved_at) VALUES (%s, %s, %s, %s, %s)
            ON CONFLICT (principal_id, name) DO UPDATE SET filters = excluded.filters, saved_at = excluded.saved_at
            RETURNING id, name, filters, saved_at
            """,
            (new.id, principal_id, new.name, json.dumps(new.filters), new.saved_at),
        )
    ).fetchone()
    assert row is not None
    return _view(row)


async def of_person(conn: Connection, principal_id: UUID) -> list[SavedView]:
    rows = await conn.execute(
        "SELECT id, name, filters, saved_at FROM saved_views WHERE principal_id = %s ORDER BY lower(name), id",
        (principal_id,),
    )
    return [_view(row) for row in await rows.fetchall()]


async def remove(conn: Connection, principal_id: UUID, view_id: UUID) -> bool:
    done = await conn.execute("DELETE FROM saved_views WHERE id = %s AND principal_id = %s", (view_id, principal_id))
    return bool(done.rowcount)


def _view(row: dict[str, Any]) -> SavedView:
    return SavedView(row["id"], row["name"], row["filters"], row["saved_at"])
