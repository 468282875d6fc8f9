"""Append events to the inbox, inside the transaction of the command that they describe."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from psycopg import sql

from handrail.core.events import CATALOGUE, Event
from handrail.core.holds import Hold
from handrail.core.runs import Run
from handrail.store.database import Connection


@dataclass(frozen=True, slots=True)
class Subject:
    """What an event is about, and with that who may see it."""

    hold_id: UUID | None = None
    run_id: UUID | None = None
    case_id: str | None = None
    kind: str | None = None
    audience_id: int | None = None
    opener_id: UUID | None = None
    starter_id: UUID | None = None


def about(hold: Hold, audience_id: int) -> Subject:
    return Subject(hold.id, hold.run_id, hold.case_id, hold.question.kind, audience_id, hold.opener, hold.starter)


def of_run(run: Run) -> Subject:
    return Subject(run_id=run.id, opener_id=run.agent, starter_id=run.starter)


async def append(
    conn: Connection, events: Iterable[Event], at: datetime | None, subject: Subject | None = None
) -> None:
    """Only what a room declares, in this order. `at` nothing: the moment of the insert."""
    about_ = subject or Subject()
    said = list(events)
    values: list[object] = []
    for event in said:
        CATALOGUE.check(event)
        values += (
            at,
            event.type,
            event.actor,
            about_.hold_id,
            about_.run_id,
            about_.case_id,
            about_.kind,
            about_.audience_id,
            about_.opener_id,
            about_.starter_id,
            json.dumps(event.data, ensure_ascii=False),
        )
    if said:
        await conn.execute(_insert(len(said)), values)


@lru_cache
def _insert(rows: int) -> bytes:
    """Of so many at once: what a command says is seldom one event."""
    row = sql.SQL("(coalesce(%s, handrail_now()), %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)")
    insert = sql.SQL(
        """
        INSERT INTO event_inbox
          (at, type, actor_id, hold_id, run_id, case_id, kind, audience_id, opener_id, starter_id, data)
        VALUES {}
        """
    )
    # made into bytes here: psycopg would do that again for every command
    return insert.format(sql.SQL(", ").join([row] * rows)).as_bytes(None)
