"""The workflows that there are, as rows: what the API knows of the users' code, and whether a worker serves it now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from psycopg import sql

from handrail.core.canonical import Json, JsonObject
from handrail.store.database import Connection
from handrail.store.runs import dumped


@dataclass(frozen=True, slots=True)
class WorkflowListing:
    """`error` says why it cannot run: the traceback of its import. `seen_at` is when a worker last said that it
    serves it, and `served` whether that was just now. `example` is an input that it works with."""

    name: str
    description: str | None = None
    version: str | None = None
    input_schema: JsonObject | None = None
    diagram: str | None = None
    error: str | None = None
    seen_at: datetime | None = None
    example: Json = None
    served: bool = False


# a worker says every so often what it serves; after three times without a word nobody does
BEAT_SECONDS = 5.0
SILENT_SECONDS = 3 * BEAT_SECONDS


async def announce(conn: Connection, workflows: Iterable[WorkflowListing]) -> None:
    """Make workflows known that no worker may have served yet; what one has said of them stays."""
    for each in workflows:
        await conn.execute(
            """
            INSERT INTO workflows (name, description, input_schema, example) VALUES (%s, %s, %s, %s)
            ON CONFLICT DO NOTHING
            """,
            (each.name, each.description, _schema(each), dumped(each.example)),
        )


async def beat(conn: Connection, names: Collection[str]) -> None:
    """A worker serves these now."""
    await conn.execute(
        """
        UPDATE workflows SET seen_at = handrail_now() FROM (
          SELECT name FROM workflows WHERE name = ANY(%s) ORDER BY name FOR NO KEY UPDATE
        ) AS mine WHERE workflows.name = mine.name
        """,
        (list(names),),
    )


async def publish(conn: Connection, workflows: Iterable[WorkflowListing]) -> None:
    for each in workflows:
        await conn.execute(
            """
            INSERT INTO workflows (name, description, version, input_schema, diagram, error, example, seen_at)
            VALUES (%s, %s, %s, %s, %s, %s, %s, handrail_now())
            ON CONFLICT (name) DO UPDATE SET description = EXCLUDED.description, version = EXCLUDED.version,
              input_schema = EXCLUDED.input_schema, diagram = EXCLUDED.diagram, error = EXCLUDED.error,
              example = EXCLUDED.example, seen_at = EXCLUDED.seen_at
            """,
            (
                each.name,
                each.description,
                each.version,
                _schema(each),
                each.diagram,
                each.error,
                dumped(each.example),
            ),
        )


def _schema(of: WorkflowListing) -> str | None:
    return None if of.input_schema is None else dumped(of.input_schema)


_SELECT = sql.SQL(
    """
    SELECT name, description, version, input_schema, diagram, error, seen_at, example,
      coalesce(seen_at > handrail_now() - make_interval(secs => %(silent)s), false) AS served
    FROM workflows {}
    """
)


async def all_(conn: Connection) -> Sequence[WorkflowListing]:
    rows = await conn.execute(_SELECT.format(sql.SQL("ORDER BY name")), {"silent": SILENT_SECONDS})
    return [WorkflowListing(**row) for row in await rows.fetchall()]


async def get(conn: Connection, name: str) -> WorkflowListing | None:
    values = {"name": name, "silent": SILENT_SECONDS}
    row = await (await conn.execute(_SELECT.format(sql.SQL("WHERE name = %(name)s")), values)).fetchone()
    return WorkflowListing(**row) if row else None
