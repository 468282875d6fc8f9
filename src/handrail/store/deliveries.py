"""Notices to people as rows: an outbox that any process may empty."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID

from handrail.store.database import Connection

Status = Literal["queued", "delivered", "dead"]


@dataclass(frozen=True, slots=True)
class Delivery:
    """`channels[place]` is the channel in use, `attempts` how often it was tried."""

    id: UUID
    hold_id: UUID
    event: str
    route: str
    channels: Sequence[str]
    people: Sequence[UUID]
    body: str
    queued_at: datetime
    next_at: datetime
    place: int = 0
    status: Status = "queued"
    attempts: int = 0
    last_error: str | None = None
    delivered_at: datetime | None = None
    reached: Sequence[UUID] = ()
    """Who has had it already, where a channel tells each person apart."""
    gathers: bool = False
    """Whether it waited for others, and tells of them too."""

    @property
    def channel(self) -> str:
        return self.channels[self.place]


class Lane(NamedTuple):
    """Those on one of these channels; or, with `others`, on none of them."""

    channels: Collection[str]
    others: bool = False


EVERY = Lane((), others=True)


async def insert(conn: Connection, new: Delivery) -> None:
    await conn.execute(
        """
        INSERT INTO deliveries (id, hold_id, event, route, channels, people, body, queued_at, next_at, gathers)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (
            new.id,
            new.hold_id,
            new.event,
            new.route,
            list(new.channels),
            list(new.people),
            new.body,
            new.queued_at,
            new.next_at,
            new.gathers,
        ),
    )


async def lately_of_hold(conn: Connection, new: Delivery, since: datetime) -> list[Delivery]:
    """Those about the same, to the same people, oldest first; locked. The hold is locked too."""
    rows = await conn.execute(
        """
        SELECT * FROM deliveries
        WHERE hold_id = %s AND event = %s AND route = %s AND people = %s AND queued_at > %s
        ORDER BY id FOR UPDATE
        """,
        (new.hold_id, new.event, new.route, list(new.people), since),
    )
    return [Delivery(**row) for row in await rows.fetchall()]


async def lately_of_opener(
    conn: Connection, new: Delivery, opener: UUID, level: str, since: datetime
) -> list[Delivery]:
    """Those about other holds of the same opener and level, to the same people, oldest first; locked."""
    rows = await conn.execute(
        """
        SELECT d.* FROM deliveries d JOIN holds h ON h.id = d.hold_id
        WHERE d.queued_at > %s AND d.event = %s AND d.route = %s AND d.people = %s AND h.opener_id = %s AND h.level = %s
        ORDER BY d.id FOR UPDATE OF d
        """,
        (since, new.event, new.route, list(new.people), opener, level),
    )
    return [Delivery(**row) for row in await rows.fetchall()]


async def claim(conn: Connection, lane: Lane, at_most: int, lease_seconds: float) -> list[Delivery]:
    """Those of the lane that are due, one attempt further; nobody else has them before the lease is over."""
    rows = await conn.execute(
        """
        UPDATE deliveries SET attempts = attempts + 1, next_at = handrail_now() + make_interval(secs => %s)
        WHERE id IN (
          SELECT id FROM deliveries WHERE status = 'queued' AND next_at <= (SELECT handrail_now())
            AND (channels[place + 1] = ANY(%s)) <> %s
          ORDER BY next_at LIMIT %s FOR UPDATE SKIP LOCKED
        )
        RETURNING *
        """,
        (lease_seconds, list(lane.channels), lane.others, at_most),
    )
    return [Delivery(**row) for row in await rows.fetchall()]


async def delivered(conn: Connection, delivery: Delivery, at: datetime) -> bool:
    """Whether it was not known already. True also for an attempt whose lease was over: it did arrive."""
    done = await conn.execute(
        """
        UPDATE deliveries SET status = 'delivered', place = %s, delivered_at = %s, last_error = NULL
        WHERE id = %s AND status = 'queued'
        """,
        (delivery.place, at, delivery.id),
    )
    return bool(done.rowcount)


