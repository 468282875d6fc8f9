"""Agents that are only observed, as rows, and what went through unasked meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from handrail.core import ids
from handrail.core.risk import Level
from handrail.store.database import Connection


@dataclass(frozen=True, slots=True)
class Observation:
    """On while it has not ended."""

    id: UUID
    agent_id: UUID
    reason: str
    begun_by: UUID
    begun_at: datetime
    ended_by: UUID | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Passed:
    """Calls of one action that people would have been asked about: how many, who would have decided, the last one."""

    action: str
    level: Level
    approvals: int
    roles: tuple[str, ...]
    count: int
    last_hold: UUID
    last_short_id: str
    last_at: datetime


async def on_for(conn: Connection, agent_id: UUID) -> bool:
    found = await conn.execute("SELECT FROM observations WHERE agent_id = %s AND ended_at IS NULL", (agent_id,))
    return await found.fetchone() is not None


async def on(conn: Connection) -> list[Observation]:
    """All that are on, the longest first."""
    rows = await conn.execute("SELECT * FROM observations WHERE ended_at IS NULL ORDER BY begun_at, id")
    return [Observation(**row) for row in await rows.fetchall()]


async def begin(conn: Connection, new: Observation) -> bool:
    """Whether it has begun: false if it is on already."""
    done = await conn.execute(
        """
        INSERT INTO observations (id, agent_id, reason, begun_by, begun_at) VALUES (%s, %s, %s, %s, %s)
        ON CONFLICT DO NOTHING
        """,
        (new.id, new.agent_id, new.reason, new.begun_by, new.begun_at),
    )
    return bool(done.rowcount)


async def end(conn: Connection, agent_id: UUID, by: UUID, at: datetime) -> bool:
    done = await conn.execute(
        "UPDATE observations SET ended_by = %s, ended_at = %s WHERE ended_at IS NULL AND agent_id = %s",
        (by, at, agent_id),
    )
    return bool(done.rowcount)


async def passed(conn: Connection, agent_id: UUID, since: datetime, at_most: int) -> list[Passed]:
    """By action, level and who would have decided; what was asked most often comes first."""
    rows = await conn.execute(
        """
        WITH unasked AS (
          SELECT id, number, action, level, opened_at, state -> 'assessment' -> 'requirements' AS needed
          FROM holds
          WHERE opener_id = %(agent)s AND status = 'approved' AND opened_at >= %(since)s AND level <> 'low'
            AND state -> 'decision' ->> 'basis' = 'observation'
        ), grouped AS (
          SELECT action, level, (needed ->> 'approvals')::int AS approvals,
            ARRAY(SELECT json_array_elements_text(needed -> 'roles') ORDER BY 1) AS roles, opened_at, id, number
          FROM unasked
        )
        SELECT action, level, approvals, roles, count(*) AS count, max(opened_at) AS last_at,
          (array_agg(id ORDER BY opened_at DESC, id DESC))[1] AS last_hold,
          (array_agg(number ORDER BY opened_at DESC, id DESC))[1] AS number
        FROM grouped GROUP BY 1, 2, 3, 4 ORDER BY count(*) DESC, action, level LIMIT %(at_most)s
        """,
        {"agent": agent_id, "since": since, "at_most": at_most},
    )
    return [
        Passed(
            row["action"],
            Level(row["level"]),
            row["approvals"],
            tuple(row["roles"]),
            row["count"],
            row["last_hold"],
            ids.short("H", row["number"]),
            row["last_at"],
        )
        for row in await rows.fetchall()
    ]
