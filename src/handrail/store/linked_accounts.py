"""Accounts of channels that are people's, and the codes that link them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.errors import UniqueViolation

from handrail.core.credentials import Provenance
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal
from handrail.store.database import Connection
from handrail.store.people import origin_of, principal_of


@dataclass(frozen=True, slots=True)
class LinkedAccount:
    """`origin` is that of the sign-in by which the code was made."""

    id: UUID
    channel: str
    account: str
    principal: Principal
    linked_at: datetime
    origin: Provenance


_SELECT = """
  SELECT a.id, a.channel, a.account, a.linked_at, a.made_by, a.own_since, a.lent_by,
    p.id AS principal_id, p.name, p.kind, p.roles, p.active
  FROM linked_accounts a JOIN principals p ON p.id = a.principal_id
  """


def _linked(row: dict[str, Any]) -> LinkedAccount:
    return LinkedAccount(row["id"], row["channel"], row["account"], principal_of(row), row["linked_at"], origin_of(row))


@dataclass(frozen=True, slots=True)
class NewCode:
    """`account` is the only one that may use it, where one is named."""

    channel: str
    principal_id: PrincipalId
    hash: bytes
    origin: Provenance
    expires_at: datetime
    account: str | None = None


async def insert_code(conn: Connection, new: NewCode, now: datetime) -> None:
    """The newest code of a person for a channel is the only one that works."""
    await conn.execute(
        "DELETE FROM link_codes WHERE expires_at <= %s OR (principal_id = %s AND channel = %s)",
        (now, new.principal_id, new.channel),
    )
    await conn.execute(
        """
        INSERT INTO link_codes (hash, channel, principal_id, expires_at, made_by, own_since, lent_by, account)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (
            new.hash,
            new.channel,
            new.principal_id,
            new.expires_at,
            new.origin.made_by,
            new.origin.own_since,
            new.origin.lent_by,
            new.account,
        ),
    )


async def take_code(
    conn: Connection, channel: str, account: str, hash_: bytes, now: datetime
) -> tuple[UUID, Provenance] | None:
    """Whose it is, once: of two that take it at the same time, one gets nothing. An account that it is not for leaves
    it as it was."""
    found = await conn.execute(
        """
        DELETE FROM link_codes
        WHERE hash = %s AND channel = %s AND expires_at > %s AND (account IS NULL OR account = %s)
        RETURNING principal_id, made_by, own_since, lent_by
        """,
        (hash_, channel, now, account),
    )
    row = await found.fetchone()
    return (row["principal_id"], origin_of(row)) if row else None


async def insert(conn: Connection, new: LinkedAccount, secret: bytes | None = None) -> bool:
    """Whether it could be: an account is one person's, and a person has one of a channel. `secret` is sealed."""
    origin = new.origin
    try:
        async with conn.transaction():
            await conn.execute(
                """
                INSERT INTO linked_accounts
                  (id, channel, account, principal_id, linked_at, made_by, own_since, lent_by, secret)
                VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
                """,
                (
                    new.id,
                    new.channel,
                    new.account,
                    new.principal.id,
                    new.linked_at,
                    origin.made_by,
                    origin.own_since,
                    origin.lent_by,
                    secret,
                ),
            )
            await conn.execute(
                "INSERT INTO account_history (link_id, channel, account) VALUES (%s, %s, %s)",
                (new.id, new.channel, new.account),
            )
    except UniqueViolation:
        return False
    return True


async def of_account(conn: Connection, channel: str, account: str) -> LinkedAccount | None:
    row = await (await conn.execute(_SELECT + "WHERE a.channel = %s AND a.account = %s", (channel, account))).fetchone()
    return _linked(row) if row else None


async def secret(conn: Connection, channel: str, id_: UUID) -> bytes | None:
    """As it was sealed."""
    found = await conn.execute("SELECT secret FROM linked_accounts WHERE channel = %s AND id = %s", (channel, id_))
    row = await found.fetchone()
    return bytes(row["secret"]) if row and row["secret"] else None


async def of_people(conn: Connection, channel: str, people: Collection[UUID]) -> list[LinkedAccount]:
    """Of those who are active, in the order of the people's ids."""
    rows = await conn.execute(
        _SELECT + "WHERE a.channel = %s AND p.active AND p.id = ANY(%s) ORDER BY p.id", (channel, list(people))
    )
    return [_linked(row) for row in await rows.fetchall()]


async def of_person(conn: Connection, principal_id: UUID) -> list[LinkedAccount]:
    rows = await conn.execute(_SELECT + "WHERE p.id = %s ORDER BY a.linked_at", (principal_id,))
    return [_linked(row) for row in await rows.fetchall()]


async def remove(conn: Connection, id_: UUID, principal_id: UUID) -> str | None:
    """The channel of the one that was removed."""
    found = await conn.execute(
        "DELETE FROM linked_accounts WHERE id = %s AND principal_id = %s RETURNING channel", (id_, principal_id)
    )
    row = await found.fetchone()
    return row["channel"] if row else None
