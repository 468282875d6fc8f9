"""Drawn samples as rows: which low actions people look at afterwards, and what they found."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

from handrail.core.holds import Hold
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


_SAMPLES: LiteralString = """
    SELECT h.state::text AS state, h.number, h.run_number, s.drawn_at, s.looked_at, s.looked_by, s.finding, s.reason
    FROM samples s JOIN holds h ON h.id = s.hold_id
    """


async def draw(conn: Connection, hold_id: UUID, at: datetime) -> None:
    await conn.execute("INSERT INTO samples (hold_id, drawn_at) VALUES (%s, %s)", (hold_id, at))


async def waiting(conn: Connection, at_most: int) -> Sequence[Sample]:
    """Those that nobody has looked at, the oldest first. Not all of them are everybody's to see."""
    rows = await conn.execute(
        _SAMPLES + "WHERE s.looked_at IS NULL ORDER BY s.drawn_at LIMIT %s",
        (at_most,),
    )
    return [_sample(row) for row in await rows.fetchall()]


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
