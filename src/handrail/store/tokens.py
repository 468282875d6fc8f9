"""API tokens as rows. Only the SHA-256 of a token is kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import sql

from handrail.core.credentials import BY_OPERATOR, Provenance
from handrail.core.ids import TokenId
from handrail.core.people import Principal
from handrail.store.database import Connection
from handrail.store.people import STANDING, Standing, origin_of, principal_of, standing_of


@dataclass(frozen=True, slots=True)
class Token:
    id: TokenId
    principal: Principal
    label: str | None
    scopes: frozenset[str]
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
    origin: Provenance = BY_OPERATOR


class Presentation(NamedTuple):
    """A token that somebody sent, the moment, and what else has to be looked at."""

    token: Token
    now: datetime
    standing: Standing


_SELECT = """
  SELECT t.id, t.label, t.scopes, t.created_at, t.expires_at, t.revoked_at, t.last_used_at,
    t.made_by, t.own_since, t.lent_by,
    p.id AS principal_id, p.name, p.kind, p.roles, p.active, handrail_now() AS now
  FROM tokens t JOIN principals p ON p.id = t.principal_id
  """
_PRESENTED = (
    sql.SQL(
        """
    SELECT t.id, t.label, t.scopes, t.created_at, t.expires_at, t.revoked_at, t.last_used_at,
      t.made_by, t.own_since, t.lent_by,
      p.id AS principal_id, p.name, p.kind, p.roles, p.active, handrail_now() AS now, {standing}
    FROM tokens t JOIN principals p ON p.id = t.principal_id WHERE t.hash = %s
    """
    )
    .format(standing=STANDING)
    .as_bytes(None)
)


def _token(row: dict[str, Any]) -> Token:
    return Token(
        TokenId(row["id"]),
        principal_of(row),
        row["label"],
        frozenset(row["scopes"]),
        row["created_at"],
        row["expires_at"],
        row["revoked_at"],
        row["last_used_at"],
        origin_of(row),
    )


async def insert(conn: Connection, token: Token, hash_: bytes) -> None:
    await conn.execute(
        """
        INSERT INTO tokens (id, principal_id, hash, label, scopes, created_at, expires_at, made_by, own_since, lent_by)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (
            token.id,
            token.principal.id,
            hash_,
            token.label,
            sorted(token.scopes),
            token.created_at,
            token.expires_at,
            token.origin.made_by,
            token.origin.own_since,
            token.origin.lent_by,
        ),
    )


async def present(conn: Connection, hash_: bytes) -> Presentation | None:
    row = await (await conn.execute(_PRESENTED, (hash_,))).fetchone()
    return Presentation(_token(row), row["now"], standing_of(row)) if row else None


async def note_use(conn: Connection, token_id: UUID, now: datetime) -> None:
    await conn.execute("UPDATE tokens SET last_used_at = %s WHERE id = %s", (now, token_id))


async def lock(conn: Connection, token_id: UUID) -> Token | None:
    found = await conn.execute(
        _SELECT
        + """
        WHERE t.id = %s FOR UPDATE OF t
        """,
        (token_id,),
    )
    row = await found.fetchone()
    return _token(row) if row else None


async def save(conn: Connection, token: Token) -> None:
    await conn.execute(
        "UPDATE tokens SET label = %s, expires_at = %s, revoked_at = %s WHERE id = %s",
        (token.label, token.expires_at, token.revoked_at, token.id),
    )


async def take_over(conn: Connection, token_id: UUID, origin: Provenance) -> bool:
    """Whether it was still there to be taken over."""
    done = await conn.execute(
        "UPDATE tokens SET own_since = %s, lent_by = %s WHERE id = %s AND revoked_at IS NULL",
        (origin.own_since, origin.lent_by, token_id),
    )
    return done.rowcount > 0


async def revoke(conn: Connection, token_id: UUID, now: datetime) -> None:
    await conn.execute("UPDATE tokens SET revoked_at = %s WHERE id = %s AND revoked_at IS NULL", (now, token_id))


async def revoke_all_of(conn: Connection, principal_id: UUID, now: datetime) -> None:
    await conn.execute(
        "UPDATE tokens SET revoked_at = %s WHERE principal_id = %s AND revoked_at IS NULL", (now, principal_id)
    )


async def page(conn: Connection, principal_id: UUID | None, before: UUID | None, limit: int) -> list[Token]:
    """Newest first, of one principal or of all."""
    found = await conn.execute(
        _SELECT
        + """
        WHERE (%(principal)s::uuid IS NULL OR t.principal_id = %(principal)s)
          AND (%(before)s::uuid IS NULL OR t.id < %(before)s)
        ORDER BY t.id DESC LIMIT %(limit)s
        """,
        {"principal": principal_id, "before": before, "limit": limit},
    )
    return [_token(row) for row in await found.fetchall()]


async def live_with_label(conn: Connection, principal_id: UUID, label: str) -> list[Token]:
    found = await conn.execute(
        _SELECT
        + """
        WHERE p.id = %s AND t.label = %s AND t.revoked_at IS NULL
        """,
        (principal_id, label),
    )
    return [_token(row) for row in await found.fetchall()]


async def any_live_of(conn: Connection, principal_id: UUID, now: datetime) -> bool:
    found = await conn.execute(
        """
        SELECT FROM tokens
        WHERE principal_id = %s AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > %s) LIMIT 1
        """,
        (principal_id, now),
    )
    return await found.fetchone() is not None
