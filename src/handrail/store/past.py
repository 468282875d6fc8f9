"""Holds of the past, each as it was opened, read in one go."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import datetime
from typing import NamedTuple

from psycopg.rows import args_row

from handrail.store.database import Connection


class Opened(NamedTuple):
    """`first` is the revision that was opened, where it was amended since; `trusted` whether the claims of the one who
    started it count as facts now."""

    number: int
    state: str
    first: str | None
    trusted: bool


async def more_than(conn: Connection, few: int, since: datetime, until: datetime) -> bool:
    """Whether so many holds with an action were opened in that time, without counting all."""
    cursor = await conn.execute(
        "SELECT FROM holds WHERE opened_at >= %s AND opened_at < %s AND action IS NOT NULL OFFSET %s LIMIT 1",
        (since, until, few),
    )
    return cursor.rowcount > 0


async def opened(conn: Connection, since: datetime, until: datetime, at_once: int) -> AsyncGenerator[list[Opened]]:
    """Those that carry an action, but for the holds that make grants; in no order."""
    async with conn.cursor(name="past", row_factory=args_row(Opened)) as cursor:
        await cursor.execute(
            """
            SELECT h.number, h.state::text AS state, r.state::text AS first,
              coalesce(p.trusted_claims AND p.active AND p.kind <> 'agent', false) AS trusted
            FROM holds h
              LEFT JOIN hold_revisions r ON r.hold_id = h.id AND r.revision = 1
              LEFT JOIN principals p ON p.id = coalesce(h.starter_id, h.opener_id)
            WHERE h.opened_at >= %s AND h.opened_at < %s AND h.action IS NOT NULL
              AND NOT EXISTS (SELECT FROM grants g WHERE g.hold_id = h.id)
            """,
            (since, until),
        )
        while rows := await cursor.fetchmany(at_once):
            yield rows
