"""Names of principals by id, for what people read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from handrail.core.people import NameCard, PrincipalKind
from handrail.store.database import Connection


async def of(conn: Connection, ids: Collection[UUID]) -> dict[UUID, NameCard]:
    rows = await conn.execute("SELECT id, name, kind FROM principals WHERE id = ANY(%s)", (list(ids),))
    return {row["id"]: NameCard(row["id"], row["name"], PrincipalKind(row["kind"])) for row in await rows.fetchall()}


def in_data(data: Mapping[str, Any] | None, name: str) -> UUID | None:
    """Whom an event with this data names so: `on_behalf_of` is for whom its actor stood in."""
    found = (data or {}).get(name)
    return UUID(found) if isinstance(found, str) else None
