"""Agents and services as people look at them: who asks, how much of it waits, and what their runs used."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import sql
from psycopg.rows import DictRow

from handrail.core.people import Principal
from handrail.store import pages
from handrail.store.database import Connection

MOST = 500


async def listed(conn: Connection, viewer: Principal, since: datetime, agent: UUID | None = None) -> Sequence[DictRow]:
    """Those of whom the viewer may see a hold, and oneself; all, for who reads everything. Those who ask come first."""
    values: dict[str, Any] = {"since": since, "agent": agent, "viewer": viewer.id, "most": MOST}
    ways = [sql.SQL("true")] if viewer.reads_all else await pages.ways(conn, viewer, values)
    query = _LISTED.format(
        seen=sql.SQL(" OR ").join(sql.SQL("({})").format(way) for way in ways),
        # of one agent all that it ever asked; of all of them what is recent or waits, which an index finds
        meant=sql.SQL("(opened_at >= %(since)s OR status = 'pending')" if agent is None else "opener_id = %(agent)s"),
        known=sql.SQL("true" if viewer.reads_all else "(asked.opener_id IS NOT NULL OR p.id = %(viewer)s)"),
    )
    return await (await conn.execute(query, values)).fetchall()


async def usage(conn: Connection, viewer: Principal, agent: UUID, since: datetime) -> DictRow:
    """What the runs that ask as this agent used; only one's own, for who does not read everything."""
    seen = "true" if viewer.reads_all else "%(viewer)s IN (starter_id, agent_id)"
    row = await (
        await conn.execute(_USAGE.format(seen=sql.SQL(seen)), {"agent": agent, "since": since, "viewer": viewer.id})
    ).fetchone()
    assert row is not None
    return row


async def credentials(conn: Connection, agent: UUID) -> DictRow:
    """How many tokens work, and when one was last used."""
    row = await (
        await conn.execute(
            """
            SELECT count(*) AS tokens, max(last_used_at) AS last_used_at FROM tokens
            WHERE principal_id = %s AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > handrail_now())
            """,
            (agent,),
        )
    ).fetchone()
    assert row is not None
    return row


_LISTED = sql.SQL(
    """
    WITH asked AS (
      SELECT opener_id, count(*) FILTER (WHERE opened_at >= %(since)s) AS holds,
        count(*) FILTER (WHERE status = 'pending') AS pending,
        count(*) FILTER (WHERE status = 'rejected' AND opened_at >= %(since)s) AS rejected, max(opened_at) AS last_at
      FROM holds WHERE ({seen}) AND {meant} GROUP BY opener_id
    )
    SELECT p.id, p.name, p.kind, p.active, p.trusted_claims, p.created_at, asked.last_at,
      coalesce(asked.holds, 0) AS holds, coalesce(asked.pending, 0) AS pending, coalesce(asked.rejected, 0) AS rejected
    FROM principals p LEFT JOIN asked ON asked.opener_id = p.id
    WHERE p.kind <> 'person' AND (%(agent)s::uuid IS NULL OR p.id = %(agent)s) AND {known}
    ORDER BY pending DESC, last_at DESC NULLS LAST, p.name LIMIT %(most)s
    """
)
_USAGE = sql.SQL(
    """
    SELECT count(*) AS runs, count(*) FILTER (WHERE status IN ('queued', 'running', 'paused')) AS active,
      count(*) FILTER (WHERE status = 'failed') AS failed, coalesce(sum(tokens_in), 0)::bigint AS tokens_in,
      coalesce(sum(tokens_out), 0)::bigint AS tokens_out, coalesce(sum(cost), 0)::float8 AS cost,
      coalesce(sum(worked), 0)::float8 AS seconds
    FROM runs WHERE agent_id = %(agent)s AND created_at >= %(since)s AND {seen}
    """
)
