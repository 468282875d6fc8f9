"""What a principal has in the database, for quotas."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from handrail.core.ids import HoldId
from handrail.store.database import Connection


class OpenHolds(NamedTuple):
    number: int
    bytes: int


class Comments(NamedTuple):
    on_hold: int
    lately: int


async def open_holds(conn: Connection, principal_id: UUID, at_most: int) -> OpenHolds:
    """Those that they opened, and those of the runs that they started; counted up to `at_most`. Bytes are as stored."""
    found = await conn.execute(
        """
        SELECT count(*) AS number, coalesce(sum(size), 0) AS bytes FROM (
          SELECT pg_column_size(state) AS size FROM holds
          WHERE status = 'pending' AND opener_id = %(id)s AND starter_id IS NULL
          UNION ALL
          SELECT pg_column_size(state) FROM holds WHERE status = 'pending' AND starter_id = %(id)s
          LIMIT %(at_most)s
        ) AS counted
        """,
        {"id": principal_id, "at_most": at_most},
    )
    row = await found.fetchone()
    assert row is not None
    return OpenHolds(row["number"], int(row["bytes"]))


async def one_at_a_time(conn: Connection, principal_id: UUID) -> None:
    """Others who ask for the same principal wait until the transaction ends. What refers to the principal does not."""
    await conn.execute("SELECT FROM principals WHERE id = %s FOR NO KEY UPDATE", (principal_id,))


async def comments(conn: Connection, hold_id: HoldId, principal_id: UUID, since: datetime) -> Comments:
    """How many of theirs are on the hold, and how many they made anywhere since then."""
    found = await conn.execute(
        """
        SELECT (SELECT count(*) FROM comments WHERE hold_id = %(hold)s AND principal_id = %(id)s) AS on_hold,
          (SELECT count(*) FROM comments WHERE principal_id = %(id)s AND at > %(since)s) AS lately
        """,
        {"hold": hold_id, "id": principal_id, "since": since},
    )
    row = await found.fetchone()
    assert row is not None
    return Comments(**row)
