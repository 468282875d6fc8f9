"""What an oversight report needs of the log: entries of a period that auditors ask about, and where the period lies."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from handrail.store.database import Connection

# of each kind the newest; the report says how many there were
MOST = 200


@dataclass(frozen=True, slots=True)
class Noted:
    """One entry, with the hold that it is about."""

    seq: int
    at: datetime
    type: str
    actor_id: UUID | None
    hold_id: UUID | None
    number: int | None
    title: str | None
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Stretch:
    """The entries of a period: the first, the last, how many, and how many of each type."""

    first: int | None
    last: int | None
    entries: int
    types: dict[str, int]


async def stretch(conn: Connection, since: datetime, until: datetime) -> Stretch:
    rows = await (await conn.execute(_TYPES, (since, until))).fetchall()
    return Stretch(
        min((row["first"] for row in rows), default=None),
        max((row["last"] for row in rows), default=None),
        sum(row["count"] for row in rows),
        {row["type"]: row["count"] for row in rows},
    )


async def exceptions(conn: Connection, since: datetime, until: datetime) -> tuple[int, list[Noted]]:
    """What did not go the usual way: refused, expired, withdrawn, void, escalated, failed, warned about, or found in a
    sample."""
    rows = await (await conn.execute(_EXCEPTIONS, {"since": since, "until": until, "most": MOST})).fetchall()
    found = sorted(map(_noted, rows), key=lambda one: -one.seq)
    return (rows[0]["total"] if rows else 0), found


async def steering(conn: Connection, since: datetime, until: datetime) -> tuple[int, list[Noted]]:
    """What people did to the rules of the house: policies, brakes, observing, grants, roles, stand-ins, and links and
    tokens for others."""
    rows = await (await conn.execute(_STEERING, {"since": since, "until": until, "most": MOST})).fetchall()
    return (rows[0]["total"] if rows else 0), [_noted(row) for row in rows]


async def verdicts(conn: Connection, since: datetime, until: datetime) -> dict[UUID, dict[str, int]]:
    """How often each person said what, on holds that were opened in the period."""
    found: dict[UUID, dict[str, int]] = {}
    for row in await (await conn.execute(_VERDICTS, (since, until))).fetchall():
        found.setdefault(row["actor_id"], {})[row["verdict"]] = row["count"]
    return found


def _noted(row: dict[str, Any]) -> Noted:
    return Noted(*(row[name] for name in Noted.__dataclass_fields__))


_TYPES = """
  SELECT type, count(*) AS count, min(seq) AS first, max(seq) AS last FROM events
  WHERE at >= %s AND at < %s GROUP BY type
"""
_NOTED = """
  SELECT e.seq, e.at, e.type, e.actor_id, e.hold_id, h.number, h.title, e.data, count(*) OVER () AS total
  FROM events e LEFT JOIN holds h ON h.id = e.hold_id WHERE e.at >= %(since)s AND e.at < %(until)s AND
"""
_EXCEPTIONS = (
    _NOTED
    + """
  (e.type IN ('hold.reopened', 'hold.withdrawn', 'hold.escalated', 'hold.warned')
    OR e.type = 'hold.decided' AND e.data ->> 'outcome' IN ('rejected', 'expired', 'cancelled')
    OR e.type = 'hold.resulted' AND e.data ->> 'outcome' <> 'succeeded'
    OR e.type = 'hold.sampled' AND e.data ->> 'finding' = 'true'
    OR e.type = 'session.break_glass')
  ORDER BY e.type IN ('hold.escalated', 'hold.resulted')
      OR e.type = 'hold.decided' AND e.data ->> 'outcome' IN ('expired', 'cancelled'), e.seq DESC LIMIT %(most)s
"""
)
# last comes what an agent can cause as often as it likes: a flood of it keeps nothing else out of the list
_STEERING = (
    _NOTED
    + """
  (e.type IN ('policy.applied', 'brake.set', 'brake.lifted', 'agent.observed', 'agent.enforced', 'grant.proposed',
    'grant.ended', 'person.added', 'person.changed', 'person.sso_roles_changed', 'person.passkey_removed',
    'absence.set', 'absence.ended', 'backup.restored')
    OR e.type LIKE 'audit.%%'
    OR e.type IN ('link.made', 'token.made', 'token.changed')
      AND e.actor_id::text IS DISTINCT FROM e.data ->> 'principal')
  ORDER BY e.seq DESC LIMIT %(most)s
"""
)
_VERDICTS = """
  SELECT e.actor_id, CASE e.type WHEN 'hold.amended' THEN 'amend' ELSE e.data ->> 'verdict' END AS verdict,
    count(*) AS count
  FROM holds h JOIN events e ON e.hold_id = h.id
  WHERE h.opened_at >= %s AND h.opened_at < %s AND e.actor_id IS NOT NULL
    AND (e.type = 'hold.amended' OR e.type = 'hold.reviewed' AND e.data ->> 'verdict' IS NOT NULL)
  GROUP BY 1, 2
"""
