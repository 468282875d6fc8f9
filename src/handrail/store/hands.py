"""By what people act, as rows: browsers and accounts elsewhere; and warnings where two people act by the same."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID

from handrail.store.database import Connection

Sign = Literal["browser", "authenticator", "account"]


class Hand(NamedTuple):
    """`mark` is the same for the same browser or account; `channel` is that of an account."""

    sign: Sign
    mark: str
    channel: str | None = None


class Warned(NamedTuple):
    sign: Sign
    people: list[UUID]
    channel: str | None
    at: datetime


async def of(conn: Connection, credentials: Collection[UUID], passkeys: Collection[UUID]) -> dict[UUID, Hand]:
    """What is known of these sign-ins, links and passkeys, by their id."""
    rows = await conn.execute(
        """
        SELECT id, 'browser' AS sign, encode(device, 'hex') AS mark, NULL AS channel
          FROM sign_ins WHERE id = ANY(%(credentials)s) AND device IS NOT NULL
        UNION ALL SELECT id, 'authenticator', encode(device, 'hex'), NULL
          FROM passkeys WHERE id = ANY(%(passkeys)s) AND device IS NOT NULL
        UNION ALL SELECT link_id, 'account', account, channel
          FROM account_history WHERE link_id = ANY(%(credentials)s)
        """,
        {"credentials": list(credentials), "passkeys": list(passkeys)},
    )
    return {row["id"]: Hand(row["sign"], row["mark"], row["channel"]) for row in await rows.fetchall()}


async def warn(conn: Connection, hold_id: UUID, warned: Warned) -> bool:
    """Whether nobody was warned of it before."""
    done = await conn.execute(
        """
        INSERT INTO hold_warnings (hold_id, sign, people, channel, at) VALUES (%s, %s, %s, %s, %s)
        ON CONFLICT DO NOTHING
        """,
        (hold_id, warned.sign, warned.people, warned.channel, warned.at),
    )
    return bool(done.rowcount)


async def warnings(conn: Connection, hold_id: UUID) -> list[Warned]:
    """Oldest first."""
    rows = await conn.execute(
        "SELECT sign, people, channel, at FROM hold_warnings WHERE hold_id = %s ORDER BY at, sign", (hold_id,)
    )
    return [Warned(**row) for row in await rows.fetchall()]
