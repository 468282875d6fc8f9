"""Sign-ins, those that are open now, and one-time sign-in codes as rows. Only the SHA-256 of secrets is
kept."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from psycopg import sql

from handrail.core.credentials import Provenance
from handrail.core.people import Principal
from handrail.store.database import Connection
from handrail.store.people import STANDING, Standing, origin_of, principal_of, standing_of

# sign-ins of a person that are remembered once they have ended
KEPT = 20


class OpenSignIn(NamedTuple):
    id: UUID
    principal: Principal
    csrf_token: str
    by_link: bool
    origin: Provenance
    standing: Standing = Standing()


class SignIn(NamedTuple):
    """That somebody signed in; `ends_at` is nothing once it has ended."""

    id: UUID
    how: str
    address: str
    browser: str | None
    at: datetime
    ends_at: datetime | None = None


class Code(NamedTuple):
    principal_id: UUID
    origin: Provenance


async def insert_open(conn: Connection, open_: OpenSignIn, hash_: bytes, now: datetime, expires_at: datetime) -> None:
    """Also clears those of the principal's that have ended."""
    who, origin = open_.principal.id, open_.origin
    await conn.execute("DELETE FROM sessions WHERE principal_id = %s AND expires_at <= %s", (who, now))
    await conn.execute(
        """
        INSERT INTO sessions (id, hash, principal_id, csrf_token, by_link, created_at, expires_at,
          made_by, own_since, lent_by)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (
            open_.id,
            hash_,
            who,
            open_.csrf_token,
            open_.by_link,
            now,
            expires_at,
            origin.made_by,
            origin.own_since,
            origin.lent_by,
        ),
    )


async def open_one(conn: Connection, hash_: bytes) -> OpenSignIn | None:
    """The sign-in, unless it has ended."""
    row = await (await conn.execute(_OPEN, (hash_,))).fetchone()
    if row is None:
        return None
    who, origin = principal_of(row), origin_of(row)
    return OpenSignIn(row["id"], who, row["csrf_token"], row["by_link"], origin, standing_of(row))


_OPEN = (
    sql.SQL(
        """
    SELECT s.id, s.csrf_token, s.by_link, s.made_by, s.own_since, s.lent_by,
      p.id AS principal_id, p.name, p.kind, p.roles, p.active, {standing}
    FROM sessions s JOIN principals p ON p.id = s.principal_id
    WHERE s.hash = %s AND s.expires_at > handrail_now()
    """
    )
    .format(standing=STANDING)
    .as_bytes(None)
)


async def end_open(conn: Connection, hash_: bytes) -> bool:
    """Whether there was one to end."""
    return (await conn.execute("DELETE FROM sessions WHERE hash = %s", (hash_,))).rowcount > 0


async def end(conn: Connection, sign_in_id: UUID) -> None:
    await conn.execute("DELETE FROM sessions WHERE id = %s", (sign_in_id,))


async def end_all_of(conn: Connection, principal_id: UUID, *, but: UUID | None = None) -> int:
    """How many have ended; all `but` this one."""
    ended = await conn.execute(
        "DELETE FROM sessions WHERE principal_id = %s AND id IS DISTINCT FROM %s", (principal_id, but)
    )
    return ended.rowcount


async def end_one_of(conn: Connection, principal_id: UUID, sign_in_id: UUID) -> bool:
    """Whether this principal had such a sign-in."""
    ended = await conn.execute("DELETE FROM sessions WHERE principal_id = %s AND id = %s", (principal_id, sign_in_id))
    return ended.rowcount > 0


async def remember(conn: Connection, principal_id: UUID, sign_in: SignIn, device: bytes) -> None:
    """Also forgets all but the last ones, and those that are open. `device` is the hash of the browser's secret."""
    await conn.execute(
        """
        INSERT INTO sign_ins (id, principal_id, how, address, browser, at, device)
        VALUES (%s, %s, %s, %s, %s, %s, %s)
        """,
        (sign_in.id, principal_id, sign_in.how, sign_in.address, sign_in.browser, sign_in.at, device),
    )
    await conn.execute(
        """
        DELETE FROM sign_ins WHERE principal_id = %(id)s
          AND id NOT IN (SELECT id FROM sessions WHERE principal_id = %(id)s)
          AND id NOT IN (SELECT id FROM sign_ins WHERE principal_id = %(id)s ORDER BY at DESC LIMIT %(kept)s)
        """,
        {"id": principal_id, "kept": KEPT},
    )


async def last(conn: Connection, principal_id: UUID) -> list[SignIn]:
    """Those that are remembered, newest first."""
    rows = await conn.execute(
        """
        SELECT i.id, i.how, i.address, i.browser, i.at, s.expires_at AS ends_at
        FROM sign_ins i LEFT JOIN sessions s ON s.id = i.id AND s.expires_at > handrail_now()
        WHERE i.principal_id = %s ORDER BY i.at DESC, i.id DESC
        """,
        (principal_id,),
    )
    return [SignIn(**row) for row in await rows.fetchall()]


async def came_by_link(conn: Connection, sign_in_id: UUID) -> bool:
    found = await conn.execute("SELECT FROM sessions WHERE id = %s AND by_link", (sign_in_id,))
    return await found.fetchone() is not None


async def take_over(conn: Connection, sign_in_id: UUID, origin: Provenance) -> bool:
    """Whether it was still there. A link stands in for a forgotten password once: the next change needs the new one."""
    done = await conn.execute(
        "UPDATE sessions SET own_since = %s, lent_by = %s, by_link = false WHERE id = %s",
        (origin.own_since, origin.lent_by, sign_in_id),
    )
    return done.rowcount > 0


async def any_open_of(conn: Connection, principal_id: UUID, now: datetime) -> bool:
    found = await conn.execute(
        "SELECT FROM sessions WHERE principal_id = %s AND expires_at > %s LIMIT 1", (principal_id, now)
    )
    return await found.fetchone() is not None


async def insert_code(conn: Connection, code: Code, hash_: bytes, now: datetime, expires_at: datetime) -> None:
    """Also clears all codes whose time is up."""
    origin = code.origin
    await conn.execute("DELETE FROM sign_in_codes WHERE expires_at <= %s", (now,))
    await conn.execute(
        """
        INSERT INTO sign_in_codes (hash, principal_id, expires_at, made_by, own_since, lent_by)
        VALUES (%s, %s, %s, %s, %s, %s)
        """,
        (hash_, code.principal_id, expires_at, origin.made_by, origin.own_since, origin.lent_by),
    )


async def take_code(conn: Connection, hash_: bytes, now: datetime) -> Code | None:
    """The code, once: of two that take it at the same time, one gets nothing."""
    found = await conn.execute(
        """
        DELETE FROM sign_in_codes WHERE hash = %s AND expires_at > %s
        RETURNING principal_id, made_by, own_since, lent_by
        """,
        (hash_, now),
    )
    row = await found.fetchone()
    return Code(row["principal_id"], origin_of(row)) if row else None


async def drop_codes_of(conn: Connection, principal_id: UUID) -> None:
    await conn.execute("DELETE FROM sign_in_codes WHERE principal_id = %s", (principal_id,))
