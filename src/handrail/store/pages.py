"""Lists of holds: only what the viewer may see, in exact index ranges, page by page.

A viewer's holds are a union of sources (each audience of the viewer's roles, holds opened, runs started), and every
source is read in order and no further than the page is long: so a page costs the same with a thousand holds waiting
and with a million.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from psycopg import sql

from handrail.core import errors, ids
from handrail.core.holds import Hold, Kind, Status
from handrail.core.people import Principal
from handrail.core.risk import Level
from handrail.store import absences, cursors, holds, needing
from handrail.store.database import Connection
from handrail.store.needing import View
from handrail.store.words import words

COUNT_LIMIT = 10_000
# words that no more holds have are looked for first, and by themselves
RARE = 1_000


@dataclass(frozen=True, slots=True)
class Filters:
    """What to list. `status` nothing: all that the view has. `of_runs`: only holds that some run waits for. `oldest`:
    those first. `action` is a name with `*` for anything. `assignee` is a person, or nobody."""

    status: Status | None = Status.pending
    kind: Kind | None = None
    level: Level | None = None
    case_id: str | None = None
    run_id: UUID | None = None
    mine: bool = False
    text: str | None = None
    of_runs: bool = False
    oldest: bool = False
    ids: tuple[UUID, ...] | None = None
    view: View | None = None
    opener: UUID | None = None
    action: str | None = None
    opened_after: datetime | None = None
    opened_before: datetime | None = None
    assignee: UUID | Literal["nobody"] | None = None

    @property
    def statuses(self) -> tuple[Status, ...]:
        shown = tuple(Status) if self.view is None else self.view.statuses
        return shown if self.status is None else tuple(each for each in shown if each is self.status)


@dataclass(frozen=True, slots=True)
class Page:
    holds: list[Hold]
    next: str | None


async def page(conn: Connection, viewer: Principal, filters: Filters, cursor: str | None, limit: int) -> Page:
    """Pending holds by urgency (risk, then deadline), any others newest first; or the oldest first."""
    order = _order(filters)
    after = order.parse(cursor) if cursor else None
    conditions, values = _conditions(await _by_rare_words(conn, filters))
    if after is not None:
        conditions.append(order.after)
        values.update(after)
    sources = await _sources(conn, viewer, filters, values)
    if not sources:
        return Page([], None)
    parts = [
        sql.SQL(
            "(SELECT id, {keys}, state, number, run_number FROM holds WHERE {where} ORDER BY {order} LIMIT %(limit)s)"
        ).format(keys=order.keys, where=sql.SQL(" AND ").join([source, *conditions]), order=order.order)
        for source in sources
    ]
    query = sql.SQL(
        "SELECT DISTINCT ON ({keys}, id) id, {shown}, state::text AS state, number, run_number "
        "FROM ({parts}) AS found "
        "ORDER BY {order} LIMIT %(limit)s"
    ).format(
        keys=order.keys,
        shown=order.shown,
        order=order.order,
        parts=sql.SQL(" UNION ALL ").join(parts),
    )
    rows = await (await conn.execute(query, {**values, "limit": limit + 1})).fetchall()
    more = rows[limit - 1] if len(rows) > limit else None
    return Page([holds.read(row) for row in rows[:limit]], order.cursor(more) if more else None)


async def count(conn: Connection, viewer: Principal, filters: Filters) -> dict[Level, int]:
    """Pending holds by level for the same filters, each counted to one above COUNT_LIMIT at the most."""
    filters = await _by_rare_words(conn, filters)
    conditions, values = _conditions(filters)
    sources = await _sources(conn, viewer, filters, values)
    counts = dict.fromkeys(Level, 0)
    if not sources:
        return counts
    if filters.ids is not None:
        query = sql.SQL("SELECT urgency, count(*) AS n FROM holds WHERE {} GROUP BY urgency").format(
            _any_of(sources, conditions)
        )
        found = {row["urgency"]: row["n"] for row in await (await conn.execute(query, values)).fetchall()}
        return {level: found.get(Level.critical.rank - level.rank, 0) for level in Level}
    for level in Level:
        if filters.level not in (None, level):
            continue
        parts = [
            sql.SQL("(SELECT id FROM holds WHERE {where} LIMIT %(limit)s)").format(
                where=sql.SQL(" AND ").join([source, *conditions, sql.SQL("urgency = %(urgency)s")])
            )
            for source in sources
        ]
        union = sql.SQL(" UNION ").join(parts)
        query = sql.SQL("SELECT count(*) AS n FROM (SELECT id FROM ({}) AS u LIMIT %(limit)s) AS found").format(union)
        urgency = Level.critical.rank - level.rank
        row = await (await conn.execute(query, {**values, "urgency": urgency, "limit": COUNT_LIMIT + 1})).fetchone()
        assert row is not None
        counts[level] = row["n"]
    return counts


async def total(conn: Connection, viewer: Principal, filters: Filters) -> int:
    """How many there are, exactly: for filters that an index of their own answers, such as a case."""
    conditions, values = _conditions(filters)
    ways = await _sources(conn, viewer, filters, values)
    if not ways:
        return 0
    query = sql.SQL("SELECT count(*) AS n FROM holds WHERE {}").format(_any_of(ways, conditions))
    found = await conn.execute(query, values)
    row = await found.fetchone()
    assert row is not None
    return row["n"]


def _any_of(sources: list[sql.Composable], conditions: list[sql.Composable]) -> sql.Composable:
    """Holds of several sources once: for few holds, as it reads further than a page is long."""
    seen = sql.SQL(" OR ").join(sql.SQL("({})").format(source) for source in sources)
    return sql.SQL(" AND ").join([sql.SQL("({})").format(seen), *conditions])


async def _by_rare_words(conn: Connection, filters: Filters) -> Filters:
    """The same with ids in place of the text, where few holds have its words: with 100,000 pending, a list takes 2 ms
    in place of 20, and its counts as long in place of 45."""
    sought = _sought(filters.text or "")
    if not sought or _number(filters) is not None:
        return filters
    found = await conn.execute("SELECT handrail_holds_with(to_tsquery('simple', %s), %s) AS id", (sought, RARE + 1))
    few = [row["id"] for row in await found.fetchall()]
    if len(few) > RARE:
        return filters
    return replace(filters, text=None, ids=tuple(few if filters.ids is None else set(few).intersection(filters.ids)))


def _number(filters: Filters) -> int | None:
    return ids.number_in("H", (filters.text or "").strip())


def _conditions(filters: Filters) -> tuple[list[sql.Composable], dict[str, Any]]:
    values: dict[str, Any] = {
        "kind": filters.kind,
        "urgency_only": None if filters.level is None else Level.critical.rank - filters.level.rank,
        "case_id": filters.case_id,
        "run_id": filters.run_id,
        "of_runs": filters.of_runs or None,
        "number": _number(filters),
        "ids": None if filters.ids is None else list(filters.ids),
        "opener": filters.opener,
        "action": None if filters.action is None else absences.like(filters.action),
        "opened_after": filters.opened_after,
        "opened_before": filters.opened_before,
        "assignee": None if filters.assignee == "nobody" else filters.assignee,
        "unassigned": filters.assignee == "nobody" or None,
    }
    if values["number"] is None:
        values["text"] = _sought(filters.text or "") or None
    tests: dict[str, sql.Composable] = {
        "kind": sql.SQL("kind = %(kind)s"),
        "urgency_only": sql.SQL("urgency = %(urgency_only)s"),
        "case_id": sql.SQL("case_id = %(case_id)s"),
        "run_id": sql.SQL("run_id = %(run_id)s"),
        "of_runs": sql.SQL("run_id IS NOT NULL"),
        "number": sql.SQL("number = %(number)s"),
        "ids": sql.SQL("id = ANY(%(ids)s)"),
        "opener": sql.SQL("opener_id = %(opener)s"),
        "action": sql.SQL("action LIKE %(action)s"),
        "opened_after": sql.SQL("opened_at >= %(opened_after)s"),
        "opened_before": sql.SQL("opened_at < %(opened_before)s"),
        "assignee": sql.SQL("id IN (SELECT hold_id FROM assignees WHERE principal_id = %(assignee)s)"),
        "unassigned": sql.SQL("NOT EXISTS (SELECT FROM assignees WHERE hold_id = holds.id)"),
        "text": sql.SQL("search @@ to_tsquery('simple', %(text)s)"),
    }
    return [tests[name] for name, value in values.items() if value is not None], values


def _sought(text: str) -> str:
    """Every word must be there; each may be the beginning of a longer one."""
    return " & ".join(f"{word}:*" for word in words(text)[:20])


async def _sources(
    conn: Connection, viewer: Principal, filters: Filters, values: dict[str, Any]
) -> list[sql.Composable]:
    """The ways in which holds are the viewer's to see, each as a condition that one index answers."""
    match filters.view:
        case View.needs_me | View.snoozed:
            values["viewer"] = viewer.id
            found = await needing.ways(conn, viewer, snoozed=filters.view is View.snoozed)
        case View.waiting:
            found = await needing.others(conn, viewer, await ways(conn, viewer, values, mine=filters.mine))
        case View.mine | View.done | None:
            found = await ways(conn, viewer, values, mine=filters.mine or filters.view is View.mine)
    # a literal status lets the planner use the partial index
    return [sql.SQL("{} AND status = {}").format(way, status.value) for way in found for status in filters.statuses]


