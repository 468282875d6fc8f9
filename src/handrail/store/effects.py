"""Calls to the world outside, as rows: reserved before the call, completed after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from handrail.core.canonical import Json
from handrail.store.database import Connection
from handrail.store.runs import dumped


@dataclass(frozen=True, slots=True)
class Effect:
    """`fresh`: reserved in this moment, by this caller."""

    name: str
    digest: str
    key: str
    reserved_at: datetime
    fresh: bool
    completed: bool = False
    result: Json = None


async def reserve(conn: Connection, run_id: UUID, task: str, call: int, name: str, digest: str, key: str) -> Effect:
    """Take the place, or learn what was begun or done there before; under the run's fence."""
    taken = await conn.execute(
        """
        INSERT INTO effects (run_id, task, call, name, digest, key, reserved_at)
        VALUES (%s, %s, %s, %s, %s, %s, handrail_now()) ON CONFLICT DO NOTHING RETURNING reserved_at
        """,
        (run_id, task, call, name, digest, key),
    )
    row = await taken.fetchone()
    if row is not None:
        return Effect(name, digest, key, row["reserved_at"], fresh=True)
    found = await conn.execute(
        "SELECT * FROM effects WHERE run_id = %s AND task = %s AND call = %s", (run_id, task, call)
    )
    row = await found.fetchone()
    assert row is not None, "a place is given back by the execution that took it"
    done = row["completed_at"] is not None
    return Effect(row["name"], row["digest"], row["key"], row["reserved_at"], False, done, row["result"])


async def complete(conn: Connection, run_id: UUID, task: str, call: int, result: Json) -> str | None:
    """The name of what is now done; nothing where it had been completed before."""
    done = await conn.execute(
        """
        UPDATE effects SET completed_at = handrail_now(), result = %s
        WHERE run_id = %s AND task = %s AND call = %s AND completed_at IS NULL RETURNING name
        """,
        (dumped(result), run_id, task, call),
    )
    row = await done.fetchone()
    return row["name"] if row else None


async def release(conn: Connection, run_id: UUID, task: str, call: int) -> None:
    await conn.execute(
        "DELETE FROM effects WHERE run_id = %s AND task = %s AND call = %s AND completed_at IS NULL",
        (run_id, task, call),
    )
