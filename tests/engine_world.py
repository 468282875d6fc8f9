"""What tests of the engine share: people, runs, the events of a run."""

from __future__ import annotations

from typing import Any

from handrail.core import ids
from handrail.core.canonical import Json
from handrail.core.ids import PrincipalId, RunId
from handrail.core.people import Principal, PrincipalKind
from handrail.core.runs import Budget, Run, RunStatus
from handrail.store import holds, runs
from handrail.store.database import Database


async def principal(
    database: Database, name: str, *roles: str, kind: PrincipalKind = PrincipalKind.person
) -> Principal:
    """One of that name, made where there is none."""
    who = Principal(PrincipalId(ids.fresh()), name, kind, frozenset(roles))
    async with database.transaction() as conn:
        found = await conn.execute(
            """
            INSERT INTO principals (id, name, kind, roles, created_at) VALUES (%s, %s, %s, %s, handrail_now())
            ON CONFLICT (lower(name)) DO UPDATE SET name = EXCLUDED.name RETURNING id
            """,
            (who.id, name, kind.value, list(roles)),
        )
        row = await found.fetchone()
    assert row is not None
    return Principal(PrincipalId(row["id"]), name, kind, frozenset(roles))


async def start(
    database: Database, workflow: str, input_: Json = None, *, budget: Budget = Budget(steps=100, seconds=60)
) -> Run:
    """A run that is ready, started by `sam`."""
    agent = await principal(database, f"workflow/{workflow}", kind=PrincipalKind.agent)
    starter = await principal(database, "sam", "developer")
    async with database.transaction() as conn:
        now = await holds.now(conn)
        run = Run(RunId(ids.fresh()), workflow, RunStatus.queued, input_, starter.id, agent.id, budget, now, now)
        await runs.insert(conn, run)
    return run


async def look(database: Database, run: Run) -> Run:
    """The run as it is now."""
    async with database.connection() as conn:
        found = await runs.get(conn, run.id)
    assert found is not None
    return found


async def said(database: Database, run: Run) -> list[tuple[str, Any]]:
    """Type and data of the run's events that nobody has moved into the log, in order."""
    async with database.connection() as conn:
        rows = await conn.execute("SELECT type, data FROM event_inbox WHERE run_id = %s ORDER BY id", (run.id,))
        return [(row["type"], row["data"]) for row in await rows.fetchall()]
