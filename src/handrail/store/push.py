"""Devices that web push reaches, and the server's own key for it, as rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from handrail.store.database import Connection


@dataclass(frozen=True, slots=True)
class Device:
    """`public_key` and `auth` are the browser's: what is encrypted for them nobody else can read."""

    id: UUID
    principal_id: UUID
    label: str
    endpoint: str
    public_key: bytes
    auth: bytes
    added_at: datetime


class Key(NamedTuple):
    """`box` is the private part, sealed for this id."""

    id: UUID
    public_key: bytes
    box: bytes


async def add(conn: Connection, new: Device) -> Device | None:
    """The device; by the same address it is the one that the person had. Nothing where it is another person's."""
    found = await conn.execute(
        """
        INSERT INTO push_devices (id, principal_id, label, endpoint, public_key, auth, added_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s)
        ON CONFLICT (endpoint) DO UPDATE SET label = excluded.label, public_key = excluded.public_key,
          auth = excluded.auth, added_at = excluded.added_at
          WHERE push_devices.principal_id = excluded.principal_id
        RETURNING *
        """,
        (new.id, new.principal_id, new.label, new.endpoint, new.public_key, new.auth, new.added_at),
    )
    row = await found.fetchone()
    return Device(**row) if row else None


async def of_people(conn: Connection, people: Collection[UUID]) -> list[Device]:
    """Of those who are active, oldest first."""
    rows = await conn.execute(
        """
        SELECT d.* FROM push_devices d JOIN principals p ON p.id = d.principal_id
        WHERE p.active AND p.id = ANY(%s) ORDER BY d.id
        """,
        (list(people),),
    )
    return [Device(**row) for row in await rows.fetchall()]


async def get(conn: Connection, id_: UUID) -> Device | None:
    """Where its person is still active."""
    found = await conn.execute(
        "SELECT d.* FROM push_devices d JOIN principals p ON p.id = d.principal_id WHERE d.id = %s AND p.active", (id_,)
    )
    row = await found.fetchone()
    return Device(**row) if row else None


async def remove(conn: Connection, id_: UUID) -> bool:
    return bool((await conn.execute("DELETE FROM push_devices WHERE id = %s", (id_,))).rowcount)


async def remove_own(conn: Connection, principal_id: UUID, id_: UUID) -> bool:
    done = await conn.execute("DELETE FROM push_devices WHERE id = %s AND principal_id = %s", (id_, principal_id))
    return bool(done.rowcount)


async def key(conn: Connection) -> Key | None:
    row = await (await conn.execute("SELECT id, public_key, box FROM push_keys")).fetchone()
    return Key(**row) if row else None


async def put_key(conn: Connection, new: Key) -> Key:
    """The one that is there by now: of two that are made at the same time, the first stays."""
    await conn.execute("INSERT INTO push_keys (id, public_key, box) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING", new)
    kept = await key(conn)
    assert kept is not None
    return kept
