"""What a worker does with the rows of runs: take them, keep them, write under them, settle them."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import psycopg

from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Hold
from handrail.core.run_events import RunPaused, RunResumed
from handrail.core.runs import Run, RunStatus, Usage
from handrail.store import brakes, holds
from handrail.store.database import Connection, Cursor, Database
from handrail.store.runs import dumped, read

# a run of which nothing was heard for so long is another worker's to take
LEASE_SECONDS = 3.0
# of the class of errors that functions raise
_LOST = "P0H01"


class Lost(Exception):
    """The run is no longer this worker's: it was cancelled, it expired, or another worker took it."""


class Claim(NamedTuple):
    """A run as it was claimed, and the most that is still known to be true of it: that it was so."""

    run_id: UUID
    epoch: int

    @classmethod
    def of(cls, run: Run) -> Claim:
        return cls(run.id, run.epoch)


async def claim(conn: Connection, worker: str, workflows: Collection[str], at_most: int = 1) -> list[Run]:
    """Runs that are ready and that no brake stops, now this worker's. Any number may claim at once: no two get the same
    run.

    A lapsed lease counts as an attempt: its worker died of it, or with it. One that a brake had stopped resumes.
    """
    async with conn.pipeline():
        await brakes.stand_back(conn)
        # a statement of its own: it sees the brake that this one waited for
        asked = await conn.execute(
            _READY + "ORDER BY ready_at LIMIT %(at_most)s" + _TAKEN,
            {"at_most": at_most, **_taking(worker, workflows)},
        )
    return await claimed(asked)


async def ask_one(conn: Connection, run_id: UUID, worker: str, workflows: Collection[str]) -> Cursor:
    """Claims this run, if that may be, in a transaction that has stood back from brakes. Gives what `claimed` reads."""
    return await conn.execute(_READY + "AND id = %(run_id)s" + _TAKEN, {"run_id": run_id, **_taking(worker, workflows)})


async def claimed(asked: Cursor) -> list[Run]:
    return [read(row) for row in await asked.fetchall()]


def _taking(worker: str, workflows: Collection[str]) -> dict[str, Any]:
    return {
        "workflows": list(workflows),
        "lease": LEASE_SECONDS,
        "worker": worker,
        "type": RunResumed.type,
        "data": json.dumps(RunResumed(holds=()).data),
    }


_READY: Final = """
    WITH stopped AS MATERIALIZED (SELECT agent_id FROM brakes WHERE lifted_at IS NULL),
    ready AS (
      SELECT id, status AS was FROM runs
      WHERE ready_at <= (SELECT handrail_now()) AND workflow = ANY(%(workflows)s)
        AND NOT EXISTS (SELECT FROM stopped WHERE agent_id IS NULL)
        AND agent_id <> ALL(ARRAY(SELECT agent_id FROM stopped))
        AND starter_id <> ALL(ARRAY(SELECT agent_id FROM stopped))
"""
_TAKEN: Final = """
      FOR NO KEY UPDATE SKIP LOCKED
    ),
    taken AS (
      UPDATE runs SET epoch = epoch + 1, attempts = attempts + (status = 'running')::int, status = 'running',
        ready_at = now.now + make_interval(secs => %(lease)s), worker = %(worker)s,
        started_at = coalesce(started_at, now.now)
      FROM ready, (SELECT handrail_now() AS now) AS now WHERE runs.id = ready.id
      RETURNING runs.*, ready.was
    ),
    told AS (
      INSERT INTO event_inbox (at, type, actor_id, run_id, opener_id, starter_id, data)
      SELECT handrail_now(), %(type)s, agent_id, id, agent_id, starter_id, %(data)s
      FROM taken WHERE was = 'paused'
    )
    SELECT * FROM taken
"""


async def renew(conn: Connection, claims: Sequence[tuple[Claim, float]]) -> dict[Claim, bool]:
    """Keep these runs, each with the seconds it has been at work in all; gives those that are still this worker's, and
    whether a brake stops each."""
    rows = await conn.execute(
        """
        UPDATE runs SET ready_at = handrail_now() + make_interval(secs => %(lease)s), worked = mine.worked
        FROM unnest(%(ids)s::uuid[], %(epochs)s::int[], %(worked)s::float[]) AS mine (id, epoch, worked)
        WHERE runs.id = mine.id AND runs.epoch = mine.epoch AND status = 'running'
        RETURNING runs.id, runs.epoch, handrail_braked(runs.agent_id, runs.starter_id) AS braked
        """,
        {
            "lease": LEASE_SECONDS,
            "ids": [claim.run_id for claim, _ in claims],
            "epochs": [claim.epoch for claim, _ in claims],
            "worked": [worked for _, worked in claims],
        },
    )
    return {Claim(row["id"], row["epoch"]): row["braked"] for row in await rows.fetchall()}


async def let_go(conn: Connection, claim: Claim) -> None:
    """The run's process died: any worker may take it at once, and the attempt counts."""
    await conn.execute(
        "UPDATE runs SET ready_at = handrail_now() WHERE id = %s AND epoch = %s AND status = 'running'", claim
    )


async def give_back(conn: Connection, claim: Claim) -> bool:
    """Back into the queue through no fault of the run's; false where it is not this worker's any more."""
    done = await conn.execute(
        """
        UPDATE runs SET status = 'queued', epoch = epoch + 1, worker = NULL, ready_at = handrail_now()
        WHERE id = %s AND epoch = %s AND status = 'running'
        """,
        claim,
    )
    return bool(done.rowcount)


