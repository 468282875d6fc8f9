"""Holds that people rejected: what the same requester asked for before."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from handrail.core.holds import Hold
from handrail.store.database import Connection
from handrail.store.holds import read

MOST = 50
"""So many of the newest are looked at."""
WITHOUT_CASE = timedelta(days=1)


async def of_case(conn: Connection, opener_id: UUID, action: str, case_id: str | None, now: datetime) -> list[Hold]:
    """The newest of this opener for this action in the case; without a case, those of the last day that have none."""
    where = "case_id = %(case)s" if case_id else "case_id IS NULL AND opened_at > %(since)s"
    query = f"""
        SELECT state::text AS state, number, run_number FROM holds
        WHERE opener_id = %(opener)s AND status = 'rejected' AND action = %(action)s AND {where}
        ORDER BY opened_at DESC, id DESC LIMIT %(most)s
    """  # noqa: S608 - its parts are written here
    rows = await conn.execute(
        query,
        {"opener": opener_id, "action": action, "case": case_id, "since": now - WITHOUT_CASE, "most": MOST},
    )
    return [read(row) for row in await rows.fetchall()]
