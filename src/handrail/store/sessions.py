"""What the log says about one run."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from handrail.core import events, story
from handrail.core.parts import Part
from handrail.core.run_events import ENDS
from handrail.store.database import Connection


class StoryEvent(NamedTuple):
    """An event of a run; one that has no number yet is on its way into the log."""

    seq: int | None
    at: datetime
    type: str
    actor_id: UUID | None
    hold_id: UUID | None
    kind: str | None
    data: dict[str, Any] | None

    @property
    def part(self) -> Part | None:
        return story.part_of(self.type, events.read(self.type, self.data))


async def read_only(conn: Connection) -> None:
    """All that the transaction reads is of one moment."""
    await conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")


async def told(conn: Connection, run_id: UUID) -> list[StoryEvent]:
    """Everything that happened in a run but its steps, in order."""
    rows = await conn.execute(
        """
        SELECT seq, at, type, actor_id, hold_id, kind, data FROM (
          SELECT seq, 0 AS id, at, type, actor_id, hold_id, kind, data FROM events WHERE run_id = %(run)s
          UNION ALL
          SELECT NULL, id, at, type, actor_id, hold_id, kind, data FROM event_inbox WHERE run_id = %(run)s
        ) AS said WHERE type <> 'run.step_completed' ORDER BY seq NULLS LAST, id
        """,
        {"run": run_id},
    )
    return [StoryEvent(**row) for row in await rows.fetchall()]


async def calls_until(conn: Connection, run_id: UUID, seq: int) -> set[str]:
    """Tools that were called up to that number of the log, each by the id of its call."""
    rows = await conn.execute(
        "SELECT data ->> 'call_id' AS id FROM events WHERE run_id = %s AND seq <= %s AND type = 'run.tool_called'",
        (run_id, seq),
    )
    return {row["id"] for row in await rows.fetchall() if row["id"] is not None}


async def number_of_end(conn: Connection, run_id: UUID) -> int | None:
    """The number of the event that says that the run has ended; nothing where that has none yet."""
    found = await conn.execute(
        "SELECT max(seq) AS seq FROM events WHERE run_id = %s AND type = ANY(%s)", (run_id, [*ENDS])
    )
    row = await found.fetchone()
    return row["seq"] if row else None
