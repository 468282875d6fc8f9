"""Messages that people have outside, as rows: what each says, and whether that is still true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from handrail.store.database import Connection


@dataclass(frozen=True, slots=True)
class Message:
    """One about a hold at one destination. `told` are the notices that it, or replies under it, have carried."""

    id: UUID
    hold_id: UUID
    channel: str
    destination: str
    place: str
    told: Sequence[UUID]
    face: str
    sent_at: datetime
    due_at: datetime | None = None
    next_at: datetime | None = None
    attempts: int = 0
    last_error: str | None = None
    lost: bool = False


async def remember(conn: Connection, new: Message) -> None:
    """The newest stands for all before it at its destination. Where it is due, it is so from the start."""
    await conn.execute(
        """
        INSERT INTO messages (id, hold_id, channel, destination, place, told, face, sent_at, due_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
        ON CONFLICT (hold_id, channel, destination) DO UPDATE SET
          place = excluded.place, told = messages.told || excluded.told, face = excluded.face,
          sent_at = excluded.sent_at, due_at = excluded.due_at, next_at = NULL, attempts = 0,
          last_error = NULL, lost = false
        """,
        (
            new.id,
            new.hold_id,
            new.channel,
            new.destination,
            new.place,
            list(new.told),
            new.face,
            new.sent_at,
            new.due_at,
        ),
    )


async def add_told(conn: Connection, message_id: UUID, delivery_id: UUID) -> None:
    await conn.execute("UPDATE messages SET told = array_append(told, %s) WHERE id = %s", (delivery_id, message_id))


async def outdate(conn: Connection, hold_id: UUID) -> None:
    """What they say of the hold is no longer true. An attempt that is under way does not make them current."""
    await conn.execute("UPDATE messages SET due_at = handrail_now() WHERE hold_id = %s AND NOT lost", (hold_id,))


async def doubt(conn: Connection, message_id: UUID) -> None:
    """Somebody changed it outside: it is written again, whatever it was known to say."""
    await conn.execute(
        "UPDATE messages SET due_at = handrail_now(), face = '' WHERE id = %s AND NOT lost", (message_id,)
    )


async def claim(conn: Connection, channel: str, at_most: int, lease_seconds: float) -> list[Message]:
    """Those that are out of date, one attempt further; nobody else has them before the lease is over."""
    rows = await conn.execute(
        """
        UPDATE messages SET attempts = attempts + 1, next_at = handrail_now() + make_interval(secs => %s)
        WHERE id IN (
          SELECT id FROM messages
          WHERE channel = %s AND due_at IS NOT NULL AND NOT lost
            AND (next_at IS NULL OR next_at <= (SELECT handrail_now()))
          ORDER BY due_at LIMIT %s FOR UPDATE SKIP LOCKED
        )
        RETURNING *
        """,
        (lease_seconds, channel, at_most),
    )
    return [Message(**row) for row in await rows.fetchall()]


async def updated(conn: Connection, message: Message, face: str) -> None:
    """It says this now. It stays due where the hold has changed since the attempt began."""
    await conn.execute(
        """
        UPDATE messages SET face = %s, due_at = CASE WHEN due_at = %s THEN NULL ELSE due_at END,
          next_at = NULL, attempts = 0, last_error = NULL
        WHERE id = %s AND attempts = %s
        """,
        (face, message.due_at, message.id, message.attempts),
    )


async def put_off(conn: Connection, message: Message, error: str, seconds: float) -> None:
    await conn.execute(
        """
        UPDATE messages SET next_at = handrail_now() + make_interval(secs => %s), last_error = %s
        WHERE id = %s AND attempts = %s
        """,
        (seconds, error, message.id, message.attempts),
    )


async def lose(conn: Connection, message: Message, error: str) -> bool:
    """It is not tried again; whether this attempt was the latest."""
    done = await conn.execute(
        "UPDATE messages SET lost = true, due_at = NULL, last_error = %s WHERE id = %s AND attempts = %s AND NOT lost",
        (error, message.id, message.attempts),
    )
    return bool(done.rowcount)


async def of_hold(conn: Connection, hold_id: UUID, channel: str | None = None) -> list[Message]:
    rows = await conn.execute(
        "SELECT * FROM messages WHERE hold_id = %(hold)s AND (%(channel)s::text IS NULL OR channel = %(channel)s) "
        "ORDER BY id",
        {"hold": hold_id, "channel": channel},
    )
    return [Message(**row) for row in await rows.fetchall()]


async def of_mail(conn: Connection, message: Message) -> list[Message]:
    """All that one mail told its reader of, this one included."""
    rows = await conn.execute(
        "SELECT * FROM messages WHERE channel = %s AND place = %s AND destination = %s ORDER BY id",
        (message.channel, message.place, message.destination),
    )
    return [Message(**row) for row in await rows.fetchall()]


async def at_place(conn: Connection, channel: str, place: str) -> Message | None:
    found = await conn.execute("SELECT * FROM messages WHERE channel = %s AND place = %s LIMIT 1", (channel, place))
    row = await found.fetchone()
    return Message(**row) if row else None
