"""Passkeys and the challenges that they are asked to sign, as rows."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Literal, NamedTuple
from uuid import UUID

from psycopg.errors import UniqueViolation

from handrail.core.errors import Conflict
from handrail.core.ids import PrincipalId
from handrail.store.database import Connection

Purpose = Literal["register", "sign_in", "decide"]
CHALLENGE_LENGTH = timedelta(minutes=5)


class Passkey(NamedTuple):
    """`signs_from` is when it may sign decisions; it signs its owner in from the start."""

    id: UUID
    principal_id: PrincipalId
    credential_id: bytes
    public_key: bytes
    party: str
    label: str
    signatures: int
    created_at: datetime
    signs_from: datetime
    last_used_at: datetime | None = None


_SELECT = """
  SELECT id, principal_id, credential_id, public_key, party, label, signatures, created_at, signs_from, last_used_at
  FROM passkeys WHERE removed_at IS NULL AND
  """


async def of(conn: Connection, principal_id: UUID) -> list[Passkey]:
    """Those that are not removed, oldest first."""
    found = await conn.execute(_SELECT + "principal_id = %s ORDER BY created_at", (principal_id,))
    return [Passkey(**row) for row in await found.fetchall()]


async def had_any(conn: Connection, principal_id: UUID) -> bool:
    """Whether the person has or had one."""
    found = await conn.execute("SELECT FROM passkeys WHERE principal_id = %s LIMIT 1", (principal_id,))
    return await found.fetchone() is not None


async def by_credential(conn: Connection, credential_id: bytes) -> Passkey | None:
    """Locked: two signatures at once are counted one after the other."""
    found = await conn.execute(_SELECT + "credential_id = %s FOR UPDATE", (credential_id,))
    row = await found.fetchone()
    return Passkey(**row) if row else None


async def insert(conn: Connection, new: Passkey, sign_in: UUID | None) -> None:
    """`sign_in` is the one by which it was registered: its browser is where the authenticator is, or is plugged in."""
    try:
        await conn.execute(
            """
            INSERT INTO passkeys (id, principal_id, credential_id, public_key, party, label, signatures, created_at,
              signs_from, last_used_at, device)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, (SELECT device FROM sign_ins WHERE id = %s))
            """,
            (*new, sign_in),
        )
    except UniqueViolation:
        raise Conflict("This passkey is registered already.") from None


async def used(conn: Connection, passkey_id: UUID, signatures: int, now: datetime) -> None:
    await conn.execute(
        "UPDATE passkeys SET signatures = %s, last_used_at = %s WHERE id = %s", (signatures, now, passkey_id)
    )


async def remove(conn: Connection, principal_id: UUID, passkey_id: UUID, now: datetime) -> Passkey | None:
    """The one that was removed."""
    found = await conn.execute(
        """
        UPDATE passkeys SET removed_at = %s WHERE id = %s AND principal_id = %s AND removed_at IS NULL
        RETURNING id, principal_id, credential_id, public_key, party, label, signatures, created_at, signs_from,
          last_used_at
        """,
        (now, passkey_id, principal_id),
    )
    row = await found.fetchone()
    return Passkey(**row) if row else None


async def challenge(
    conn: Connection, purpose: Purpose, now: datetime, principal_id: UUID | None = None, hold_id: UUID | None = None
) -> str:
    """A nonce that is used once, within five minutes. Also clears those that nobody used."""
    nonce = secrets.token_urlsafe(32)
    await conn.execute("DELETE FROM passkey_challenges WHERE expires_at <= %s", (now,))
    await conn.execute(
        """
        INSERT INTO passkey_challenges (nonce, purpose, principal_id, hold_id, expires_at)
        VALUES (%s, %s, %s, %s, %s)
        """,
        (nonce, purpose, principal_id, hold_id, now + CHALLENGE_LENGTH),
    )
    return nonce


async def take_challenge(
    conn: Connection,
    purpose: Purpose,
    nonce: str,
    now: datetime,
    principal_id: UUID | None = None,
    hold_id: UUID | None = None,
) -> bool:
    """Whether it was asked for, for this, and not used yet."""
    done = await conn.execute(
        """
        DELETE FROM passkey_challenges WHERE nonce = %s AND purpose = %s AND expires_at > %s
          AND principal_id IS NOT DISTINCT FROM %s AND hold_id IS NOT DISTINCT FROM %s
        """,
        (nonce, purpose, now, principal_id, hold_id),
    )
    return done.rowcount > 0
