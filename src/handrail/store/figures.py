"""Figures for metrics, each from an index and bounded, so that a scrape costs the same with a million pending holds."""

from __future__ import annotations

from dataclasses import dataclass

from handrail.core.risk import Level
from handrail.store.database import Connection

# pending holds are counted up to here, for each level
CAP = 10_000
# events that one scrape reads; the next goes on from there
MOST_EVENTS = 50_000


@dataclass(frozen=True, slots=True)
class Opened:
    kind: str
    risk: str


@dataclass(frozen=True, slots=True)
class Decided:
    kind: str
    risk: str
    outcome: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Moves:
    """What the feed tells of holds from `after` (not included) to `head`."""

    after: int
    head: int
    opened: list[Opened]
    decided: list[Decided]


async def pending(conn: Connection) -> dict[Level, int]:
    counts: dict[Level, int] = {}
    for level in Level:
        found = await conn.execute(
            """
            SELECT count(*) FROM
              (SELECT FROM holds WHERE status = 'pending' AND urgency = %s LIMIT %s) AS first_ones
            """,
            (Level.critical.rank - level.rank, CAP),
        )
        row = await found.fetchone()
        counts[level] = row["count"] if row else 0
    return counts


async def feed_head(conn: Connection) -> int:
    row = await (await conn.execute("SELECT seq FROM feed_head")).fetchone()
    return row["seq"] if row else 0


async def feed_lag(conn: Connection) -> float:
    """Seconds that the oldest event has been waiting for its number; 0 where none waits."""
    found = await conn.execute(
        "SELECT extract(epoch FROM handrail_now() - at)::float8 AS age FROM event_inbox ORDER BY id LIMIT 1"
    )
    row = await found.fetchone()
    return max(0.0, row["age"]) if row else 0.0


async def moves_after(conn: Connection, after: int) -> Moves:
    head = min(await feed_head(conn), after + MOST_EVENTS)
    found = await conn.execute(
        """
        SELECT e.type, h.kind, h.level, e.data->>'outcome' AS outcome,
          extract(epoch FROM e.at - h.opened_at)::float8 AS seconds
        FROM events e JOIN holds h ON h.id = e.hold_id
        WHERE e.seq > %s AND e.seq <= %s AND e.type IN ('hold.opened', 'hold.decided')
        """,
        (after, head),
    )
    opened: list[Opened] = []
    decided: list[Decided] = []
    async for row in found:
        if row["type"] == "hold.opened":
            opened.append(Opened(row["kind"], row["level"]))
        else:
            decided.append(Decided(row["kind"], row["level"], row["outcome"], max(0.0, row["seconds"])))
    return Moves(after, head, opened, decided)
