"""How people read dates, as rows."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from handrail.store.database import Connection


class Dates(NamedTuple):
    """Nothing where the person's device decides."""

    zone: str | None = None
    language: str | None = None


async def of(conn: Connection, principal_id: UUID) -> Dates:
    found = await conn.execute("SELECT zone, language FROM date_choices WHERE principal_id = %s", (principal_id,))
    row = await found.fetchone()
    return Dates(**row) if row else Dates()


async def save(conn: Connection, principal_id: UUID, dates: Dates) -> None:
    await conn.execute(
        """
        INSERT INTO date_choices (principal_id, zone, language) VALUES (%s, %s, %s)
        ON CONFLICT (principal_id) DO UPDATE SET zone = excluded.zone, language = excluded.language
        """,
        (principal_id, *dates),
    )
