"""The audit log as people read it: newest first, narrowed, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg import sql
from psycopg.rows import DictRow

from handrail.store.database import Connection


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """Which entries: all of what is given must fit. `type` is the beginning of one, such as `hold.`."""

    hold_id: UUID | None = None
    run_id: UUID | None = None
    actor_id: UUID | None = None
    type: str | None = None


async def page(conn: Connection, narrowed: EntryFilter, before: int | None, limit: int) -> Sequence[DictRow]:
    """At most `limit` entries below the number `before`, newest first."""
    values: dict[str, Any] = {
        "hold_id": narrowed.hold_id,
        "run_id": narrowed.run_id,
        "actor_id": narrowed.actor_id,
        "type": narrowed.type,
        "before": before,
    }
    tests = [_TESTS[name] for name, value in values.items() if value is not None]
    query = _PAGE.format(where=sql.SQL(" AND ").join([sql.SQL("true"), *tests]))
    return await (await conn.execute(query, {**values, "limit": limit})).fetchall()


_TESTS = {
    "hold_id": sql.SQL("e.hold_id = %(hold_id)s"),
    "run_id": sql.SQL("e.run_id = %(run_id)s"),
    "actor_id": sql.SQL("e.actor_id = %(actor_id)s"),
    "type": sql.SQL("starts_with(e.type, %(type)s)"),
    "before": sql.SQL("e.seq < %(before)s"),
}
_PAGE = sql.SQL(
    """
    SELECT e.seq, e.at, e.type, e.actor_id, e.hold_id, e.run_id, e.case_id, e.data::jsonb AS data, e.hash,
      h.title, h.number AS hold_number, r.number AS run_number
    FROM events e LEFT JOIN holds h ON h.id = e.hold_id LEFT JOIN runs r ON r.id = e.run_id
    WHERE {where} ORDER BY e.seq DESC LIMIT %(limit)s
    """
)
