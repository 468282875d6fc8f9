"""What came in by a channel, as rows: each is handled once, by whichever server gets it."""

from __future__ import annotations

from uuid import UUID

from handrail.store.database import Connection


async def take(conn: Connection, channel: str, key: str) -> bool:
    """Whether it is to be handled now: nobody has, or whoever began half a minute ago never finished."""
    found = await conn.execute(
        """
        INSERT INTO received (channel, key, at) VALUES (%s, %s, handrail_now())
        ON CONFLICT (channel, key) DO UPDATE SET at = excluded.at
          WHERE NOT received.done AND received.at < excluded.at - interval '30 seconds'
        RETURNING true AS taken
        """,
        (channel, key),
    )
    return await found.fetchone() is not None


async def done(
    conn: Connection, channel: str, key: str, comment_id: int | None = None, message_id: UUID | None = None
) -> None:
    await conn.execute(
        "UPDATE received SET done = true, comment_id = %s, message_id = %s WHERE channel = %s AND key = %s",
        (comment_id, message_id, channel, key),
    )


async def is_done(conn: Connection, channel: str, key: str) -> bool:
    found = await conn.execute("SELECT FROM received WHERE channel = %s AND key = %s AND done", (channel, key))
    return await found.fetchone() is not None


async def came_from(conn: Connection, message_id: UUID, comment_id: int) -> bool:
    """Whether the comment was written under that message."""
    found = await conn.execute(
        "SELECT FROM received WHERE comment_id = %s AND message_id = %s", (comment_id, message_id)
    )
    return await found.fetchone() is not None
