"""What people said on holds in a period, each with what they were shown; newest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from handrail.core.holds import Hold
from handrail.store import holds
from handrail.store.database import Connection

# the newest of a period: reading the states of as many takes about a second
MOST = 20_000


@dataclass(frozen=True, slots=True)
class Said:
    """One person's word. `verdict` is `amend` for an amendment."""

    by: UUID
    at: datetime
    verdict: str
    reason: str | None
    hold: Hold


async def said(conn: Connection, since: datetime, until: datetime, by: UUID | None = None) -> list[Said]:
    """On holds that were opened in the period, by one person or by all; what was erased, or is no longer kept, is left
    out."""
    rows = await conn.execute(_SAID, {"since": since, "until": until, "by": by, "most": MOST})
    return [
        Said(row["actor_id"], row["at"], row["verdict"], row["reason"], holds.read(row))
        for row in await rows.fetchall()
    ]


async def eligible(conn: Connection) -> dict[UUID, frozenset[str]]:
    """Active people with the roles that they have now."""
    rows = await conn.execute("SELECT id, roles FROM principals WHERE kind = 'person' AND active")
    return {row["id"]: frozenset(row["roles"]) for row in await rows.fetchall()}


async def decided(conn: Connection, since: datetime, until: datetime) -> list[Hold]:
    """Approvals outside of runs that are above low, the oldest first: what a rule or a grant could decide."""
    rows = await conn.execute(_ASKED, {"since": since, "until": until, "most": MOST})
    return [holds.read(row) for row in await rows.fetchall()]


_SAID = """
    SELECT e.actor_id, e.at, e.data ->> 'reason' AS reason,
      CASE e.type WHEN 'hold.amended' THEN 'amend' ELSE e.data ->> 'verdict' END AS verdict,
      h.state::text AS state, h.number, h.run_number
    FROM holds h JOIN events e ON e.hold_id = h.id
    WHERE h.opened_at >= %(since)s AND h.opened_at < %(until)s AND e.actor_id IS NOT NULL
      AND (e.type = 'hold.amended' OR e.type = 'hold.reviewed' AND e.data ->> 'verdict' IS NOT NULL)
      AND (%(by)s::uuid IS NULL OR e.actor_id = %(by)s)
    ORDER BY e.seq DESC LIMIT %(most)s
"""
_ASKED = """
    SELECT * FROM (
      SELECT state::text AS state, number, run_number, opened_at, id FROM holds
      WHERE opened_at >= %(since)s AND opened_at < %(until)s AND kind = 'approval' AND action IS NOT NULL
        AND status <> 'pending' AND level <> 'low' AND run_id IS NULL
        AND NOT EXISTS (SELECT FROM grants g WHERE g.hold_id = holds.id)
      ORDER BY opened_at DESC LIMIT %(most)s
    ) AS found ORDER BY opened_at, id
"""
