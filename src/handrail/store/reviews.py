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
    """One person's word. `verdict` is `amend` for an amendment. `shown_at` and `words` are of the decision pack that
    was on their screen, if there was one."""

    by: UUID
    at: datetime
    verdict: str
    reason: str | None
    hold: Hold
    shown_at: datetime | None = None
    words: int = 0


async def said(conn: Connection, since: datetime, until: datetime, by: UUID | None = None) -> list[Said]:
    """On holds that were opened in the period, by one person or by all; what was erased, or is no longer kept, is left
    out."""
    rows = await conn.execute(_SAID, {"since": since, "until": until, "by": by, "most": MOST})
    return [
        Said(
            row["actor_id"],
            row["at"],
            row["verdict"],
            row["reason"],
            holds.read(row),
            row["shown_at"],
            row["words"] or 0,
        )
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
      h.state::text AS state, h.number, h.run_number, shown.shown_at, shown.words
    FROM holds h JOIN events e ON e.hold_id = h.id
      LEFT JOIN LATERAL (
        -- the first look at it, and the shortest that they were shown
        SELECT min(p.shown_at) AS shown_at, min(p.words) AS words FROM packs_shown p
        WHERE p.hold_id = h.id AND p.principal_id = e.actor_id AND p.shown_at <= e.at
      ) AS shown ON true
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
