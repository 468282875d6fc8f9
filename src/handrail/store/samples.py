"""Drawn samples as rows: which low actions people look at afterwards, and what they found."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

from handrail.core.holds import Hold
from handrail.core.people import Principal
from handrail.store import holds
from handrail.store.database import Connection


class Sample(NamedTuple):
    """`finding` is nothing until somebody has looked."""

    hold: Hold
    drawn_at: datetime
    looked_at: datetime | None
    looked_by: UUID | None
    finding: bool | None
    reason: str | None


class Counted(NamedTuple):
    """What became of the drawn calls of one action."""

    action: str
    drawn: int
    looked: int
    findings: int


_SAMPLES: LiteralString = """
    SELECT h.state::text AS state, h.number, h.run_number, s.drawn_at, s.looked_at, s.looked_by, s.finding, s.reason
    FROM samples s JOIN holds h ON h.id = s.hold_id JOIN audiences a ON a.id = h.audience_id
    """


async def draw(conn: Connection, hold_id: UUID, at: datetime) -> None:
    await conn.execute("INSERT INTO samples (hold_id, drawn_at) VALUES (%s, %s)", (hold_id, at))


async def waiting(conn: Connection, who: Principal, at_most: int) -> Sequence[Sample]:
    """Those that ran, that this person's roles may decide, and that nobody has looked at, the oldest first."""
    # in the query: else an agent that uses none of its approvals, or others' samples, would fill the list
    rows = await conn.execute(
        _SAMPLES
        + "WHERE s.looked_at IS NULL AND a.roles && %s AND h.state->>'redemption' IS NOT NULL "
        + "ORDER BY s.drawn_at LIMIT %s",
        (sorted(who.roles), at_most),
    )
    return [_sample(row) for row in await rows.fetchall()]


async def counted(conn: Connection, who: Principal, since: datetime) -> Sequence[Counted]:
    """By action, of those that ran and are this person's to see, drawn since then."""
    rows = await conn.execute(
        """
        SELECT h.action, count(*) AS drawn, count(s.looked_at) AS looked, count(*) FILTER (WHERE s.finding) AS findings
        FROM samples s JOIN holds h ON h.id = s.hold_id JOIN audiences a ON a.id = h.audience_id
        WHERE s.drawn_at >= %s AND (%s OR a.roles && %s) AND h.state->>'redemption' IS NOT NULL
        GROUP BY h.action ORDER BY h.action
        """,
        (since, who.reads_all, sorted(who.roles)),
    )
    return [Counted(**row) for row in await rows.fetchall()]


async def found(conn: Connection, since: datetime, at_most: int) -> Sequence[Sample]:
    """Those with a finding since then, the newest first."""
    rows = await conn.execute(
        _SAMPLES + "WHERE s.finding AND s.looked_at >= %s ORDER BY s.looked_at DESC LIMIT %s",
        (since, at_most),
    )
    return [_sample(row) for row in await rows.fetchall()]


async def lock(conn: Connection, hold_id: UUID) -> Sample | None:
    rows = await conn.execute(
        _SAMPLES + "WHERE s.hold_id = %s FOR UPDATE OF s",
        (hold_id,),
    )
    row = await rows.fetchone()
    return _sample(row) if row else None


async def look(conn: Connection, hold_id: UUID, by: UUID, at: datetime, *, finding: bool, reason: str | None) -> None:
    await conn.execute(
        "UPDATE samples SET looked_at = %s, looked_by = %s, finding = %s, reason = %s WHERE hold_id = %s",
        (at, by, finding, reason, hold_id),
    )


def _sample(row: dict[str, Any]) -> Sample:
    told = {name: row[name] for name in ("drawn_at", "looked_at", "looked_by", "finding", "reason")}
    return Sample(holds.read(row), **told)