async def ways(
    conn: Connection, viewer: Principal, values: dict[str, Any], *, mine: bool = False
) -> list[sql.Composable]:
    """The same whatever their status. What the conditions need is added to the values."""
    values["viewer"] = viewer.id
    found: list[sql.Composable] = []
    if mine or not viewer.reads_all:
        found.append(sql.SQL("opener_id = %(viewer)s"))
        found.append(sql.SQL("starter_id = %(viewer)s"))
    if viewer.is_person and not mine:
        found += [
            sql.SQL("audience_id = {}").format(audience)
            for audience in await needing.audiences(conn, viewer.roles, everything=viewer.reads_all)
        ]
        if not viewer.reads_all:
            for absent in viewer.stands_in:
                found += await needing.stood_in(conn, absent)
    return found


def _order(filters: Filters) -> _ByUrgency | _Newest | _Oldest:
    if filters.oldest:
        return _Oldest()
    return _ByUrgency() if filters.statuses == (Status.pending,) else _Newest()


class _ByUrgency:
    keys = sql.SQL("urgency, due_at")
    # as text, because Python has no infinite time
    shown = sql.SQL("urgency, due_at::text AS due_text")
    order = sql.SQL("urgency, due_at, id")
    after = sql.SQL("(urgency, due_at, id) > (%(c_urgency)s, %(c_due_at)s::timestamptz, %(c_id)s)")

    def cursor(self, row: dict[str, Any]) -> str:
        return cursors.pack(["u", row["urgency"], row["due_text"], str(row["id"])])

    def parse(self, cursor: str) -> dict[str, Any]:
        urgency, due_at, hold_id = cursors.unpack(cursor, "u", 3)
        if not isinstance(urgency, int):
            raise errors.BadCursor()
        return {
            "c_urgency": urgency,
            "c_due_at": due_at if due_at == "infinity" else cursors.time(due_at),
            "c_id": cursors.uuid(hold_id),
        }


class _Newest:
    keys = shown = sql.SQL("opened_at")
    order = sql.SQL("opened_at DESC, id DESC")
    after = sql.SQL("(opened_at, id) < (%(c_opened_at)s::timestamptz, %(c_id)s)")

    def cursor(self, row: dict[str, Any]) -> str:
        return cursors.pack(["n", row["opened_at"].isoformat(), str(row["id"])])

    def parse(self, cursor: str) -> dict[str, Any]:
        opened_at, hold_id = cursors.unpack(cursor, "n", 2)
        return {"c_opened_at": cursors.time(opened_at), "c_id": cursors.uuid(hold_id)}


class _Oldest:
    keys = shown = sql.SQL("opened_at")
    order = sql.SQL("opened_at, id")
    after = sql.SQL("(opened_at, id) > (%(c_opened_at)s::timestamptz, %(c_id)s)")

    def cursor(self, row: dict[str, Any]) -> str:
        return cursors.pack(["o", row["opened_at"].isoformat(), str(row["id"])])

    def parse(self, cursor: str) -> dict[str, Any]:
        opened_at, hold_id = cursors.unpack(cursor, "o", 2)
        return {"c_opened_at": cursors.time(opened_at), "c_id": cursors.uuid(hold_id)}
