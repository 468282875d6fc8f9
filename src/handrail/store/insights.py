"""How deciding goes, in figures: over the holds that a viewer may see, narrowed, and no more than the newest of them.

All of it is one statement: every figure of an answer is of the same moment and of the same holds. What narrows the
figures also lists their holds, so that a number always leads to exactly what it counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, LiteralString
from uuid import UUID

from psycopg import sql

from handrail.core.holds import DecisionBasis, Hold, Kind, Status
from handrail.core.people import Principal
from handrail.core.risk import Level
from handrail.store import holds, pages
from handrail.store.database import Connection

# the newest of a period: adding up as many takes some seconds
MOST_HOLDS = 500_000
# of agents, actions, rules and people; the others are added up
MOST_ROWS = 30
# upper ends of the ages of what waits, in seconds
AGES = (900, 3_600, 4 * 3_600, 86_400, 3 * 86_400)

Happening = Literal["escalated", "withdrawn", "reopened"]
Asked = Literal["people", "nobody"]


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Which holds. `person` reviewed them; `hour` and `weekday` (Monday is 1) are of such a review, in `zone`;
    `longer` and `shorter` are seconds from opening to decision, or to now."""

    since: datetime | None = None
    until: datetime | None = None
    zone: str = "UTC"
    agent: UUID | None = None
    action: str | None = None
    rule: str | None = None
    level: Level | None = None
    kind: Kind | None = None
    status: Status | None = None
    asked: Asked | None = None
    decided: DecisionBasis | None = None
    person: UUID | None = None
    happened: Happening | None = None
    hour: int | None = None
    weekday: int | None = None
    longer: float | None = None
    shorter: float | None = None


async def figures(
    conn: Connection, viewer: Principal, narrowed: Narrowed, *, unit: Literal["hour", "day", "week"], target: float
) -> dict[str, Any]:
    """As `_FIGURES` names them; `since` and `until` must be given."""
    values = _values(narrowed) | {"unit": unit, "target": target, "most": MOST_HOLDS, "rows": MOST_ROWS}
    seen = await _seen(conn, viewer, narrowed, values)
    # what waits now and what waited then is of every time and not of one outcome
    always = replace(narrowed, since=None, until=None, status=None)
    waiting = await _seen(conn, viewer, always, values)
    ages = sql.SQL(", ").join(sql.SQL("count(*) FILTER (WHERE bucket = {})").format(i) for i in range(len(AGES) + 1))
    query = _FIGURES.format(
        seen=seen,
        waiting=waiting,
        ages=ages,
        limits=sql.Literal(list(AGES)),
    )
    row = await (await conn.execute(query, values)).fetchone()
    assert row is not None
    return row["figures"]


async def listed(conn: Connection, viewer: Principal, narrowed: Narrowed, limit: int) -> list[Hold]:
    """The holds that the figures count, newest first."""
    values = _values(narrowed) | {"limit": limit}
    seen = await _seen(conn, viewer, narrowed, values)
    found = await conn.execute(_LISTED.format(seen=seen), values)
    return [holds.read(row) for row in await found.fetchall()]


def _values(narrowed: Narrowed) -> dict[str, Any]:
    return {name: getattr(narrowed, name) for name in Narrowed.__dataclass_fields__}


async def _seen(conn: Connection, viewer: Principal, narrowed: Narrowed, values: dict[str, Any]) -> sql.Composable:
    ways = [sql.SQL("true")] if viewer.reads_all else await pages.ways(conn, viewer, values)
    visible = sql.SQL(" OR ").join(sql.SQL("({})").format(way) for way in ways)
    given = [name for name in _TESTS if getattr(narrowed, name) is not None]
    return sql.SQL(" AND ").join([sql.SQL("({})").format(visible), *(_TESTS[name] for name in given)])


