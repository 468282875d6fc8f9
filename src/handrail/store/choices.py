"""How people want to be notified, as rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import time
from typing import Any
from uuid import UUID

from handrail.store.database import Connection


@dataclass(frozen=True, slots=True)
class Choice:
    """`channels` in order, nothing where the policy's order is kept, empty for the inbox alone. Between `quiet_from`
    and `quiet_to`, in their time zone, the person is left alone."""

    channels: tuple[str, ...] | None = None
    quiet_from: time | None = None
    quiet_to: time | None = None
    timezone: str = "UTC"


async def of_people(conn: Connection, people: Collection[UUID]) -> dict[UUID, Choice]:
    """Of those who have made one."""
    rows = await conn.execute("SELECT * FROM channel_choices WHERE principal_id = ANY(%s)", (list(people),))
    return {row["principal_id"]: _choice(row) for row in await rows.fetchall()}


async def save(conn: Connection, person_id: UUID, choice: Choice) -> None:
    await conn.execute(
        """
        INSERT INTO channel_choices (principal_id, channels, quiet_from, quiet_to, timezone)
        VALUES (%s, %s, %s, %s, %s)
        ON CONFLICT (principal_id) DO UPDATE SET channels = excluded.channels, quiet_from = excluded.quiet_from,
          quiet_to = excluded.quiet_to, timezone = excluded.timezone
        """,
        (
            person_id,
            None if choice.channels is None else list(choice.channels),
            choice.quiet_from,
            choice.quiet_to,
            choice.timezone,
        ),
    )


def _choice(row: dict[str, Any]) -> Choice:
    channels = None if row["channels"] is None else tuple(row["channels"])
    return Choice(channels, row["quiet_from"], row["quiet_to"], row["timezone"])
