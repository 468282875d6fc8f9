"""Company sign-ins as rows: who is bound to which provider, sign-ins under way, and logout tokens that were used."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from psycopg.errors import UniqueViolation

from handrail.core.errors import SsoConflict
from handrail.core.ids import PrincipalId
from handrail.store.database import Connection


class Identity(NamedTuple):
    """Which person a provider's subject is, and how long the provider's last word counts."""

    issuer: str
    subject: str
    principal_id: PrincipalId
    provider: str
    ask_at: datetime
    vouched_until: datetime
    refresh_token: bytes | None


class Flow(NamedTuple):
    """A sign-in under way."""

    provider: str
    nonce: str
    verifier: str
    next: str
    replaces: UUID | None
    link_to: UUID | None


_SELECT = """
  SELECT issuer, subject, principal_id, provider, ask_at, vouched_until, refresh_token FROM sso_identities
  """


async def identity(conn: Connection, issuer: str, subject: str) -> Identity | None:
    found = await conn.execute(_SELECT + "WHERE issuer = %s AND subject = %s", (issuer, subject))
    row = await found.fetchone()
    return Identity(**row) if row else None


async def of_principal(conn: Connection, principal_id: UUID) -> Identity | None:
    found = await conn.execute(_SELECT + "WHERE principal_id = %s", (principal_id,))
    row = await found.fetchone()
    return Identity(**row) if row else None


async def bind(conn: Connection, new: Identity) -> None:
    """`SsoConflict` where the subject or the person is bound already."""
    try:
        await conn.execute(
            """
            INSERT INTO sso_identities (issuer, subject, principal_id, provider, ask_at, vouched_until, refresh_token)
            VALUES (%s, %s, %s, %s, %s, %s, %s)
            """,
            new,
        )
    except UniqueViolation:
        raise SsoConflict("This account is already linked to the company's sign-in.") from None


async def vouch(
    conn: Connection, issuer: str, subject: str, ask_at: datetime, until: datetime, refresh_token: bytes | None
) -> None:
    """The provider's word counts again; a refresh token that it did not renew stays."""
    await conn.execute(
        """
        UPDATE sso_identities SET ask_at = %s, vouched_until = %s, asking_until = NULL,
          refresh_token = COALESCE(%s, refresh_token)
        WHERE issuer = %s AND subject = %s
        """,
        (ask_at, until, refresh_token, issuer, subject),
    )


async def begin_asking(conn: Connection, principal_id: UUID, now: datetime, length: timedelta) -> bool:
    """Whether the caller is the one to ask the provider; of several at once it is one."""
    done = await conn.execute(
        """
        UPDATE sso_identities SET asking_until = %(until)s
        WHERE principal_id = %(id)s AND ask_at <= %(now)s AND (asking_until IS NULL OR asking_until <= %(now)s)
        """,
        {"id": principal_id, "now": now, "until": now + length},
    )
    return done.rowcount > 0


async def ask_soon(conn: Connection, principal_id: UUID, now: datetime) -> None:
    """Whatever the person does next, the provider is asked first."""
    await conn.execute(
        "UPDATE sso_identities SET ask_at = LEAST(ask_at, %(now)s), asking_until = NULL WHERE principal_id = %(id)s",
        {"id": principal_id, "now": now},
    )


async def end(conn: Connection, principal_id: UUID, now: datetime) -> None:
    """The provider's word no longer counts, until it gives a new one."""
    await conn.execute(
        """
        UPDATE sso_identities SET ask_at = LEAST(ask_at, %(now)s), vouched_until = LEAST(vouched_until, %(now)s),
          asking_until = NULL, refresh_token = NULL
        WHERE principal_id = %(id)s
        """,
        {"id": principal_id, "now": now},
    )


async def begin_flow(
    conn: Connection, flow: Flow, state_hash: bytes, browser_hash: bytes, now: datetime, expires_at: datetime
) -> None:
    """Also clears those that nobody finished."""
    await conn.execute("DELETE FROM sso_flows WHERE expires_at <= %s", (now,))
    await conn.execute(
        """
        INSERT INTO sso_flows
          (provider, nonce, verifier, next, replaces, link_to, state_hash, browser_hash, expires_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (*flow, state_hash, browser_hash, expires_at),
    )


async def take_flow(
    conn: Connection, provider: str, state_hash: bytes, browser_hash: bytes, now: datetime
) -> Flow | None:
    """The sign-in, once: of two that finish it at the same time, one gets nothing."""
    found = await conn.execute(
        """
        DELETE FROM sso_flows WHERE state_hash = %s AND browser_hash = %s AND provider = %s AND expires_at > %s
        RETURNING provider, nonce, verifier, next, replaces, link_to
        """,
        (state_hash, browser_hash, provider, now),
    )
    row = await found.fetchone()
    return Flow(**row) if row else None


async def use_logout(conn: Connection, issuer: str, jti: str, now: datetime, forget_at: datetime) -> bool:
    """Whether this logout token is used for the first time."""
    await conn.execute("DELETE FROM sso_logouts WHERE forget_at <= %s", (now,))
    done = await conn.execute(
        "INSERT INTO sso_logouts (issuer, jti, forget_at) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        (issuer, jti, forget_at),
    )
    return done.rowcount > 0


async def note_session(conn: Connection, sign_in_id: UUID, provider_session: str) -> None:
    await conn.execute("UPDATE sessions SET provider_session = %s WHERE id = %s", (provider_session, sign_in_id))


async def end_sessions_of(conn: Connection, issuer: str, provider_session: str) -> list[UUID]:
    """Whose sign-ins of this provider's session have ended."""
    found = await conn.execute(
        """
        DELETE FROM sessions s USING sso_identities i
        WHERE i.issuer = %s AND s.principal_id = i.principal_id AND s.provider_session = %s
        RETURNING s.principal_id
        """,
        (issuer, provider_session),
    )
    return [row["principal_id"] for row in await found.fetchall()]


async def address_holder(conn: Connection, email: str) -> UUID | None:
    """Who has this address, in any case of letters."""
    found = await conn.execute("SELECT id FROM principals WHERE lower(email) = lower(%s) LIMIT 1", (email,))
    row = await found.fetchone()
    return row["id"] if row else None


async def renew(conn: Connection, principal_id: UUID, refresh_token: bytes) -> None:
    await conn.execute(
        "UPDATE sso_identities SET refresh_token = %s WHERE principal_id = %s", (refresh_token, principal_id)
    )
