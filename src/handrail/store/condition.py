"""How a database stands, read without changing anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import LiteralString

from psycopg.rows import DictRow

from handrail.store.database import Connection
from handrail.store.migrate import migrations

# settings without which a commit may be lost that was acknowledged
DURABILITY = ("fsync", "full_page_writes", "synchronous_commit")
ECHO_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Condition:
    """`skew`: seconds by which its clock is ahead of ours. `free`: connections that it would still accept."""

    version: int
    standby: bool
    encoding: str
    not_durable: tuple[str, ...]
    free: int
    skew: float


@dataclass(frozen=True, slots=True)
class Schema:
    """`missing`: migrations of this version that it does not have. `newer`: those that this version does not know."""

    empty: bool
    missing: tuple[str, ...]
    newer: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """`lag`: seconds that the oldest event waits for its number. `stuck`: runs that no worker took for a minute."""

    head: int
    key_id: str | None
    lag: float
    stuck: int
    dead: int


async def condition(conn: Connection, now: float) -> Condition:
    row = await _row(
        conn,
        """
        SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS standby,
          current_setting('server_encoding') AS encoding,
          current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS free,
          extract(epoch FROM clock_timestamp())::float8 AS clock
        """,
    )
    off = await conn.execute(
        "SELECT name FROM pg_settings WHERE name = ANY(%s) AND setting = 'off' ORDER BY name", (list(DURABILITY),)
    )
    names = tuple(each["name"] for each in await off.fetchall())
    return Condition(row["version"], row["standby"], row["encoding"], names, row["free"], row["clock"] - now)


async def schema(conn: Connection) -> Schema:
    ours = {file.stem for file in migrations()}
    if (await _row(conn, "SELECT to_regclass('_yoyo_migration') AS found"))["found"] is None:
        return Schema(True, tuple(sorted(ours)), ())
    rows = await (await conn.execute("SELECT migration_id FROM _yoyo_migration")).fetchall()
    theirs = {row["migration_id"] for row in rows}
    return Schema(False, tuple(sorted(ours - theirs)), tuple(sorted(theirs - ours)))


async def work(conn: Connection) -> Work:
    row = await _row(
        conn,
        """
        SELECT seq AS head, key_id,
          coalesce((SELECT extract(epoch FROM handrail_now() - at)::float8 FROM event_inbox ORDER BY id LIMIT 1), 0)
            AS lag,
          (SELECT count(*) FROM runs WHERE ready_at < handrail_now() - interval '1 minute')
            AS stuck,
          (SELECT count(*) FROM deliveries WHERE status = 'dead') AS dead
        FROM feed_head
        """,
    )
    return Work(row["head"], row["key_id"], max(0.0, row["lag"]), row["stuck"], row["dead"])


async def echoes(listener: Connection, speaker: Connection) -> bool:
    """Whether one connection hears what the other notifies; not where a pooler shares connections by transaction."""
    await listener.execute("LISTEN handrail_doctor")
    await speaker.execute("NOTIFY handrail_doctor")
    return await anext(listener.notifies(timeout=ECHO_SECONDS, stop_after=1), None) is not None


async def _row(conn: Connection, query: LiteralString) -> DictRow:
    row = await (await conn.execute(query)).fetchone()
    assert row is not None
    return row