# in a query of its own the clock is read once, and not for each row
_NOW: LiteralString = "(SELECT handrail_now())"
_WAITED = f"extract(epoch FROM coalesce(decided_at, {_NOW}) - opened_at)"
_REVIEWS = "('hold.reviewed', 'hold.amended')"
# as the index of the events has them
_ACTS = "('hold.reviewed', 'hold.amended', 'hold.escalated', 'hold.withdrawn', 'hold.reopened')"
# people were asked unless the policy, or something that stands for it, decided at once
_ASKED = "(basis IS NULL OR basis IN ('people', 'expiry', 'requester', 'brake'))"
_OF_PERSON = "(%(person)s::uuid IS NULL OR e.actor_id = %(person)s)"
_AT = sql.SQL(
    f"""
    EXISTS (SELECT FROM events e WHERE e.hold_id = holds.id AND e.type IN {_REVIEWS} AND {_OF_PERSON}
      AND (%(hour)s::int IS NULL OR extract(hour FROM e.at AT TIME ZONE %(zone)s) = %(hour)s)
      AND (%(weekday)s::int IS NULL OR extract(isodow FROM e.at AT TIME ZONE %(zone)s) = %(weekday)s))
    """  # noqa: S608 - its parts are written here
)
_TESTS: dict[str, sql.Composable] = {
    "since": sql.SQL("opened_at >= %(since)s"),
    "until": sql.SQL("opened_at < %(until)s"),
    "agent": sql.SQL("opener_id = %(agent)s"),
    "action": sql.SQL("action = %(action)s"),
    "rule": sql.SQL("%(rule)s = ANY(rules)"),
    "level": sql.SQL("level = %(level)s"),
    "kind": sql.SQL("kind = %(kind)s"),
    "status": sql.SQL("status = %(status)s"),
    "asked": sql.SQL("{} = (%(asked)s = 'people')").format(sql.SQL(_ASKED)),
    "decided": sql.SQL("basis = %(decided)s"),
    "person": sql.SQL(
        "EXISTS (SELECT FROM events e WHERE e.hold_id = holds.id AND e.type IN {} AND e.actor_id = %(person)s)"
    ).format(sql.SQL(_REVIEWS)),
    "happened": sql.SQL(
        "EXISTS (SELECT FROM events e WHERE e.hold_id = holds.id AND e.type = 'hold.' || %(happened)s)"
    ),
    "hour": _AT,
    "weekday": _AT,
    "longer": sql.SQL("{} > %(longer)s").format(sql.SQL(_WAITED)),
    "shorter": sql.SQL("{} <= %(shorter)s").format(sql.SQL(_WAITED)),
}
_LISTED = sql.SQL(
    """
    SELECT state::text AS state, number, run_number FROM holds
    WHERE {seen} ORDER BY opened_at DESC, id DESC LIMIT %(limit)s
    """
)
_SPANS = """
  'count', count(*), 'late', count(*) FILTER (WHERE waited > %(target)s),
  'p50', percentile_cont(0.5) WITHIN GROUP (ORDER BY waited),
  'p90', percentile_cont(0.9) WITHIN GROUP (ORDER BY waited)
"""
_OUTCOMES: LiteralString = """
  'total', count(*), 'unasked', count(*) FILTER (WHERE NOT asked),
  'pending', count(*) FILTER (WHERE status = 'pending'),
  'approved', count(*) FILTER (WHERE asked AND status = 'approved'),
  'rejected', count(*) FILTER (WHERE asked AND status = 'rejected'),
  'answered', count(*) FILTER (WHERE status = 'answered'),
  'expired', count(*) FILTER (WHERE status = 'expired'),
  'cancelled', count(*) FILTER (WHERE status = 'cancelled'),
  'p50', percentile_cont(0.5) WITHIN GROUP (ORDER BY waited) FILTER (WHERE basis = 'people')
"""


_FIRED = "(SELECT status, asked, basis, waited, unnest(rules) AS rule FROM seen) AS fired"


def _by(name: LiteralString, source: LiteralString) -> LiteralString:
    return f"""
    (SELECT coalesce(json_agg(one), '[]') FROM (
      SELECT json_build_object('name', {name}, {_OUTCOMES}) AS one FROM {source}
      WHERE {name} IS NOT NULL GROUP BY {name} ORDER BY count(*) FILTER (WHERE asked) DESC, count(*) DESC, {name}
      LIMIT %(rows)s) AS found)
    """  # noqa: S608 - its parts are written here


