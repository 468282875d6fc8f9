"""Principals as rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import sql
from psycopg.errors import UniqueViolation

from handrail.core import errors
from handrail.core.credentials import Provenance
from handrail.core.ids import PrincipalId
from handrail.core.people import ADMINISTRATOR, Account, Principal, PrincipalKind
from handrail.store.database import Connection


class Standing(NamedTuple):
    """What has to be looked at before a person is believed to be who they were: whether their provider must be asked
    again, and whether they stand in for somebody."""

    provider_due: bool = True
    stands_in: bool = True


STANDING = sql.SQL(
    """
  EXISTS (SELECT FROM sso_identities i WHERE i.principal_id = p.id AND i.ask_at <= (SELECT handrail_now()))
    AS provider_due,
  EXISTS (SELECT FROM absences a WHERE a.stand_in_id = p.id AND a.ended_at IS NULL
    AND a.ends_at > (SELECT handrail_now())) AS stands_in
"""
)
"""Of a principal `p`, in the statement that reads the credential."""


def standing_of(row: Mapping[str, Any]) -> Standing:
    return Standing(row["provider_due"], row["stands_in"])


def principal_of(row: dict[str, Any]) -> Principal:
    """From a row with the columns of a principal, `id` called `principal_id`."""
    return Principal(
        PrincipalId(row["principal_id"]),
        row["name"],
        PrincipalKind(row["kind"]),
        frozenset(row["roles"]),
        row["active"],
    )


def origin_of(row: dict[str, Any]) -> Provenance:
    return Provenance(row["made_by"], row["own_since"], row["lent_by"])


def _account(row: dict[str, Any]) -> Account:
    return Account(
        principal_of(row),
        row["created_at"],
        row["password_hash"],
        row["email"],
        origin_of(row),
        row["trusted_claims"],
    )


_SELECT = """
  SELECT id AS principal_id, name, kind, roles, active, created_at, password_hash, email, made_by, own_since, lent_by,
    trusted_claims
  FROM principals
  """


async def insert(conn: Connection, account: Account) -> None:
    """`NameTaken` where another has the name, in any case of letters."""
    who = account.principal
    try:
        await conn.execute(
            """
            INSERT INTO principals (id, name, kind, roles, active, created_at, password_hash, email, made_by)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
            """,
            (
                who.id,
                who.name,
                who.kind,
                sorted(who.roles),
                who.active,
                account.created_at,
                account.password_hash,
                account.email,
                account.password_origin.made_by,
            ),
        )
    except UniqueViolation:
        raise errors.NameTaken(f"The name {who.name!r} is already in use; choose another.") from None


async def save(conn: Connection, account: Account) -> None:
    who, origin = account.principal, account.password_origin
    await conn.execute(
        """
        UPDATE principals SET roles = %s, active = %s, email = %s, trusted_claims = %s,
          password_hash = %s, made_by = %s, own_since = %s, lent_by = %s
        WHERE id = %s
        """,
        (
            sorted(who.roles),
            who.active,
            account.email,
            account.trusted_claims,
            account.password_hash,
            origin.made_by,
            origin.own_since,
            origin.lent_by,
            who.id,
        ),
    )


async def get(conn: Connection, principal_id: UUID) -> Account | None:
    found = await conn.execute(_SELECT + "WHERE id = %s", (principal_id,))
    row = await found.fetchone()
    return _account(row) if row else None


async def steady(conn: Connection, principal_id: UUID) -> Account | None:
    """The account, which nobody changes until this transaction ends."""
    found = await conn.execute(_SELECT + "WHERE id = %s FOR SHARE", (principal_id,))
    row = await found.fetchone()
    return _account(row) if row else None


async def by_name(conn: Connection, name: str) -> Account | None:
    found = await conn.execute(_SELECT + "WHERE lower(name) = lower(%s)", (name,))
    row = await found.fetchone()
    return _account(row) if row else None


async def lock(conn: Connection, principal_id: UUID) -> Account | None:
    """The account, and no other transaction changes it or any administrator until this one ends."""
    await conn.execute(
        """
        SELECT FROM principals WHERE id = %s OR (kind = 'person' AND active AND roles @> %s)
        ORDER BY id FOR NO KEY UPDATE
        """,
        (principal_id, [ADMINISTRATOR]),
    )
    return await get(conn, principal_id)


async def other_administrators(conn: Connection, principal_id: UUID) -> bool:
    """Local ones: whom a company's sign-in vouches for cannot get in when it is down."""
    found = await conn.execute(
        """
        SELECT FROM principals p WHERE id <> %s AND kind = 'person' AND active AND roles @> %s
          AND NOT EXISTS (SELECT FROM sso_identities i WHERE i.principal_id = p.id) LIMIT 1
        """,
        (principal_id, [ADMINISTRATOR]),
    )
    return await found.fetchone() is not None


async def administrators(conn: Connection) -> list[Principal]:
    """The active ones, oldest first."""
    found = await conn.execute(
        _SELECT + "WHERE kind = 'person' AND active AND roles @> %s ORDER BY id", ([ADMINISTRATOR],)
    )
    return [principal_of(row) for row in await found.fetchall()]


async def with_roles(conn: Connection, roles: Collection[str]) -> list[Principal]:
    """Active persons who have one of these."""
    found = await conn.execute(_SELECT + "WHERE kind = 'person' AND active AND roles && %s", (sorted(roles),))
    return [principal_of(row) for row in await found.fetchall()]


async def persons(conn: Connection, ids: Collection[UUID]) -> list[Principal]:
    """Those of them who are persons, and active."""
    found = await conn.execute(_SELECT + "WHERE kind = 'person' AND active AND id = ANY(%s) ORDER BY id", (list(ids),))
    return [principal_of(row) for row in await found.fetchall()]


async def addressed(conn: Connection, ids: Collection[UUID]) -> list[Account]:
    """Those of them who are active persons with an address."""
    found = await conn.execute(
        _SELECT + "WHERE kind = 'person' AND active AND email IS NOT NULL AND id = ANY(%s) ORDER BY id", (list(ids),)
    )
    return [_account(row) for row in await found.fetchall()]


async def persons_called(conn: Connection, called: Collection[str]) -> list[Principal]:
    """Active persons of these names, in any case of letters."""
    found = await conn.execute(
        _SELECT + "WHERE kind = 'person' AND active AND lower(name) = ANY(%s)", ([name.lower() for name in called],)
    )
    return [principal_of(row) for row in await found.fetchall()]


async def claims_are_trusted(conn: Connection, principal_id: UUID) -> bool:
    """Whether what this one claims counts as a fact; never what an agent does."""
    found = await conn.execute(
        "SELECT FROM principals WHERE id = %s AND trusted_claims AND active AND kind <> 'agent'", (principal_id,)
    )
    return await found.fetchone() is not None


async def any_person(conn: Connection) -> bool:
    found = await conn.execute("SELECT FROM principals WHERE kind = 'person' LIMIT 1")
    return await found.fetchone() is not None


async def page(conn: Connection, after: UUID | None, limit: int) -> list[Account]:
    """Oldest first."""
    found = await conn.execute(
        _SELECT + "WHERE %(after)s::uuid IS NULL OR id > %(after)s ORDER BY id LIMIT %(limit)s",
        {"after": after, "limit": limit},
    )
    return [_account(row) for row in await found.fetchall()]


async def lock_all(conn: Connection) -> None:
    """Nobody else adds a principal until this transaction ends."""
    await conn.execute("LOCK TABLE principals IN SHARE ROW EXCLUSIVE MODE")