async def rest_lapsed(conn: Connection) -> int:
    """Pause those whose worker died while a brake stops them, where nobody may take them up; how many."""
    rows = await conn.execute(
        """
        WITH rested AS (
          UPDATE runs SET status = 'paused', epoch = epoch + 1, attempts = attempts + 1, worker = NULL
          WHERE id IN (
            SELECT id FROM runs WHERE status = 'running' AND ready_at < (SELECT handrail_now())
              AND EXISTS (SELECT FROM brakes WHERE lifted_at IS NULL) AND handrail_braked(agent_id, starter_id)
            FOR NO KEY UPDATE SKIP LOCKED
          ) RETURNING id, agent_id, starter_id
        )
        INSERT INTO event_inbox (at, type, actor_id, run_id, opener_id, starter_id, data)
        SELECT handrail_now(), %s, agent_id, id, agent_id, starter_id, %s FROM rested
        """,
        (RunPaused.type, json.dumps(RunPaused(holds=(), braked=True).data)),
    )
    return rows.rowcount


@asynccontextmanager
async def fenced(database: Database, claim: Claim) -> AsyncGenerator[Connection]:
    """A transaction that counts only while the run is this worker's; `Lost` where it is not."""
    with lost():
        async with database.transaction() as conn:
            await conn.execute("SELECT handrail_fence(%s, %s)", claim)
            yield conn


@asynccontextmanager
async def settling(database: Database, claim: Claim) -> AsyncGenerator[Connection]:
    """The same with the row locked, for the transaction that ends or pauses the run."""
    async with database.transaction() as conn:
        found = await conn.execute(
            "SELECT FROM runs WHERE id = %s AND epoch = %s AND status = 'running' FOR NO KEY UPDATE", claim
        )
        if await found.fetchone() is None:
            raise Lost
        yield conn


async def settle(
    conn: Connection,
    run_id: UUID,
    status: RunStatus,
    *,
    worked: float,
    result: Json = None,
    error: JsonObject | None = None,
    braked: bool = False,
) -> datetime:
    """The run paused or ended; in a transaction of `settling`. Gives the time. One that a brake stopped is ready: any
    worker may claim it once the brake is lifted."""
    values: dict[str, Any] = {
        "id": run_id,
        "status": status.value,
        "worked": worked,
        "ended": status.ended,
        "ready": braked,
        "result": None if result is None else dumped(result),
        "error": None if error is None else dumped(error),
    }
    rows = await conn.execute(
        """
        UPDATE runs SET status = %(status)s, worker = NULL, attempts = 0, worked = %(worked)s,
          ready_at = CASE WHEN %(ready)s THEN now END, ended_at = CASE WHEN %(ended)s THEN now END, active_at = now,
          result = %(result)s, error = %(error)s
        FROM (SELECT handrail_now() AS now) AS clock WHERE id = %(id)s
        RETURNING now
        """,
        values,
    )
    row = await rows.fetchone()
    assert row is not None
    return row["now"]


async def use(conn: Connection, run_id: UUID, used: Sequence[Usage]) -> None:
    """Add what models used, under the run's fence."""
    await conn.execute(
        "UPDATE runs SET tokens_in = tokens_in + %s, tokens_out = tokens_out + %s, cost = cost + %s WHERE id = %s",
        (
            sum(each.tokens_in for each in used),
            sum(each.tokens_out for each in used),
            sum(each.cost for each in used),
            run_id,
        ),
    )


async def change_version(conn: Connection, run_id: UUID, version: str) -> None:
    await conn.execute("UPDATE runs SET version = %s WHERE id = %s", (version, run_id))


class lost:
    """Turns the fence's refusal into `Lost`."""

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, psycopg.Error) and error.sqlstate == _LOST:
            raise Lost from error


async def holds_of(conn: Connection, hold_ids: Sequence[UUID]) -> tuple[dict[UUID, Hold], dict[UUID, str]]:
    """Those of the holds that there are, and the names of the people who decided them."""
    rows = await conn.execute(
        """
        SELECT state::text AS state, number, run_number, p.id, p.name FROM holds
          LEFT JOIN principals p ON p.id = (state -> 'decision' ->> 'by')::uuid
        WHERE holds.id = ANY(%s)
        """,
        (list(hold_ids),),
    )
    found = [(holds.read(row), row["id"], row["name"]) for row in await rows.fetchall()]
    return {hold.id: hold for hold, _, _ in found}, {id_: name for _, id_, name in found if id_}


async def pending_of(conn: Connection, hold_ids: Sequence[UUID]) -> set[UUID]:
    rows = await conn.execute("SELECT id FROM holds WHERE id = ANY(%s) AND status = 'pending'", (list(hold_ids),))
    return {row["id"] for row in await rows.fetchall()}


async def asked_before(conn: Connection, run_id: UUID, but: Sequence[UUID]) -> list[UUID]:
    """The run's pending holds, but for these."""
    rows = await conn.execute(
        "SELECT id FROM holds WHERE run_id = %s AND status = 'pending' AND id <> ALL(%s) ORDER BY id",
        (run_id, list(but)),
    )
    return [row["id"] for row in await rows.fetchall()]
