"""Holds as rows: one hold at a time, for commands. Lists are in `store.pages`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from pydantic import TypeAdapter

from handrail.core import authority, ids
from handrail.core.holds import Hold
from handrail.core.ids import HoldId
from handrail.core.risk import Level
from handrail.store.database import Connection, Cursor
from handrail.store.locks import Lock
from handrail.store.words import words

_state: TypeAdapter[Hold] = TypeAdapter(Hold)
_MOST_URGENT = Level.critical.rank
_NUMBERS = {"number", "run_number"}


class LockedHold(NamedTuple):
    hold: Hold
    now: datetime


class Locked(NamedTuple):
    """A locked hold, and what was so once it was locked. `brake_id`: the brake that stops its opener. `roles`: those of
    the caller, nothing where that is no active person. `restored_at`: when a backup was last put back."""

    hold: Hold
    now: datetime
    brake_id: UUID | None
    roles: frozenset[str] | None
    restored_at: datetime | None


def read(row: Mapping[str, Any]) -> Hold:
    """Of a row with its `state`, and with its numbers where it is the hold's own."""
    hold = _state.validate_json(row["state"])
    return replace(hold, number=row["number"], run_number=row["run_number"]) if "number" in row else hold


async def insert(conn: Connection, hold: Hold, audience_id: int) -> Cursor:
    """Gives what `numbered` reads: the two are apart because this may be part of a pipeline."""
    return await conn.execute(
        """
        INSERT INTO holds (id, kind, title, action, case_id, run_id, opener_id, starter_id, opened_at, search,
          status, level, audience_id, stand_ins, spoken, barred, in_person, decided_at, urgency, due_at, alarm_at,
          state, run_number)
        VALUES (%(id)s, %(kind)s, %(title)s, %(action)s, %(case_id)s, %(run_id)s, %(opener_id)s, %(starter_id)s,
          %(opened_at)s, to_tsvector('simple', %(text)s), %(status)s, %(level)s, %(audience_id)s, %(stand_ins)s,
          %(spoken)s, %(barred)s, %(in_person)s, %(decided_at)s, %(urgency)s, %(due_at)s, %(alarm_at)s, %(state)s,
          (SELECT number FROM runs WHERE runs.id = %(run_id)s))
        RETURNING number, run_number
        """,
        {**_fixed(hold), **_changing(hold, audience_id)},
    )


async def numbered(inserted: Cursor, hold: Hold) -> Hold:
    """The hold as it was inserted, with the numbers that it got."""
    row = await inserted.fetchone()
    assert row is not None
    return replace(hold, number=row["number"], run_number=row["run_number"])


async def save(conn: Connection, hold: Hold, audience_id: int) -> None:
    await conn.execute(
        """
        UPDATE holds SET status = %(status)s, level = %(level)s, audience_id = %(audience_id)s,
          stand_ins = %(stand_ins)s, spoken = %(spoken)s, barred = %(barred)s, in_person = %(in_person)s,
          decided_at = %(decided_at)s, urgency = %(urgency)s, due_at = %(due_at)s, alarm_at = %(alarm_at)s,
          state = %(state)s, version = version + 1
        WHERE id = %(id)s
        """,
        {"id": hold.id, **_changing(hold, audience_id)},
    )


async def rewrite(conn: Connection, hold: Hold) -> None:
    """The state alone, where what is listed of it does not change."""
    await conn.execute("UPDATE holds SET state = %s WHERE id = %s", (_dump(hold), hold.id))


async def rewrite_revision(conn: Connection, hold: Hold) -> None:
    """The same of a revision that an amendment replaced."""
    await conn.execute(
        "UPDATE hold_revisions SET state = %s WHERE hold_id = %s AND revision = %s",
        (_dump(hold), hold.id, hold.revision),
    )


async def keep_revision(conn: Connection, replaced: Hold, at: datetime) -> None:
    """Keep the revision that an amendment replaces."""
    await conn.execute(
        "INSERT INTO hold_revisions (hold_id, revision, digest, state, replaced_at) VALUES (%s, %s, %s, %s, %s)",
        (replaced.id, replaced.revision, replaced.digest, _dump(replaced), at),
    )


async def revisions(conn: Connection, hold_id: HoldId) -> list[Hold]:
    """The revisions that were replaced, oldest first."""
    rows = await conn.execute(
        "SELECT state::text AS state FROM hold_revisions WHERE hold_id = %s ORDER BY revision", (hold_id,)
    )
    return [read(row) for row in await rows.fetchall()]


async def get(conn: Connection, hold_id: UUID) -> Hold | None:
    row = await (
        await conn.execute("SELECT state::text AS state, number, run_number FROM holds WHERE id = %s", (hold_id,))
    ).fetchone()
    return read(row) if row else None


