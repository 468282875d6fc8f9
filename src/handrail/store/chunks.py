"""Text of a model as it comes, as rows that go when the message is complete or given up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from handrail.store.database import Connection


class Chunk(NamedTuple):
    """`start` counts characters, over all kinds of text of the message."""

    message_id: str
    start: int
    kind: str
    text: str


async def append(conn: Connection, run_id: UUID, attempt: int, chunks: Sequence[Chunk]) -> None:
    async with conn.cursor() as cursor:
        await cursor.executemany(
            """
            INSERT INTO message_chunks (run_id, message_id, attempt, start, kind, text) VALUES (%s, %s, %s, %s, %s, %s)
            """,
            [(run_id, chunk.message_id, attempt, chunk.start, chunk.kind, chunk.text) for chunk in chunks],
        )


async def remove(conn: Connection, run_id: UUID, message_ids: Sequence[str]) -> None:
    await conn.execute(
        "DELETE FROM message_chunks WHERE run_id = %s AND message_id = ANY(%s)", (run_id, list(message_ids))
    )


async def give_up(conn: Connection, run_id: UUID, before: int) -> list[tuple[str, int]]:
    """Remove what earlier attempts left; which messages, and of which attempt."""
    rows = await conn.execute(
        """
        WITH gone AS (DELETE FROM message_chunks WHERE run_id = %s AND attempt < %s RETURNING message_id, attempt)
        SELECT DISTINCT message_id, attempt FROM gone ORDER BY attempt, message_id
        """,
        (run_id, before),
    )
    return [(row["message_id"], row["attempt"]) for row in await rows.fetchall()]
