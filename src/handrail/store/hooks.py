"""Holds of tool calls that hooks reported: by the key of the call, and by session."""

from __future__ import annotations

from uuid import UUID

from handrail.core.holds import Hold, Status
from handrail.store.database import Connection
from handrail.store.holds import read

MOST = 50


async def opened_with(conn: Connection, principal_id: UUID, operation: str, key: str) -> UUID | None:
    """The hold that this principal opened with the key."""
    found = await conn.execute(
        "SELECT subject_id FROM idempotency_keys WHERE principal_id = %s AND operation = %s AND key = %s",
        (principal_id, operation, key),
    )
    row = await found.fetchone()
    return row["subject_id"] if row else None


async def of_session(
    conn: Connection, opener_id: UUID, case_id: str, action: str, *statuses: Status, used: bool = False
) -> list[Hold]:
    """The newest holds of this opener, session and tool with these statuses: those whose approval was used without a
    result yet, or those whose approval, if any, was not used."""
    rows = await conn.execute(
        """
        SELECT state::text AS state, number, run_number FROM holds
        WHERE opener_id = %s AND status = ANY(%s) AND case_id = %s AND action = %s
          AND (state->>'redemption' IS NOT NULL) = %s AND state->>'result' IS NULL
        ORDER BY opened_at DESC, id DESC LIMIT %s
        """,
        (opener_id, [status.value for status in statuses], case_id, action, used, MOST),
    )
    return [read(row) for row in await rows.fetchall()]
