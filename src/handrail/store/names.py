"""Names of principals by id, for what people read."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from handrail.core.people import NameCard, PrincipalKind
from handrail.store.database import Connection


async def of(conn: Connection, ids: Collection[UUID]) -> dict[UUID, NameCard]:
    rows = await conn.execute("SELECT id, name, kind FROM principals WHERE id = ANY(%s)", (list(ids),))
    return {row["id"]: NameCard(row["id"], row["name"], PrincipalKind(row["kind"])) for row in await rows.fetchall()}
