"""Attestations as rows: wished for by a run, signed elsewhere."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from psycopg.types.json import Jsonb

from handrail.core.canonical import JsonObject
from handrail.store.database import Connection


class Wished(NamedTuple):
    """`moved` is what the run says that the change became upon a moved base."""

    hold_id: UUID
    moved: JsonObject | None


class Wish(NamedTuple):
    """What became of it; nothing yet where both are missing."""

    attestation: JsonObject | None
    refusal: str | None


async def wish(conn: Connection, hold_id: UUID, moved: JsonObject | None) -> None:
    """Once for each hold; one that was refused is looked at again."""
    await conn.execute(
        """
        INSERT INTO attestations (hold_id, moved) VALUES (%s, %s)
        ON CONFLICT (hold_id) DO UPDATE SET refusal = NULL, moved = EXCLUDED.moved
        WHERE attestations.refusal IS NOT NULL
        """,
        (hold_id, Jsonb(moved) if moved is not None else None),
    )


async def get(conn: Connection, hold_id: UUID) -> Wish | None:
    found = await conn.execute("SELECT attestation, refusal FROM attestations WHERE hold_id = %s", (hold_id,))
    row = await found.fetchone()
    return Wish(row["attestation"], row["refusal"]) if row else None


async def lock_wished(conn: Connection) -> Wished | None:
    """The oldest wish that nobody else is at."""
    found = await conn.execute(
        """
        SELECT hold_id, moved FROM attestations WHERE attestation IS NULL AND refusal IS NULL
        ORDER BY wished_at LIMIT 1 FOR UPDATE SKIP LOCKED
        """
    )
    row = await found.fetchone()
    return Wished(row["hold_id"], row["moved"]) if row else None


async def sign(conn: Connection, hold_id: UUID, attestation: JsonObject) -> None:
    await conn.execute("UPDATE attestations SET attestation = %s WHERE hold_id = %s", (Jsonb(attestation), hold_id))


async def refuse(conn: Connection, hold_id: UUID, why: str) -> None:
    await conn.execute("UPDATE attestations SET refusal = %s WHERE hold_id = %s", (why, hold_id))
