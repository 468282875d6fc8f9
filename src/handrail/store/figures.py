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
class HoldLabel:
    """A hold of which the feed tells."""

    kind: str
    risk: str


@dataclass(frozen=True, slots=True)
class DecisionFigures:
    kind: str
    risk: str
    outcome: str
    basis: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Moves:
    """What the feed tells of holds from `after` (not included) to `head`."""

    after: int
    head: int
    opened: list[HoldLabel]
    escalated: list[HoldLabel]
    decided: list[DecisionFigures]


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
        SELECT e.type, h.kind, h.level, e.data->>'outcome' AS outcome, e.data->>'basis' AS basis,
          extract(epoch FROM e.at - h.opened_at)::float8 AS seconds
        FROM events e JOIN holds h ON h.id = e.hold_id
        WHERE e.seq > %s AND e.seq <= %s AND e.type IN ('hold.opened', 'hold.escalated', 'hold.decided')
        """,
        (after, head),
    )
    moves = Moves(after, head, [], [], [])
    async for row in found:
        kind, level = row["kind"], row["level"]
        if row["type"] == "hold.opened":
            moves.opened.append(HoldLabel(kind, level))
        elif row["type"] == "hold.escalated":
            moves.escalated.append(HoldLabel(kind, level))
        else:
            moves.decided.append(DecisionFigures(kind, level, row["outcome"], row["basis"], max(0.0, row["seconds"])))
    return moves


async def deliveries(conn: Connection) -> dict[str, int]:
    """Notices that wait and notices that were given up, counted up to the cap."""
    found = await conn.execute(
        """
        SELECT (SELECT count(*) FROM (SELECT FROM deliveries WHERE status = 'queued' LIMIT %(cap)s) AS q) AS queued,
          (SELECT count(*) FROM (SELECT FROM deliveries WHERE status = 'dead' LIMIT %(cap)s) AS d) AS dead
        """,
        {"cap": CAP},
    )
    row = await found.fetchone()
    assert row is not None
    return dict(row)


async def runs(conn: Connection) -> dict[str, int]:
    """Runs that a worker could take now and none has, and those at work or waiting for people, up to the cap."""
    found = await conn.execute(
        """
        SELECT (SELECT count(*) FROM (SELECT FROM runs WHERE ready_at <= handrail_now() LIMIT %(cap)s) AS r) AS waiting,
          (SELECT count(*) FROM (SELECT FROM runs WHERE status = 'running' LIMIT %(cap)s) AS r) AS running,
          (SELECT count(*) FROM (SELECT FROM runs WHERE status = 'paused' LIMIT %(cap)s) AS r) AS paused
        """,
        {"cap": CAP},
    )
    row = await found.fetchone()
    assert row is not None
    return dict(row)
