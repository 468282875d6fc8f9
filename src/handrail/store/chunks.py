"""Text of a model as it comes, as rows that go when the message is complete or given up."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from handrail.core.run_events import MessageDiscarded
from handrail.core.runs import Run
from handrail.store import events
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


async def give_up(conn: Connection, run_id: UUID, before: int) -> None:
    """Remove what earlier attempts left."""
    await conn.execute("DELETE FROM message_chunks WHERE run_id = %s AND attempt < %s", (run_id, before))


async def discard(conn: Connection, run: Run) -> None:
    """Give up what attempts before this one left, with a `message.discarded` for each message."""
    rows = await conn.execute(
        "DELETE FROM message_chunks WHERE run_id = %s AND attempt < %s RETURNING attempt, message_id",
        (run.id, run.epoch),
    )
    gone = sorted({(row["attempt"], row["message_id"]) for row in await rows.fetchall()})
    said = [MessageDiscarded(actor=run.agent, message_id=message, attempt=attempt) for attempt, message in gone]
    await events.append(conn, said, None, events.of_run(run))


class Message(NamedTuple):
    """One message as one worker makes it: a run that is taken up again begins it anew, as another attempt."""

    run_id: UUID
    message_id: str
    attempt: int


class Piece(NamedTuple):
    """A chunk, with the message that it is of."""

    message: Message
    start: int
    kind: str
    text: str


async def beyond(conn: Connection, run_ids: Collection[UUID], known: Mapping[Message, int]) -> list[Piece]:
    """Chunks of these runs that begin at or after where each message is known to end, in order."""
    rows = await conn.execute(
        """
        SELECT c.run_id, c.message_id, c.attempt, c.start, c.kind, c.text FROM message_chunks c
        LEFT JOIN unnest(%s::uuid[], %s::text[], %s::integer[], %s::integer[])
          AS known (run_id, message_id, attempt, ends)
          ON (known.run_id, known.message_id, known.attempt) = (c.run_id, c.message_id, c.attempt)
        WHERE c.run_id = ANY(%s) AND c.start >= coalesce(known.ends, 0)
        ORDER BY c.run_id, c.message_id, c.attempt, c.start
        """,
        (
            [message.run_id for message in known],
            [message.message_id for message in known],
            [message.attempt for message in known],
            list(known.values()),
            list(run_ids),
        ),
    )
    return [
        Piece(Message(row["run_id"], row["message_id"], row["attempt"]), row["start"], row["kind"], row["text"])
        for row in await rows.fetchall()
    ]
