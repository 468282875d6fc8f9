"""Emergency brakes as rows, and the lock that makes one take effect at a moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from handrail.core.holds import Hold
from handrail.store import holds, locks
from handrail.store.database import Connection
from handrail.store.locks import Lock

Pending = Literal["freeze", "deny"]


@dataclass(frozen=True, slots=True)
class Brake:
    """On while it is not lifted. `agent_id` nothing: for everybody."""

    id: UUID
    agent_id: UUID | None
    pending: Pending
    reason: str
    set_by: UUID
    set_at: datetime
    lifted_by: UUID | None = None
    lifted_at: datetime | None = None


async def stand_back(conn: Connection) -> None:
    """Taken by every command that a brake can stop, before it looks: who sets a brake waits for those on their way. In
    a pipeline with the look it costs no round trip: each statement sees what is committed when it begins."""
    await locks.take_shared(conn, Lock.brake)


async def clear_the_way(conn: Connection) -> None:
    """Taken by whoever sets a brake: when it is had, no command that looked earlier is still to commit."""
    await locks.take(conn, Lock.brake)


async def on_for(conn: Connection, *principal_ids: UUID) -> Brake | None:
    """The brake that stops one of these principals now, if any."""
    found = await conn.execute(
        "SELECT * FROM brakes WHERE lifted_at IS NULL AND (agent_id IS NULL OR agent_id = ANY(%s)) LIMIT 1",
        (list(principal_ids),),
    )
    row = await found.fetchone()
    return Brake(**row) if row else None


async def get(conn: Connection, brake_id: UUID) -> Brake | None:
    row = await (await conn.execute("SELECT * FROM brakes WHERE id = %s", (brake_id,))).fetchone()
    return Brake(**row) if row else None


async def on(conn: Connection) -> list[Brake]:
    """All that are on, the one for everybody first."""
    rows = await conn.execute("SELECT * FROM brakes WHERE lifted_at IS NULL ORDER BY agent_id NULLS FIRST")
    return [Brake(**row) for row in await rows.fetchall()]


async def set_(conn: Connection, brake: Brake) -> bool:
    """Whether it was set: false where one is on already for the same."""
    done = await conn.execute(
        """
        INSERT INTO brakes (id, agent_id, pending, reason, set_by, set_at) VALUES (%s, %s, %s, %s, %s, %s)
        ON CONFLICT DO NOTHING
        """,
        (brake.id, brake.agent_id, brake.pending, brake.reason, brake.set_by, brake.set_at),
    )
    return bool(done.rowcount)


async def lift(conn: Connection, agent_id: UUID | None, by: UUID, at: datetime) -> bool:
    done = await conn.execute(
        "UPDATE brakes SET lifted_by = %s, lifted_at = %s WHERE lifted_at IS NULL AND agent_id IS NOT DISTINCT FROM %s",
        (by, at, agent_id),
    )
    return bool(done.rowcount)


async def lock_denied(conn: Connection, at_most: int) -> list[tuple[Hold, Brake]]:
    """Pending holds that a brake denies, locked; those that another sweep has are left to it."""
    denying = [brake for brake in await on(conn) if brake.pending == "deny"]
    found: list[tuple[Hold, Brake]] = []
    for brake in denying:
        rows = await conn.execute(
            """
            SELECT state::text AS state, number, run_number FROM holds
            WHERE status = 'pending' AND (%(agent)s::uuid IS NULL OR opener_id = %(agent)s)
            LIMIT %(at_most)s FOR UPDATE SKIP LOCKED
            """,
            {"agent": brake.agent_id, "at_most": at_most - len(found)},
        )
        found += [(holds.read(row), brake) for row in await rows.fetchall()]
        if len(found) >= at_most:
            break
    return found
