"""Every advisory lock of the database, by name. Nothing else names one, so no number stands for two things."""

from __future__ import annotations

from enum import IntEnum, unique
from typing import Any

import psycopg

from handrail.store.database import Connection


@unique
class Lock(IntEnum):
    """A number is never given to another lock: replicas of two versions may run at once."""

    migrations = 7_241_839_015
    feed_leader = 7_241_839_016
    brake = 7_241_839_017
    admission = 7_241_839_018
    checkpoints = 7_241_839_020
    documents = 7_241_839_021
    run_login = 7_241_839_022
    traces = 7_241_839_023
    absences = 7_241_839_024


@unique
class KeyedLock(IntEnum):
    """Locks on one of many things. They have a space of their own: two numbers, the lock's and the thing's."""

    workspace = 1


async def take(conn: Connection, lock: Lock) -> None:
    """Waits, and has it until the transaction ends."""
    await conn.execute("SELECT pg_advisory_xact_lock(%s)", (lock,))


async def take_shared(conn: Connection, lock: Lock) -> None:
    """The same, together with all who share it; who takes it alone waits for them."""
    await conn.execute("SELECT pg_advisory_xact_lock_shared(%s)", (lock,))


async def take_keyed(conn: Connection, lock: KeyedLock, key: object) -> None:
    """Of one thing. Two keys may now and then be one number: then one waits without need."""
    await conn.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (lock, str(key)))


async def take_for_connection(conn: Connection, lock: Lock) -> None:
    """Waits, and has it until the connection ends, however that ends."""
    await conn.execute("SELECT pg_advisory_lock(%s)", (lock,))


def take_for_connection_now(conn: psycopg.Connection[Any], lock: Lock) -> None:
    """The same on a connection that blocks."""
    conn.execute("SELECT pg_advisory_lock(%s)", (lock,))


def try_for_connection_now(conn: psycopg.Connection[Any], lock: Lock) -> bool:
    """Whether it is had, without waiting, on a connection that blocks."""
    return conn.execute("SELECT pg_try_advisory_lock(%s)", (lock,)).fetchone() == (True,)


async def try_for_connection(conn: Connection, lock: Lock) -> bool:
    """Whether it is had, without waiting."""
    row = await (await conn.execute("SELECT pg_try_advisory_lock(%s) AS had", (lock,))).fetchone()
    assert row is not None
    return row["had"]