_FIGURES = sql.SQL(
    f"""
    WITH seen AS MATERIALIZED (
      SELECT id, status, level, action, opener_id, opened_at, decided_at, {_WAITED}::float8 AS waited,
        basis, {_ASKED} AS asked, rules,
        date_trunc(%(unit)s, opened_at AT TIME ZONE %(zone)s) AS slot
      FROM holds WHERE {{seen}} ORDER BY opened_at DESC LIMIT %(most)s
    ), acts AS MATERIALIZED (
      SELECT e.hold_id, e.type, e.actor_id, e.at AT TIME ZONE %(zone)s AS at,
        extract(epoch FROM e.at - seen.opened_at)::float8 AS waited
      FROM events e JOIN seen ON seen.id = e.hold_id
      WHERE e.type IN {_ACTS} AND (e.type NOT IN {_REVIEWS} OR {_OF_PERSON})
    ), waiting AS MATERIALIZED (
      SELECT opened_at, decided_at, status FROM holds
      WHERE opened_at < %(until)s AND (status = 'pending' OR decided_at >= %(since)s) AND {{waiting}}
      LIMIT 5 * %(most)s
    ), moves AS (
      SELECT slot, sum(change) AS change FROM (
        SELECT date_trunc(%(unit)s, greatest(opened_at, %(since)s) AT TIME ZONE %(zone)s) AS slot, 1 AS change
        FROM waiting
        UNION ALL
        SELECT date_trunc(%(unit)s, decided_at AT TIME ZONE %(zone)s), -1 FROM waiting WHERE decided_at < %(until)s
      ) AS each_one GROUP BY slot
    ), slots AS (
      SELECT slot, (slot + ('1 ' || %(unit)s)::interval) AS next,
        coalesce(sum(change) OVER (ORDER BY slot), 0)::int AS backlog
      FROM generate_series(
        date_trunc(%(unit)s, %(since)s::timestamptz AT TIME ZONE %(zone)s),
        %(until)s::timestamptz AT TIME ZONE %(zone)s - interval '1 microsecond', ('1 ' || %(unit)s)::interval) AS slot
      LEFT JOIN moves USING (slot)
    )
    SELECT json_build_object(
      'counted', (SELECT count(*) FROM seen),
      'oldest', (SELECT min(opened_at) FROM seen),
      'outcomes', (SELECT json_build_object('name', 'all', {_OUTCOMES}) FROM seen),
      'happened', (SELECT json_build_object(
          'escalated', count(DISTINCT hold_id) FILTER (WHERE type = 'hold.escalated'),
          'withdrawn', count(DISTINCT hold_id) FILTER (WHERE type = 'hold.withdrawn'),
          'reopened', count(DISTINCT hold_id) FILTER (WHERE type = 'hold.reopened')) FROM acts),
      'times', (SELECT json_build_object({_SPANS}) FROM seen WHERE basis = 'people'),
      'by_risk', (SELECT coalesce(json_agg(one), '[]') FROM (
          SELECT json_build_object('risk', level, {_SPANS}) AS one FROM seen
          WHERE basis = 'people' GROUP BY level) AS found),
      'slots', (SELECT coalesce(json_agg(one ORDER BY slot), '[]') FROM (
          SELECT slots.slot, json_build_object(
            'since', slots.slot AT TIME ZONE %(zone)s, 'until', slots.next AT TIME ZONE %(zone)s,
            'opened', count(seen.id) FILTER (WHERE seen.asked),
            'unasked', count(seen.id) FILTER (WHERE NOT seen.asked),
            'decided', count(seen.id) FILTER (WHERE seen.basis = 'people'),
            'p50', percentile_cont(0.5) WITHIN GROUP (ORDER BY seen.waited) FILTER (WHERE seen.basis = 'people'),
            'p90', percentile_cont(0.9) WITHIN GROUP (ORDER BY seen.waited) FILTER (WHERE seen.basis = 'people'),
            'backlog', slots.backlog) AS one
          FROM slots LEFT JOIN seen ON seen.slot = slots.slot
          GROUP BY slots.slot, slots.next, slots.backlog) AS found),
      'backlog', (SELECT json_build_object(
          'count', count(*), 'oldest', min(opened_at), 'ages', json_build_array({{ages}})) FROM (
            SELECT opened_at, width_bucket(extract(epoch FROM {_NOW} - opened_at), {{limits}}::numeric[])
              AS bucket FROM waiting WHERE status = 'pending') AS aged),
      'people', (SELECT coalesce(json_agg(one), '[]') FROM (
          SELECT json_build_object('name', actor_id, 'reviews', count(*) FILTER (WHERE type IN {_REVIEWS}),
            'holds', count(DISTINCT hold_id) FILTER (WHERE type IN {_REVIEWS}),
            'withdrawn', count(*) FILTER (WHERE type = 'hold.withdrawn'),
            'p50', percentile_cont(0.5) WITHIN GROUP (ORDER BY waited) FILTER (WHERE type IN {_REVIEWS})) AS one
          FROM acts WHERE actor_id IS NOT NULL AND type IN ('hold.reviewed', 'hold.amended', 'hold.withdrawn')
          GROUP BY actor_id ORDER BY count(*) DESC, actor_id LIMIT %(rows)s) AS found),
      'hours', (SELECT coalesce(json_agg(one), '[]') FROM (
          SELECT json_build_object('weekday', extract(isodow FROM at)::int, 'hour', extract(hour FROM at)::int,
            'reviews', count(*)) AS one
          FROM acts WHERE type IN {_REVIEWS} GROUP BY extract(isodow FROM at), extract(hour FROM at)) AS found),
      'risks', {_by("level", "seen")},
      'agents', {_by("opener_id::text", "seen")},
      'actions', {_by("action", "seen")},
      'rules', {_by("rule", _FIRED)}
    ) AS figures
    """  # noqa: S608 - its parts are written here
)
