"""The audit log as people read it: newest first, narrowed, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import sql
from psycopg.rows import DictRow

from handrail.store.database import Connection

# how many entries a page looks through for a text, which no index finds; the next page goes on from there
MOST_SEARCHED = 20_000


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """Which entries: all of what is given must fit. `type` is the beginning of one, such as `hold.`; `agent` opened
    the hold or carries the run; `text` is anywhere in the data, in the hold's title or in the actor's name."""

    hold_id: UUID | None = None
    run_id: UUID | None = None
    actor_id: UUID | None = None
    type: str | None = None
    agent_id: UUID | None = None
    action: str | None = None
    text: str | None = None
    since: datetime | None = None
    until: datetime | None = None


class EntryPage(NamedTuple):
    """`next` is what the following page begins below; nothing where there is none."""

    rows: Sequence[DictRow]
    next: int | None


async def page(conn: Connection, narrowed: EntryFilter, before: int | None, limit: int) -> EntryPage:
    """At most `limit` entries below the number `before`, newest first; fewer where a text is seldom."""
    values: dict[str, Any] = {name: getattr(narrowed, name) for name in EntryFilter.__dataclass_fields__}
    values |= {"before": before}
    values |= {"limit": limit, "most": MOST_SEARCHED}
    where = sql.SQL(" AND ").join([sql.SQL("true"), *(_TESTS[name] for name in _TESTS if values[name] is not None)])
    query = _PAGE.format(
        where=where,
        found=sql.SQL("true") if narrowed.text is None else _TEXT,
        searched=sql.SQL("%(limit)s" if narrowed.text is None else "%(most)s"),
    )
    if narrowed.text is not None:
        values["text"] = f"%{_literal(narrowed.text)}%"
    rows = await (await conn.execute(query, values)).fetchall()
    if len(rows) == limit:
        return EntryPage(rows, rows[-1]["seq"])
    if narrowed.text is None:
        return EntryPage(rows, None)
    last = await (await conn.execute(_LAST.format(where=where), values)).fetchone()
    return EntryPage(rows, last["seq"] if last else None)


def _literal(text: str) -> str:
    for special in ("\\", "%", "_"):
        text = text.replace(special, f"\\{special}")
    return text


_TESTS: dict[str, sql.Composable] = {
    "hold_id": sql.SQL("e.hold_id = %(hold_id)s"),
    "run_id": sql.SQL("e.run_id = %(run_id)s"),
    "actor_id": sql.SQL("e.actor_id = %(actor_id)s"),
    "type": sql.SQL("starts_with(e.type, %(type)s)"),
    "agent_id": sql.SQL("(e.opener_id = %(agent_id)s OR r.agent_id = %(agent_id)s)"),
    "action": sql.SQL("h.action = %(action)s"),
    "since": sql.SQL("e.at >= %(since)s"),
    "until": sql.SQL("e.at < %(until)s"),
    "before": sql.SQL("e.seq < %(before)s"),
}
_FROM = "events e LEFT JOIN holds h ON h.id = e.hold_id LEFT JOIN runs r ON r.id = e.run_id"
_TEXT = sql.SQL(
    "(data::text ILIKE %(text)s OR title ILIKE %(text)s OR actor_id IN "
    "(SELECT id FROM principals WHERE name ILIKE %(text)s))"
)
_PAGE = sql.SQL(
    f"""
    SELECT * FROM (
      SELECT e.seq, e.at, e.type, e.actor_id, e.hold_id, e.run_id, e.case_id, e.data::jsonb AS data, e.hash,
        h.title, h.number AS hold_number, r.number AS run_number
      FROM {_FROM} WHERE {{where}} ORDER BY e.seq DESC LIMIT {{searched}}
    ) AS searched WHERE {{found}} ORDER BY seq DESC LIMIT %(limit)s
    """  # noqa: S608 - its parts are written here
)
# the last entry that was looked at, where there may be others behind it
_LAST = sql.SQL(f"SELECT e.seq FROM {_FROM} WHERE {{where}} ORDER BY e.seq DESC OFFSET %(most)s - 1 LIMIT 1")  # noqa: S608 - written here
