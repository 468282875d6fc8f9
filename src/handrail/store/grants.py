"""Grants as rows, each with the hold that makes it."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

from psycopg import sql

from handrail.core.grant_terms import Terms, Use, recorded
from handrail.core.grants import Grant
from handrail.core.holds import Hold
from handrail.core.people import Principal
from handrail.store import holds
from handrail.store.database import Connection

_SELECT = sql.SQL(
    """
  SELECT g.*, h.state::text AS state, h.number, h.run_number FROM grants g JOIN holds h ON h.id = g.hold_id
  """
)


async def insert(conn: Connection, grant: Grant) -> None:
    terms = grant.terms
    await conn.execute(
        "INSERT INTO grants (hold_id, owner_id, agent_id, action, expires_at) VALUES (%s, %s, %s, %s, %s)",
        (grant.id, grant.owner, terms.agent, terms.action, terms.until),
    )


class Alike(NamedTuple):
    """As much of a grant as says whether it may cover a call: every opening reads it, and few go on to the rest."""

    id: UUID
    terms: Terms


async def alike(conn: Connection, agent_id: UUID, action: str, now: datetime) -> list[Alike]:
    """Those for this agent and action that have not ended; the first to expire comes first."""
    rows = await conn.execute(
        """
        SELECT g.hold_id, h.state #>> '{question,action,args}' AS terms FROM grants g JOIN holds h ON h.id = g.hold_id
        WHERE g.agent_id = %s AND g.action = %s AND g.ended_at IS NULL AND g.expires_at > %s
        ORDER BY g.expires_at, g.hold_id
        """,
        (agent_id, action, now),
    )
    return [Alike(row["hold_id"], recorded(json.loads(row["terms"]))) for row in await rows.fetchall()]


async def get(conn: Connection, grant_id: UUID) -> Grant | None:
    found = await _found(conn, "WHERE g.hold_id = %(id)s", {"id": grant_id})
    return found[0] if found else None


async def lock(conn: Connection, grant_id: UUID) -> Grant | None:
    """Nobody else uses or ends it, or takes a maker's word back, until the transaction ends."""
    found = await _found(conn, "WHERE g.hold_id = %(id)s FOR UPDATE OF g FOR SHARE OF h", {"id": grant_id})
    return found[0] if found else None


async def steady(conn: Connection, grant_id: UUID) -> Grant | None:
    """Nobody ends it, or takes a maker's word back, until the transaction ends."""
    found = await _found(conn, "WHERE g.hold_id = %(id)s FOR SHARE", {"id": grant_id})
    return found[0] if found else None


async def note_use(conn: Connection, grant_id: UUID, use: Use, at: datetime) -> None:
    """Of a grant that is locked."""
    await conn.execute(
        "UPDATE grants SET uses = %s, spent = %s, day = %s, today = %s, last_used_at = %s WHERE hold_id = %s",
        (use.uses, use.spent, use.day, use.today, at, grant_id),
    )


async def end(conn: Connection, grant_id: UUID, by: UUID, at: datetime) -> None:
    await conn.execute(
        "UPDATE grants SET ended_at = %s, ended_by = %s, ended_why = 'revoked' WHERE hold_id = %s", (at, by, grant_id)
    )


async def end_without_role(conn: Connection, owner: Principal, by: UUID | None, at: datetime) -> list[Grant]:
    """Those of an owner who no longer has, or is, what it takes to make them."""
    lost = await conn.execute(
        """
        UPDATE grants g SET ended_at = %(at)s, ended_by = %(by)s, ended_why = 'owner'
        FROM holds h JOIN audiences a ON a.id = h.audience_id
        WHERE h.id = g.hold_id AND g.owner_id = %(owner)s AND g.ended_at IS NULL
          AND (NOT %(active)s OR NOT (a.roles && %(roles)s)) RETURNING g.hold_id
        """,
        {"at": at, "by": by, "owner": owner.id, "active": owner.active, "roles": sorted(owner.roles)},
    )
    ids = [row["hold_id"] for row in await lost.fetchall()]
    return await _found(conn, "WHERE g.hold_id = ANY(%(ids)s) ORDER BY g.hold_id", {"ids": ids}) if ids else []


async def page(conn: Connection, viewer: Principal, now: datetime, *, ended: bool, at_most: int) -> list[Grant]:
    """What this person may see, the newest first; those that are over only where they are asked for."""
    return await _found(
        conn,
        """
        JOIN audiences a ON a.id = h.audience_id
        WHERE (%(all)s OR g.owner_id = %(me)s OR h.starter_id = %(me)s OR a.roles && %(roles)s)
          AND (%(ended)s OR (g.ended_at IS NULL AND g.expires_at > %(now)s AND h.status IN ('pending', 'approved')))
        ORDER BY g.hold_id DESC LIMIT %(at_most)s
        """,
        {
            "all": viewer.reads_all,
            "me": viewer.id,
            "roles": sorted(viewer.roles),
            "ended": ended,
            "now": now,
            "at_most": at_most,
        },
    )


async def calls(conn: Connection, agent_id: UUID, action: str, since: datetime, at_most: int) -> list[Hold]:
    """What this agent asked for by that name since then and was decided, the oldest first."""
    rows = await conn.execute(
        """
        SELECT * FROM (
          SELECT opened_at, id, state::text AS state, number, run_number FROM holds
          WHERE action = %s AND opener_id = %s AND opened_at >= %s AND status <> 'pending'
          ORDER BY opened_at DESC LIMIT %s
        ) AS found ORDER BY opened_at, id
        """,
        (action, agent_id, since, at_most),
    )
    return [holds.read(row) for row in await rows.fetchall()]


async def _found(conn: Connection, where: LiteralString, values: dict[str, Any]) -> list[Grant]:
    rows = await conn.execute(sql.SQL("{} {}").format(_SELECT, sql.SQL(where)), values)
    return [_grant(row) for row in await rows.fetchall()]


def _grant(row: dict[str, Any]) -> Grant:
    made = holds.read(row)
    assert made.question.action is not None, "its terms are there"
    return Grant(
        made,
        recorded(made.question.action.args),
        Use(row["uses"], row["spent"], row["day"], row["today"]),
        row["last_used_at"],
        row["ended_at"],
        row["ended_by"],
        row["ended_why"],
    )
