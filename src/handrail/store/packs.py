"""What a pack is put together from, and which packs were on whose screen."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import sql

from handrail.core.holds import Hold
from handrail.core.packs import Pack
from handrail.core.people import Principal
from handrail.store import holds, pages
from handrail.store.database import Connection


async def alike(conn: Connection, action: str, at_most: int) -> Sequence[Hold]:
    """Decided holds of this action: the newest, and the newest that people decided, as an agent can make as many others
    as it likes. Not all of them are everybody's to see."""
    rows = await conn.execute(
        """
        SELECT state::text AS state, number, run_number FROM holds WHERE id IN (
          (SELECT id FROM holds WHERE action = %(action)s AND basis = 'people'
           ORDER BY opened_at DESC LIMIT %(most)s)
          UNION
          (SELECT id FROM holds WHERE action = %(action)s AND status <> 'pending'
           ORDER BY opened_at DESC LIMIT %(most)s))
        """,
        {"action": action, "most": at_most},
    )
    return [holds.read(row) for row in await rows.fetchall()]


async def outcomes(conn: Connection, viewer: Principal, opener: UUID, since: datetime, at_most: int) -> dict[str, int]:
    """What became of the latest that this principal asked for since then, as far as the viewer may see it."""
    values: dict[str, Any] = {"opener": opener, "since": since, "at_most": at_most}
    ways = [sql.SQL("true")] if viewer.reads_all else await pages.ways(conn, viewer, values)
    if not ways:
        return {}
    query = sql.SQL(
        """
        SELECT status, count(*) AS n FROM (
          SELECT status FROM holds WHERE opener_id = %(opener)s AND opened_at >= %(since)s AND ({seen})
          ORDER BY opened_at DESC LIMIT %(at_most)s
        ) AS latest GROUP BY status ORDER BY status
        """
    ).format(seen=sql.SQL(" OR ").join(sql.SQL("({})").format(way) for way in ways))
    return {row["status"]: row["n"] for row in await (await conn.execute(query, values)).fetchall()}


async def show(conn: Connection, pack: Pack, principal_id: UUID, at: datetime) -> None:
    """The first time counts."""
    await conn.execute(
        """
        INSERT INTO packs_shown (hold_id, principal_id, hash, digest, words, shown_at)
        VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
        """,
        (pack.hold_id, principal_id, pack.hash, pack.digest, pack.words, at),
    )


async def was_shown(conn: Connection, hold_id: UUID, principal_id: UUID, hash_: str, digest: str) -> bool:
    found = await conn.execute(
        "SELECT FROM packs_shown WHERE hold_id = %s AND principal_id = %s AND hash = %s AND digest = %s",
        (hold_id, principal_id, hash_, digest),
    )
    return found.rowcount > 0
