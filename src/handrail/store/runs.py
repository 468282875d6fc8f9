"""Runs as rows; the rows are also the queue that workers take them from."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from handrail.core.canonical import Json
from handrail.core.holds import Hold
from handrail.core.ids import PrincipalId, RunId
from handrail.core.risk import Level
from handrail.core.runs import Budget, Run, RunStatus, Usage
from handrail.store import brakes, holds
from handrail.store.brakes import Brake
from handrail.store.database import Connection


async def insert(conn: Connection, run: Run) -> Run:
    """A new run with its number, ready for a worker at once."""
    written = await conn.execute(
        """
        INSERT INTO runs (id, workflow, version, mode, risk, status, input, starter_id, agent_id, ready_at,
          max_steps, max_seconds, max_cost, created_at, active_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        RETURNING number
        """,
        (
            run.id,
            run.workflow,
            run.version,
            run.mode,
            run.risk,
            run.status.value,
            dumped(run.input),
            run.starter,
            run.agent,
            run.created_at,
            run.budget.steps,
            run.budget.seconds,
            run.budget.cost,
            run.created_at,
            run.active_at,
        ),
    )
    row = await written.fetchone()
    assert row is not None
    return replace(run, number=row["number"])


async def get(conn: Connection, run_id: UUID) -> Run | None:
    found = await conn.execute("SELECT * FROM runs WHERE id = %s", (run_id,))
    row = await found.fetchone()
    return read(row) if row else None


async def id_of(conn: Connection, number: int) -> UUID | None:
    row = await (await conn.execute("SELECT id FROM runs WHERE number = %s", (number,))).fetchone()
    return row["id"] if row else None


async def lock(conn: Connection, run_id: UUID) -> Run | None:
    """The run as it is, and as it stays until this transaction ends."""
    found = await conn.execute("SELECT * FROM runs WHERE id = %s FOR NO KEY UPDATE", (run_id,))
    row = await found.fetchone()
    return read(row) if row else None


async def wake(conn: Connection, run_id: UUID) -> None:
    """Make a paused run ready, in the transaction of the decision that it waits for.

    The row is locked whatever its status: a worker that is about to pause it has either done so, or will see the
    decision.
    """
    await conn.execute("SELECT FROM runs WHERE id = %s FOR NO KEY UPDATE", (run_id,))
    await conn.execute(
        "UPDATE runs SET status = 'queued', ready_at = handrail_now() WHERE id = %s AND status = 'paused'", (run_id,)
    )


async def end(conn: Connection, run_id: UUID, status: RunStatus) -> None:
    """End a locked run. Its worker's writes no longer count, because the epoch is another."""
    await conn.execute(
        """
        UPDATE runs SET status = %s, epoch = epoch + 1, ready_at = NULL, worker = NULL,
          ended_at = handrail_now(), active_at = handrail_now()
        WHERE id = %s
        """,
        (status.value, run_id),
    )


async def lock_denied(conn: Connection, at_most: int) -> list[tuple[Run, Brake]]:
    """Runs that have not ended and that a brake denies, locked; those that somebody else has locked are left to the
    next look."""
    found: list[tuple[Run, Brake]] = []
    for brake in await brakes.on(conn):
        if brake.pending == "deny" and len(found) < at_most:
            rows = await conn.execute(
                """
                SELECT * FROM runs WHERE status IN ('queued', 'running', 'paused')
                  AND (%(agent)s::uuid IS NULL OR %(agent)s IN (agent_id, starter_id)) AND id <> ALL(%(found)s)
                LIMIT %(at_most)s FOR NO KEY UPDATE SKIP LOCKED
                """,
                {
                    "agent": brake.agent_id,
                    "found": [run.id for run, _ in found],
                    "at_most": at_most - len(found),
                },
            )
            found += [(read(row), brake) for row in await rows.fetchall()]
    return found


async def any_denied(conn: Connection) -> bool:
    """Whether a run that a brake denies has not ended, locked or not."""
    rows = await conn.execute(
        """
        SELECT FROM runs r, brakes b WHERE r.status IN ('queued', 'running', 'paused')
          AND b.lifted_at IS NULL AND b.pending = 'deny'
          AND (b.agent_id IS NULL OR b.agent_id IN (r.agent_id, r.starter_id)) LIMIT 1
        """
    )
    return rows.rowcount > 0


async def unended(conn: Connection, workflows: Collection[str]) -> list[UUID]:
    """Those of these workflows that have not ended."""
    rows = await conn.execute("SELECT id FROM runs WHERE ended_at IS NULL AND workflow = ANY(%s)", ([*workflows],))
    return [row["id"] for row in await rows.fetchall()]


async def requeue(conn: Connection, run_id: UUID, budget: Budget) -> None:
    """A locked run that has ended goes on from its last checkpoint, within this budget."""
    await conn.execute(
        """
        UPDATE runs SET status = 'queued', ready_at = handrail_now(), attempts = 0, error = NULL, ended_at = NULL,
          active_at = handrail_now(), max_steps = %s, max_seconds = %s, max_cost = %s
        WHERE id = %s
        """,
        (budget.steps, budget.seconds, budget.cost, run_id),
    )


async def left_holds(conn: Connection, since: datetime | None) -> tuple[datetime, list[tuple[UUID, RunStatus]]]:
    """The time, and pending holds of runs that ended after a moment, and how: what a crash, or a worker that was late,
    left."""
    found = await conn.execute(
        """
        SELECT moment.now, h.id, r.status FROM (SELECT handrail_now() AS now) AS moment
          LEFT JOIN (runs r JOIN holds h ON h.run_id = r.id)
            ON r.ended_at > coalesce(%s, '-infinity'::timestamptz) AND h.status = 'pending'
        """,
        (since,),
    )
    rows = await found.fetchall()
    return rows[0]["now"], [(row["id"], RunStatus(row["status"])) for row in rows if row["id"] is not None]


async def pending_holds(conn: Connection, run_id: UUID) -> list[UUID]:
    """Oldest first."""
    rows = await conn.execute(
        "SELECT id FROM holds WHERE run_id = %s AND status = 'pending' ORDER BY opened_at, id", (run_id,)
    )
    return [row["id"] for row in await rows.fetchall()]


async def holds_of(conn: Connection, run_id: UUID, at_most: int) -> list[Hold]:
    """The newest that the run has asked, oldest first."""
    rows = await conn.execute(
        """
        SELECT state::text AS state, number, run_number FROM holds
        WHERE run_id = %s ORDER BY opened_at DESC, id DESC LIMIT %s
        """,
        (run_id, at_most),
    )
    return [holds.read(row) for row in await rows.fetchall()][::-1]


async def steps(conn: Connection, run_id: UUID, at_most: int) -> list[dict[str, Any]]:
    """The newest completed steps, in order: `seq`, `at`, `data`."""
    rows = await conn.execute(
        """
        SELECT seq, at, data FROM events WHERE run_id = %s AND type = 'run.step_completed' ORDER BY seq DESC LIMIT %s
        """,
        (run_id, at_most),
    )
    return (await rows.fetchall())[::-1]


def read(row: dict[str, Any]) -> Run:
    return Run(
        id=RunId(row["id"]),
        workflow=row["workflow"],
        status=RunStatus(row["status"]),
        input=row["input"],
        starter=PrincipalId(row["starter_id"]),
        agent=PrincipalId(row["agent_id"]),
        budget=Budget(row["max_steps"], row["max_seconds"], row["max_cost"]),
        created_at=row["created_at"],
        active_at=row["active_at"],
        version=row["version"],
        mode=row["mode"],
        risk=Level(row["risk"]) if row["risk"] else None,
        epoch=row["epoch"],
        attempts=row["attempts"],
        worker=row["worker"],
        usage=Usage(row["steps"], row["worked"], row["tokens_in"], row["tokens_out"], row["cost"]),
        result=row["result"],
        error=row["error"],
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        number=row["number"],
    )


def dumped(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
