"""Lists of runs: only what the viewer may see, newest first, page by page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg import sql

from handrail.core.people import Principal, PrincipalKind
from handrail.core.runs import Run, RunStatus
from handrail.store import cursors, runs
from handrail.store.database import Connection


@dataclass(frozen=True, slots=True)
class Filters:
    """What to list; nothing of it: all."""

    status: RunStatus | None = None
    workflow: str | None = None
    starter: UUID | None = None
    skill: str | None = None
    # code changes alone, of this repository or of all
    changes: bool = False
    repository: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    runs: list[Run]
    next: str | None


async def page(conn: Connection, viewer: Principal, filters: Filters, cursor: str | None, limit: int) -> Page:
    conditions, values = _conditions(viewer, filters)
    if cursor is not None:
        created_at, run_id = cursors.unpack(cursor, "r", 2)
        conditions.append(sql.SQL("(created_at, id) < (%(c_created_at)s::timestamptz, %(c_id)s)"))
        values |= {"c_created_at": cursors.time(created_at), "c_id": cursors.uuid(run_id)}
    query = sql.SQL("SELECT * FROM runs WHERE {} ORDER BY created_at DESC, id DESC LIMIT %(limit)s").format(
        sql.SQL(" AND ").join([sql.SQL("true"), *conditions])
    )
    rows = await (await conn.execute(query, {**values, "limit": limit + 1})).fetchall()
    found = [runs.read(row) for row in rows[:limit]]
    last = found[-1] if len(rows) > limit else None
    return Page(found, cursors.pack(["r", last.created_at.isoformat(), str(last.id)]) if last else None)


def _conditions(viewer: Principal, filters: Filters) -> tuple[list[sql.Composable], dict[str, Any]]:
    equal = {"status": filters.status, "workflow": filters.workflow, "starter_id": filters.starter}
    values = {name: value for name, value in equal.items() if value is not None}
    conditions: list[sql.Composable] = [
        sql.SQL("{} = {}").format(sql.Identifier(name), sql.Placeholder(name)) for name in values
    ]
    if filters.skill is not None:
        values["skill"] = filters.skill
        conditions.append(sql.SQL("input ->> 'skill_id' = %(skill)s"))
    if filters.changes:
        conditions.append(sql.SQL("workflow IN ('change', 'demo-change')"))
    if filters.repository is not None:
        values["repository"] = filters.repository
        conditions.append(sql.SQL("input ->> 'repo_url' = %(repository)s"))
    if not viewer.reads_all:
        values["viewer"] = viewer.id
        # only an agent can be a run's agent; for everybody else the index of starters has the rows in order
        ways = "starter_id, agent_id" if viewer.kind is PrincipalKind.agent else "starter_id"
        conditions.append(sql.SQL("%(viewer)s IN ({})").format(sql.SQL(ways)))
    return conditions, values
