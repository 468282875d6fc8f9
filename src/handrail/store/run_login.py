"""The login of processes that run users' graphs: it may do what a run does, and nothing else."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from typing import LiteralString

from psycopg import sql
from psycopg.conninfo import make_conninfo

from handrail.core.errors import Unavailable
from handrail.store import locks
from handrail.store.database import Connection, Database, reach
from handrail.store.locks import Lock

# what such a process sees in the place of a table: its own schema comes first
SCHEMA = "handrail_run"
READ: tuple[LiteralString, ...] = (
    *("clock", "runs", "effects", "message_chunks", "workflows", "brakes", "policies", "audiences"),
    *("holds", "hold_revisions", "comments", "events", "event_inbox", "deliveries", "attestations"),
    *("messages", "restorations", "spared_entries", "absences", "channel_choices"),
    *("checkpoints", "checkpoint_blobs", "checkpoint_writes", "checkpoint_migrations"),
)
ADD: tuple[LiteralString, ...] = (
    *("effects", "message_chunks", "workflows", "audiences", "holds", "hold_revisions", "event_inbox", "deliveries"),
    *("checkpoints", "checkpoint_blobs", "checkpoint_writes"),
)
CHANGE: tuple[LiteralString, ...] = (
    *("effects", "workflows", "holds", "checkpoints", "checkpoint_blobs", "checkpoint_writes"),
)
REMOVE: tuple[LiteralString, ...] = ("effects", "message_chunks")
# who started a run, as whom it acts, what it was given and what it may use stay as they are
RUN_COLUMNS: tuple[LiteralString, ...] = (
    *("status", "version", "epoch", "ready_at", "worker", "attempts", "steps", "worked", "tokens_in", "tokens_out"),
    *("cost", "result", "error", "started_at", "ended_at", "active_at"),
)
# columns of people that nobody there may see
HIDDEN = frozenset({"password_hash"})


async def prepare(database: Database) -> str | None:
    """A DSN with that login, made where it is missing and brought up to date; nothing where the server's own login may
    not make another, or that cannot sign in."""
    async with database.transaction() as conn:
        await locks.take(conn, Lock.run_login)
        if not await _may_make_roles(conn):
            return None
        role, password = await _credentials(conn)
        await _make(conn, role, password)
        await _grant(conn, role)
    # a pooler may know no logins but those of its own list
    for way in dict.fromkeys((database.dsn, database.direct)):
        dsn = make_conninfo(way, user=role, password=password)
        try:
            await asyncio.to_thread(reach, dsn)
        except Unavailable:
            continue
        return dsn
    return None


async def _may_make_roles(conn: Connection) -> bool:
    found = await conn.execute("SELECT rolsuper OR rolcreaterole AS may FROM pg_roles WHERE rolname = current_user")
    row = await found.fetchone()
    return row is not None and row["may"]


async def _credentials(conn: Connection) -> tuple[str, str]:
    """One role for each database: roles belong to the whole server."""
    found = await conn.execute(
        """
        WITH mine AS (SELECT 'handrail_run_' || oid AS role FROM pg_database WHERE datname = current_database()),
        made AS (INSERT INTO run_logins SELECT role, %s FROM mine ON CONFLICT DO NOTHING RETURNING role, password)
        SELECT * FROM made UNION ALL SELECT role, password FROM run_logins JOIN mine USING (role)
        """,
        (secrets.token_urlsafe(32),),
    )
    row = await found.fetchone()
    assert row is not None
    return row["role"], row["password"]


async def _make(conn: Connection, role: str, password: str) -> None:
    exists = await (await conn.execute("SELECT FROM pg_roles WHERE rolname = %s", (role,))).fetchone() is not None
    words = sql.SQL("ALTER ROLE {} WITH LOGIN PASSWORD {}" if exists else "CREATE ROLE {} WITH LOGIN PASSWORD {}")
    await conn.execute(words.format(sql.Identifier(role), sql.Literal(password)))


async def _grant(conn: Connection, role: str) -> None:
    name = sql.Identifier(role)
    found = await (await conn.execute("SELECT current_schema() AS schema, current_database() AS database")).fetchone()
    assert found is not None
    await conn.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(SCHEMA)))
    await _show_people(conn, found["schema"])
    await conn.execute(
        sql.SQL("ALTER ROLE {} IN DATABASE {} SET search_path = {}, {}").format(
            name, sql.Identifier(found["database"]), sql.Identifier(SCHEMA), sql.Identifier(found["schema"])
        )
    )
    granted: Mapping[LiteralString, tuple[LiteralString, ...]] = {
        "SELECT": READ,
        "INSERT": ADD,
        "UPDATE": CHANGE,
        "DELETE": REMOVE,
    }
    for right, tables in granted.items():
        names = sql.SQL(", ").join(map(sql.Identifier, tables))
        await conn.execute(sql.SQL("GRANT {} ON {} TO {}").format(sql.SQL(right), names, name))
    columns = sql.SQL(", ").join(map(sql.Identifier, RUN_COLUMNS))
    await conn.execute(sql.SQL("GRANT UPDATE ({}) ON runs TO {}").format(columns, name))
    # that a message is out of date, and nothing of what it says or where it is
    await conn.execute(sql.SQL("GRANT UPDATE (due_at) ON messages TO {}").format(name))
    # a wish, and nothing of what became of it
    await conn.execute(
        sql.SQL("GRANT INSERT (hold_id, moved), UPDATE (refusal, moved) ON attestations TO {}").format(name)
    )
    for schema in (SCHEMA, found["schema"]):
        await conn.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(sql.Identifier(schema), name))
    await conn.execute(sql.SQL("GRANT SELECT ON {}.principals TO {}").format(sql.Identifier(SCHEMA), name))
    # enough to lock a row, and of no other use: what is hidden cannot be written through the view
    hidden = sql.SQL(", ").join(map(sql.Identifier, sorted(HIDDEN)))
    await conn.execute(sql.SQL("GRANT UPDATE ({}) ON {}.principals TO {}").format(hidden, sql.Identifier(SCHEMA), name))


async def _show_people(conn: Connection, schema: str) -> None:
    """People without their password hashes, in the place of the table."""
    shown, wanted = [
        [
            row["name"]
            for row in await (
                await conn.execute(
                    "SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass(%s) AND attnum > 0 "
                    "AND NOT attisdropped ORDER BY attnum",
                    (f"{place}.principals",),
                )
            ).fetchall()
        ]
        for place in (SCHEMA, schema)
    ]
    if shown == wanted:
        return
    columns = [
        sql.SQL("NULL::text AS {}").format(sql.Identifier(name)) if name in HIDDEN else sql.Identifier(name)
        for name in wanted
    ]
    place = sql.Identifier(SCHEMA)
    await conn.execute(sql.SQL("DROP VIEW IF EXISTS {}.principals").format(place))
    await conn.execute(
        sql.SQL("CREATE VIEW {}.principals AS SELECT {} FROM {}.principals").format(
            place, sql.SQL(", ").join(columns), sql.Identifier(schema)
        )
    )
