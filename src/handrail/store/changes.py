"""Code changes, as their runs, their holds and the log have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from handrail.core.holds import Hold
from handrail.core.people import Principal
from handrail.store import holds
from handrail.store.database import Connection

MOST_REPOSITORIES = 200


@dataclass(frozen=True, slots=True)
class Standing:
    """What the log last said: the stage that began and what was committed; and what is asked now, oldest first."""

    stage: Mapping[str, Any] | None
    committed: Mapping[str, Any] | None
    waits_for: Sequence[Hold]


@dataclass(frozen=True, slots=True)
class Repository:
    """One that changes were made to: how many, and when the last began."""

    repo_url: str
    changes: int
    newest: datetime


async def standings(conn: Connection, run_ids: Sequence[UUID]) -> dict[UUID, Standing]:
    rows = await conn.execute(
        """
        SELECT run,
          (SELECT data FROM events WHERE run_id = run AND type = 'change.stage_began' ORDER BY seq DESC LIMIT 1)
            AS stage,
          (SELECT data FROM events WHERE run_id = run AND type = 'change.committed' ORDER BY seq DESC LIMIT 1)
            AS committed
        FROM unnest(%s::uuid[]) AS run
        """,
        (list(run_ids),),
    )
    asked = await _pending(conn, run_ids)
    return {
        row["run"]: Standing(row["stage"], row["committed"], asked.get(row["run"], [])) for row in await rows.fetchall()
    }


async def _pending(conn: Connection, run_ids: Sequence[UUID]) -> dict[UUID, list[Hold]]:
    rows = await conn.execute(
        """
        SELECT run_id, state::text AS state, number, run_number FROM holds
        WHERE run_id = ANY(%s) AND status = 'pending' ORDER BY opened_at, id
        """,
        (list(run_ids),),
    )
    found: dict[UUID, list[Hold]] = {}
    for row in await rows.fetchall():
        found.setdefault(row["run_id"], []).append(holds.read(row))
    return found


async def followers(conn: Connection, run_id: UUID) -> list[UUID]:
    """Changes that name this one as the last that came before, oldest first."""
    rows = await conn.execute(
        """
        SELECT later.id FROM runs JOIN runs AS later ON later.input ->> 'repo_url' = runs.input ->> 'repo_url'
        WHERE runs.id = %s AND later.workflow IN ('change', 'demo-change')
          AND later.input -> 'earlier' -> -1 ->> 'change' = %s
        ORDER BY later.created_at, later.id
        """,
        (run_id, str(run_id)),
    )
    return [row["id"] for row in await rows.fetchall()]


async def repositories(conn: Connection, viewer: Principal) -> list[Repository]:
    """Those of the changes that the viewer may see in lists, the last used first."""
    rows = await conn.execute(
        """
        SELECT input ->> 'repo_url' AS repo_url, count(*) AS changes, max(created_at) AS newest FROM runs
        WHERE workflow = 'change' AND (%(all)s OR starter_id = %(viewer)s)
        GROUP BY 1 ORDER BY newest DESC LIMIT %(most)s
        """,
        {"all": viewer.reads_all, "viewer": viewer.id, "most": MOST_REPOSITORIES},
    )
    return [Repository(**row) for row in await rows.fetchall()]


async def stage_until(conn: Connection, run_id: UUID, seq: int) -> str | None:
    """The stage that had begun last at that number of the log."""
    found = await conn.execute(
        """
        SELECT data ->> 'stage' AS stage FROM events
        WHERE run_id = %s AND type = 'change.stage_began' AND seq <= %s ORDER BY seq DESC LIMIT 1
        """,
        (run_id, seq),
    )
    row = await found.fetchone()
    return row["stage"] if row else None
