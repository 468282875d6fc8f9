"""Browser sessions and one-time sign-in codes as rows. Only the SHA-256 of either is kept."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from handrail.core.people import Principal
from handrail.store.database import Connection
from handrail.store.people import principal_of


class Session(NamedTuple):
    principal: Principal
    csrf_token: str


async def insert_session(
    conn: Connection, hash_: bytes, principal_id: UUID, csrf_token: str, now: datetime, expires_at: datetime
) -> None:
    """Also clears the principal's sessions that have ended."""
    await conn.execute("DELETE FROM sessions WHERE principal_id = %s AND expires_at <= %s", (principal_id, now))
    await conn.execute(
        "INSERT INTO sessions (hash, principal_id, csrf_token, created_at, expires_at) VALUES (%s, %s, %s, %s, %s)",
        (hash_, principal_id, csrf_token, now, expires_at),
    )


async def session(conn: Connection, hash_: bytes) -> Session | None:
    """The session, unless it has ended."""
    found = await conn.execute(
        """
        SELECT s.csrf_token, p.id AS principal_id, p.name, p.kind, p.roles, p.active
        FROM sessions s JOIN principals p ON p.id = s.principal_id
        WHERE s.hash = %s AND s.expires_at > handrail_now()
        """,
        (hash_,),
    )
    row = await found.fetchone()
    return Session(principal_of(row), row["csrf_token"]) if row else None


async def end_session(conn: Connection, hash_: bytes) -> bool:
    """Whether there was one to end."""
    return (await conn.execute("DELETE FROM sessions WHERE hash = %s", (hash_,))).rowcount > 0


async def end_all_of(conn: Connection, principal_id: UUID) -> int:
    return (await conn.execute("DELETE FROM sessions WHERE principal_id = %s", (principal_id,))).rowcount


async def any_session_of(conn: Connection, principal_id: UUID, now: datetime) -> bool:
    found = await conn.execute(
        "SELECT FROM sessions WHERE principal_id = %s AND expires_at > %s LIMIT 1", (principal_id, now)
    )
    return await found.fetchone() is not None


async def insert_code(conn: Connection, hash_: bytes, principal_id: UUID, now: datetime, expires_at: datetime) -> None:
    """Also clears all codes whose time is up."""
    await conn.execute("DELETE FROM sign_in_codes WHERE expires_at <= %s", (now,))
    await conn.execute(
        "INSERT INTO sign_in_codes (hash, principal_id, expires_at) VALUES (%s, %s, %s)",
        (hash_, principal_id, expires_at),
    )


async def take_code(conn: Connection, hash_: bytes, now: datetime) -> UUID | None:
    """Whose code it was, once: of two that take it at the same time, one gets nothing."""
    found = await conn.execute(
        "DELETE FROM sign_in_codes WHERE hash = %s AND expires_at > %s RETURNING principal_id", (hash_, now)
    )
    row = await found.fetchone()
    return row["principal_id"] if row else None


async def drop_codes_of(conn: Connection, principal_id: UUID) -> None:
    await conn.execute("DELETE FROM sign_in_codes WHERE principal_id = %s", (principal_id,))
