"""Absences as rows, and the lock by which one ends at a moment."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from psycopg import sql

from handrail.core.absences import Absence, Scope, StandIn
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal
from handrail.core.risk import Level
from handrail.store import locks
from handrail.store.database import Connection
from handrail.store.locks import Lock

# in force, and its stand-in is not away as well: what was handed on once is not handed on again
_IN_FORCE = sql.SQL(
    """
  a.ended_at IS NULL AND a.starts_at <= handrail_now() AND a.ends_at > handrail_now()
  AND NOT EXISTS (
    SELECT FROM absences b WHERE b.person_id = a.stand_in_id AND b.ended_at IS NULL
      AND b.starts_at <= handrail_now() AND b.ends_at > handrail_now()
  )
  """
)


async def stand_back(conn: Connection) -> None:
    """Taken by whoever decides for somebody else, before they look: an absence does not end between look and commit."""
    await locks.take_shared(conn, Lock.absences)


async def clear_the_way(conn: Connection) -> None:
    """Taken by whoever sets or ends an absence, or changes what somebody may do: after it, nobody is still deciding by
    what was before. No row of a principal is locked after it, so that it can come after such a lock."""
    await locks.take(conn, Lock.absences)


async def insert(conn: Connection, new: Absence) -> None:
    await conn.execute(
        """
        INSERT INTO absences
          (id, person_id, stand_in_id, starts_at, ends_at, levels, actions, cases, set_by, set_at, reason)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (
            new.id,
            new.person,
            new.stand_in,
            new.starts_at,
            new.ends_at,
            sorted(new.scope.levels),
            list(new.scope.actions),
            list(new.scope.cases),
            new.set_by,
            new.set_at,
            new.reason,
        ),
    )


async def get(conn: Connection, absence_id: UUID) -> Absence | None:
    row = await (await conn.execute("SELECT * FROM absences WHERE id = %s", (absence_id,))).fetchone()
    return _absence(row) if row else None


async def end(conn: Connection, absence_id: UUID, by: UUID, at: datetime) -> bool:
    """Whether it had not ended before."""
    done = await conn.execute(
        "UPDATE absences SET ended_at = %s, ended_by = %s WHERE id = %s AND ended_at IS NULL AND ends_at > %s",
        (at, by, absence_id, at),
    )
    return bool(done.rowcount)


async def end_all_of(conn: Connection, principal_id: UUID, by: UUID, at: datetime) -> list[Absence]:
    """Those in which this person is away or stands in."""
    rows = await conn.execute(
        """
        UPDATE absences SET ended_at = %(at)s, ended_by = %(by)s
        WHERE ended_at IS NULL AND ends_at > %(at)s AND %(id)s IN (person_id, stand_in_id) RETURNING *
        """,
        {"at": at, "by": by, "id": principal_id},
    )
    return [_absence(row) for row in await rows.fetchall()]


async def current(conn: Connection, now: datetime, concerning: UUID | None, at_most: int) -> list[Absence]:
    """Those that are on or planned, the next first; of everybody, or of one who is away or stands in."""
    rows = await conn.execute(
        """
        SELECT * FROM absences WHERE ended_at IS NULL AND ends_at > %(now)s
          AND (%(id)s::uuid IS NULL OR %(id)s IN (person_id, stand_in_id))
        ORDER BY starts_at, id LIMIT %(at_most)s
        """,
        {"now": now, "id": concerning, "at_most": at_most},
    )
    return [_absence(row) for row in await rows.fetchall()]


async def away_within(conn: Connection, person_id: UUID, since: datetime, until: datetime) -> bool:
    """Whether this person is away at any moment of that time."""
    found = await conn.execute(
        "SELECT FROM absences WHERE person_id = %s AND ended_at IS NULL AND starts_at < %s AND ends_at > %s LIMIT 1",
        (person_id, until, since),
    )
    return await found.fetchone() is not None


async def as_of_now(conn: Connection, who: Principal) -> Principal:
    """The same principal, with those for whom they stand in at this moment: none of it ends before this transaction
    does. One who stood in for nobody when they were identified still does not."""
    if not who.stands_in:
        return who
    await stand_back(conn)
    return replace(who, stands_in=await stood_in_for(conn, who.id))


async def stood_in_for(conn: Connection, stand_in_id: UUID) -> tuple[StandIn, ...]:
    """For whom this person decides now; whom the absent ones chose themselves comes first."""
    query = sql.SQL(
        """
        SELECT a.*, p.name, p.roles FROM absences a JOIN principals p ON p.id = a.person_id
        WHERE a.stand_in_id = %s AND p.kind = 'person' AND p.active AND {in_force}
        ORDER BY (a.set_by = a.person_id) DESC, p.id, a.id
        """
    )
    rows = await conn.execute(query.format(in_force=_IN_FORCE), (stand_in_id,))
    return tuple(_stand_in(row) for row in await rows.fetchall())


async def stood_in_by(conn: Connection, away: Collection[UUID]) -> list[tuple[UUID, StandIn]]:
    """Of these people those who are away now, each with who decides for them. Only active people do."""
    query = sql.SQL(
        """
        SELECT a.*, p.name, p.roles FROM absences a JOIN principals p ON p.id = a.person_id
          JOIN principals s ON s.id = a.stand_in_id
        WHERE a.person_id = ANY(%s) AND p.kind = 'person' AND p.active AND s.active AND {in_force}
        ORDER BY p.id, a.id
        """
    )
    rows = await conn.execute(query.format(in_force=_IN_FORCE), (list(away),))
    return [(row["stand_in_id"], _stand_in(row)) for row in await rows.fetchall()]


def covered(scope: Scope, table: LiteralString) -> sql.Composable:
    """The condition on holds that a stand-in with this scope decides, and so sees, as `core.authority` says it. For
    queries with parameters."""
    limits: list[sql.Composable] = [sql.SQL("stand_ins")]
    if scope.levels:
        limits.append(sql.SQL("level = ANY({})").format(_texts(sorted(scope.levels))))
    if scope.actions:
        limits.append(sql.SQL("action LIKE ANY({})").format(_texts(map(like, scope.actions))))
    if scope.cases:
        limits.append(sql.SQL("case_id = ANY({})").format(_texts(scope.cases)))
    return sql.SQL(" AND ").join(sql.SQL("{}.{}").format(sql.Identifier(table), limit) for limit in limits)


def _texts(texts: Iterable[str]) -> sql.Composable:
    """In a query with parameters a percent sign is written twice."""
    return sql.Literal([text.replace("%", "%%") for text in texts])


def like(pattern: str) -> str:
    """A name with `*` for anything, as LIKE reads it."""
    for special in ("\\", "%", "_"):
        pattern = pattern.replace(special, f"\\{special}")
    return pattern.replace("*", "%")


def _scope(row: dict[str, Any]) -> Scope:
    return Scope(frozenset(map(Level, row["levels"])), tuple(row["actions"]), tuple(row["cases"]))


def _absence(row: dict[str, Any]) -> Absence:
    return Absence(
        row["id"],
        PrincipalId(row["person_id"]),
        PrincipalId(row["stand_in_id"]),
        row["starts_at"],
        row["ends_at"],
        _scope(row),
        PrincipalId(row["set_by"]),
        row["set_at"],
        row["reason"],
        row["ended_at"],
        row["ended_by"],
    )


def _stand_in(row: dict[str, Any]) -> StandIn:
    own = row["set_by"] == row["person_id"]
    who = PrincipalId(row["person_id"])
    return StandIn(who, row["name"], frozenset(row["roles"]), _scope(row), row["ends_at"], own)
