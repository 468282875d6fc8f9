"""The workflows that workers serve, as rows: what the API knows of the users' code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from handrail.core.canonical import JsonObject
from handrail.store.database import Connection
from handrail.store.runs import dumped


@dataclass(frozen=True, slots=True)
class Published:
    """`error` says why it cannot run: the traceback of its import. `seen_at` is when a worker last told of it."""

    name: str
    description: str | None = None
    version: str | None = None
    input_schema: JsonObject | None = None
    diagram: str | None = None
    error: str | None = None
    seen_at: datetime | None = None


async def publish(conn: Connection, workflows: Iterable[Published]) -> None:
    for each in workflows:
        await conn.execute(
            """
            INSERT INTO workflows (name, description, version, input_schema, diagram, error, seen_at)
            VALUES (%s, %s, %s, %s, %s, %s, handrail_now())
            ON CONFLICT (name) DO UPDATE SET description = EXCLUDED.description, version = EXCLUDED.version,
              input_schema = EXCLUDED.input_schema, diagram = EXCLUDED.diagram, error = EXCLUDED.error,
              seen_at = EXCLUDED.seen_at
            """,
            (
                each.name,
                each.description,
                each.version,
                None if each.input_schema is None else dumped(each.input_schema),
                each.diagram,
                each.error,
            ),
        )


async def all_(conn: Connection) -> Sequence[Published]:
    rows = await conn.execute("SELECT * FROM workflows ORDER BY name")
    return [Published(**row) for row in await rows.fetchall()]


async def get(conn: Connection, name: str) -> Published | None:
    row = await (await conn.execute("SELECT * FROM workflows WHERE name = %s", (name,))).fetchone()
    return Published(**row) if row else None