async def id_of(conn: Connection, number: int) -> UUID | None:
    row = await (await conn.execute("SELECT id FROM holds WHERE number = %s", (number,))).fetchone()
    return row["id"] if row else None


async def short_ids(conn: Connection, hold_ids: Sequence[UUID]) -> dict[UUID, str]:
    rows = await conn.execute("SELECT id, number FROM holds WHERE id = ANY(%s)", (list(hold_ids),))
    return {row["id"]: ids.short("H", row["number"]) for row in await rows.fetchall()}


async def lock(conn: Connection, hold_id: UUID) -> LockedHold | None:
    """The hold, locked until the transaction ends, and the time read after the lock was had."""
    locked = await lock_for(conn, hold_id, None)
    return LockedHold(locked.hold, locked.now) if locked else None


async def lock_for(
    conn: Connection, hold_id: UUID, caller: UUID | None, *, brakes_stop_it: bool = False
) -> Locked | None:
    """The hold, locked until the transaction ends, and what a command of the caller needs to know. One that brakes stop
    has stood back from them, too."""
    found = await conn.execute(
        "SELECT * FROM handrail_lock_hold(%s, %s, %s)", (hold_id, caller, Lock.brake if brakes_stop_it else None)
    )
    row = await found.fetchone()
    assert row is not None
    if row["state"] is None:
        return None
    roles = None if row["roles"] is None else frozenset(row["roles"])
    return Locked(read(row), row["now"], row["brake_id"], roles, row["restored_at"])


async def lock_due(conn: Connection, at_most: int) -> list[LockedHold]:
    """Holds whose alarm has passed, locked; those that another sweep has are left to it."""
    rows = await conn.execute(
        """
        SELECT state::text AS state, number, run_number, handrail_now() AS now FROM holds
        WHERE alarm_at <= (SELECT handrail_now()) ORDER BY alarm_at LIMIT %s FOR UPDATE SKIP LOCKED
        """,
        (at_most,),
    )
    return [LockedHold(read(row), row["now"]) for row in await rows.fetchall()]


class Claim(NamedTuple):
    subject_id: UUID
    body_hash: str
    fresh: bool


async def claim_key(
    conn: Connection, principal_id: UUID, operation: str, key: str, body_hash: str, subject_id: UUID
) -> Claim:
    """Take an idempotency key for this subject, or learn what it was taken for. Waits for a concurrent claim."""
    taken = await conn.execute(
        """
        INSERT INTO idempotency_keys (principal_id, operation, key, body_hash, subject_id)
        VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
        """,
        (principal_id, operation, key, body_hash, subject_id),
    )
    if taken.rowcount:
        return Claim(subject_id, body_hash, True)
    found = await conn.execute(
        "SELECT subject_id, body_hash FROM idempotency_keys WHERE principal_id = %s AND operation = %s AND key = %s",
        (principal_id, operation, key),
    )
    row = await found.fetchone()
    assert row is not None, "keys are never deleted"
    return Claim(row["subject_id"], row["body_hash"], False)


def _fixed(hold: Hold) -> dict[str, Any]:
    question, action = hold.question, hold.question.action
    texts = (question.title, hold.description, action and action.name, action and action.target, hold.case_id)
    return {
        "id": hold.id,
        "kind": question.kind.value,
        "title": question.title,
        "action": action and action.name,
        "case_id": hold.case_id,
        "run_id": hold.run_id,
        "opener_id": hold.opener,
        "starter_id": hold.starter,
        "opened_at": hold.opened_at,
        "text": " ".join(words(" ".join(text for text in texts if text))),
    }


def _changing(hold: Hold, audience_id: int) -> dict[str, Any]:
    alarms = [hold.expires_at, hold.escalate_at if hold.escalated_at is None else None]
    needed = hold.assessment.requirements
    return {
        "status": hold.status.value,
        "level": hold.assessment.level.value,
        "audience_id": audience_id,
        "stand_ins": needed.stand_ins,
        "spoken": sorted(hold.spoken),
        "barred": sorted(authority.barred(hold)),
        "in_person": needed.own_credential or needed.passkey,
        "decided_at": hold.decision.at if hold.decision else None,
        "urgency": _MOST_URGENT - hold.assessment.level.rank,
        "due_at": hold.expires_at or "infinity",
        "alarm_at": min((at for at in alarms if at), default=None) if hold.pending else None,
        "state": _dump(hold),
    }


def _dump(hold: Hold) -> str:
    # numbers have columns of their own, which alone are true
    return _state.dump_json(hold, exclude=_NUMBERS).decode()