async def reached(conn: Connection, delivery_id: UUID, person_id: UUID) -> None:
    await conn.execute(
        "UPDATE deliveries SET reached = array_append(reached, %s) WHERE id = %s", (person_id, delivery_id)
    )


async def put_off(conn: Connection, delivery: Delivery, error: str, seconds: float, *, counts: bool = True) -> None:
    """Try the same channel again later; unless another attempt has begun since. One that does not count was none."""
    await conn.execute(
        """
        UPDATE deliveries SET next_at = handrail_now() + make_interval(secs => %s), last_error = %s, attempts = %s
        WHERE id = %s AND place = %s AND attempts = %s AND status = 'queued'
        """,
        (
            seconds,
            error,
            delivery.attempts if counts else delivery.attempts - 1,
            delivery.id,
            delivery.place,
            delivery.attempts,
        ),
    )


async def give_up(conn: Connection, delivery: Delivery, error: str) -> bool:
    """On to the next channel at once, or dead where there is none; whether this attempt was the latest."""
    last = delivery.place + 1 == len(delivery.channels)
    done = await conn.execute(
        """
        UPDATE deliveries SET last_error = %s, status = %s, place = %s, attempts = %s, next_at = handrail_now()
        WHERE id = %s AND place = %s AND attempts = %s AND status = 'queued'
        """,
        (
            error,
            "dead" if last else "queued",
            delivery.place if last else delivery.place + 1,
            delivery.attempts if last else 0,
            delivery.id,
            delivery.place,
            delivery.attempts,
        ),
    )
    return bool(done.rowcount)


async def drop(conn: Connection, delivery: Delivery) -> bool:
    """Takes it out of the queue unsent; whether it was still there."""
    done = await conn.execute("DELETE FROM deliveries WHERE id = %s AND status = 'queued'", (delivery.id,))
    return bool(done.rowcount)


async def with_person(conn: Connection, person_id: UUID) -> list[Delivery]:
    """Those that wait and are for this person among others, locked."""
    rows = await conn.execute(
        "SELECT * FROM deliveries WHERE status = 'queued' AND %s = ANY(people) ORDER BY id FOR UPDATE", (person_id,)
    )
    return [Delivery(**row) for row in await rows.fetchall()]


async def rewrite(conn: Connection, delivery: Delivery) -> None:
    """Whom it is for, and what it says."""
    await conn.execute(
        "UPDATE deliveries SET people = %s, body = %s WHERE id = %s",
        (list(delivery.people), delivery.body, delivery.id),
    )


async def revive(conn: Connection, delivery_id: UUID) -> bool:
    """Queue a dead one again, from its first channel on."""
    done = await conn.execute(
        """
        UPDATE deliveries SET status = 'queued', place = 0, attempts = 0, next_at = handrail_now()
        WHERE id = %s AND status = 'dead'
        """,
        (delivery_id,),
    )
    return bool(done.rowcount)


async def get(conn: Connection, delivery_id: UUID) -> Delivery | None:
    found = await conn.execute("SELECT * FROM deliveries WHERE id = %s", (delivery_id,))
    row = await found.fetchone()
    return Delivery(**row) if row else None


async def of_hold(conn: Connection, hold_id: UUID) -> list[Delivery]:
    """Oldest first."""
    rows = await conn.execute("SELECT * FROM deliveries WHERE hold_id = %s ORDER BY id", (hold_id,))
    return [Delivery(**row) for row in await rows.fetchall()]


async def page(conn: Connection, status: Status, after: UUID | None, limit: int) -> list[Delivery]:
    """Oldest first."""
    rows = await conn.execute(
        """
        SELECT * FROM deliveries
        WHERE status = %(status)s AND (%(after)s::uuid IS NULL OR id > %(after)s) ORDER BY id LIMIT %(limit)s
        """,
        {"status": status, "after": after, "limit": limit},
    )
    return [Delivery(**row) for row in await rows.fetchall()]
