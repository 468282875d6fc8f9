"""What the log recorded of holds, and holds as rows, to compare the two."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple
from uuid import UUID

from handrail.core import agreement
from handrail.core.agreement import Agreement, Difference, Record
from handrail.store import holds
from handrail.store.database import Connection, Database

PAGE = 200


async def of(conn: Connection, hold_ids: Collection[UUID]) -> dict[UUID, list[Record]]:
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
    found: dict[UUID, list[Record]] = {hold_id: [] for hold_id in hold_ids}
    for row in await rows.fetchall():
        record = Record.of(row["type"], row["actor_id"], row["at"], json.loads(row["data"]))
        found[row["hold_id"]].append(record)
    return found


class Comparison(NamedTuple):
    hold_id: UUID
    agreement: Agreement


async def compare_page(database: Database, after: UUID | None) -> list[Comparison]:
    """The next holds by their ids, each with what the log says of it; none: there are no more.

    A hold that only the log knows is among them. Rows and events are of one moment.
    """
    async with database.transaction() as conn:
        await conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        rows = await conn.execute(
            """
            SELECT ids.id, h.state::text AS state, h.status, h.kind, h.opener_id FROM (
              (SELECT id FROM holds WHERE %(after)s::uuid IS NULL OR id > %(after)s ORDER BY id LIMIT %(page)s)
              UNION
              (SELECT DISTINCT hold_id FROM events WHERE hold_id IS NOT NULL
                AND (%(after)s::uuid IS NULL OR hold_id > %(after)s) ORDER BY hold_id LIMIT %(page)s)
              ORDER BY id LIMIT %(page)s
            ) AS ids LEFT JOIN holds h ON h.id = ids.id ORDER BY ids.id
            """,
            {"after": after, "page": PAGE},
        )
        found = await rows.fetchall()
        said = await of(conn, [row["id"] for row in found])
    return [Comparison(row["id"], _compared(row, said[row["id"]])) for row in found]


def _compared(row: dict[str, object], said: list[Record]) -> Agreement:
    if row["state"] is None:
        return Agreement((Difference("row", "nothing", "that there is such a hold"),))
    hold = holds.read({"state": row["state"]})
    compared = agreement.compare(hold, said)
    listed = f"{row['status']} {row['kind']} of {row['opener_id']}"
    stated = f"{hold.status} {hold.question.kind} of {hold.opener}"
    if listed != stated:
        beside = Difference("columns", listed, stated)
        return compared._replace(differences=(*compared.differences, beside))
    return compared
