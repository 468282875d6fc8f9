"""What the log recorded of holds, and holds as rows beside it, to compare the two."""

from __future__ import annotations

import json
from collections.abc import Collection
from uuid import UUID

from handrail.core import agreement
from handrail.core.agreement import Said
from handrail.core.ids import PrincipalId
from handrail.store.database import Connection


async def of(conn: Connection, hold_ids: Collection[UUID]) -> dict[UUID, list[Said]]:
    """The events that made each hold what it is, in their order; those without a number yet come last.

    One statement, so that an event which gets its number meanwhile is read once.
    """
    rows = await conn.execute(
        """
        SELECT hold_id, type, actor_id, at, data::text AS data FROM (
          SELECT seq, 0 AS id, at, type, actor_id, hold_id, data FROM events WHERE hold_id = ANY(%(holds)s)
          UNION ALL
          SELECT NULL, id, at, type, actor_id, hold_id, data FROM event_inbox WHERE hold_id = ANY(%(holds)s)
        ) AS said WHERE type = ANY(%(types)s) ORDER BY seq NULLS LAST, id
        """,
        {"holds": list(hold_ids), "types": list(agreement.TYPES)},
    )
    found: dict[UUID, list[Said]] = {hold_id: [] for hold_id in hold_ids}
    for row in await rows.fetchall():
        actor = PrincipalId(row["actor_id"]) if row["actor_id"] else None
        found[row["hold_id"]].append(Said(row["type"], actor, row["at"], json.loads(row["data"])))
    return found
