"""Attestations as rows: wished for by a run, signed elsewhere."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from psycopg.types.json import Jsonb

from handrail.core.canonical import JsonObject
from handrail.store.database import Connection


class Wish(NamedTuple):
    """What became of it; nothing yet where both are missing."""

    attestation: JsonObject | None
    refusal: str | None


async def wish(conn: Connection, hold_id: UUID) -> None:
    """Once for each hold; one that was refused is looked at again."""
    await conn.execute(
        """
        INSERT INTO attestations (hold_id) VALUES (%s)
        ON CONFLICT (hold_id) DO UPDATE SET refusal = NULL WHERE attestations.refusal IS NOT NULL
        """,
        (hold_id,),
    )


async def get(conn: Connection, hold_id: UUID) -> Wish | None:
    found = await conn.execute("SELECT attestation, refusal FROM attestations WHERE hold_id = %s", (hold_id,))
    row = await found.fetchone()
    return Wish(row["attestation"], row["refusal"]) if row else None


async def lock_wished(conn: Connection) -> UUID | None:
    """The oldest wish that nobody else is at."""
    found = await conn.execute(
        """
        SELECT hold_id FROM attestations WHERE attestation IS NULL AND refusal IS NULL
        ORDER BY wished_at LIMIT 1 FOR UPDATE SKIP LOCKED
        """
    )
    row = await found.fetchone()
    return row["hold_id"] if row else None


async def sign(conn: Connection, hold_id: UUID, attestation: JsonObject) -> None:
    await conn.execute("UPDATE attestations SET attestation = %s WHERE hold_id = %s", (Jsonb(attestation), hold_id))


async def refuse(conn: Connection, hold_id: UUID, why: str) -> None:
    await conn.execute("UPDATE attestations SET refusal = %s WHERE hold_id = %s", (why, hold_id))
