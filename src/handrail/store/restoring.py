"""What a restore makes void, in the database itself, so that replaying an old backup revives nothing that was used."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import psycopg
from psycopg import sql

from handrail.core.audit_events import BackupRestored
from handrail.store.database import Connection

# a schema without tables: it is there from before the first row comes back until all that is void was made so
MARK = "handrail_restoring"
# more than were opened since any backup that is still of use
SKIPPED = 1000
_SKIP = sql.SQL(
    "SELECT setval(pg_get_serial_sequence({name}, 'number'), (SELECT coalesce(max(number), 0) FROM {table}) + %s)"
)


def begin(conn: psycopg.Connection[Any]) -> None:
    conn.execute(f"CREATE SCHEMA IF NOT EXISTS {MARK}")


def give_up(conn: psycopg.Connection[Any]) -> None:
    conn.execute(f"DROP SCHEMA IF EXISTS {MARK}")


def finish(conn: psycopg.Connection[Any]) -> None:
    """Makes void what the backup brought back, and says so in the log; nothing where no restore is on its way.

    Every start comes by here under the lock of the migrations: a restore that was killed half-way is finished by it.
    """
    with conn.transaction():
        if conn.execute("SELECT FROM pg_namespace WHERE nspname = %s", (MARK,)).fetchone() is None:
            return
        tokens = conn.execute("UPDATE tokens SET revoked_at = handrail_now() WHERE revoked_at IS NULL").rowcount
        sessions = conn.execute("DELETE FROM sessions").rowcount
        links = conn.execute("DELETE FROM sign_in_codes").rowcount
        # one that had ended would let calls through again
        conn.execute("UPDATE observations SET ended_at = handrail_now() WHERE ended_at IS NULL")
        conn.execute("UPDATE absences SET ended_at = handrail_now() WHERE ended_at IS NULL")
        conn.execute("UPDATE grants SET ended_at = handrail_now() WHERE ended_at IS NULL")
        # one that was removed since would decide again
        conn.execute("DELETE FROM linked_accounts")
        conn.execute("DELETE FROM link_codes")
        # or be told what it no longer should
        conn.execute("DELETE FROM push_devices")
        # the clock of this machine may be behind the one that the backup's moments are of
        moment = conn.execute(
            """
            INSERT INTO restorations (at, until) SELECT greatest(handrail_now(), (SELECT max(at) FROM events),
              (SELECT max(at) FROM event_inbox)), seq FROM feed_head RETURNING at, until
            """
        ).fetchone()
        assert moment is not None
        # short ids that were given after the backup was taken are in people's mail: new ones come after those
        for table in ("holds", "runs"):
            conn.execute(_SKIP.format(name=sql.Literal(table), table=sql.Identifier(table)), (SKIPPED,))
        # messages outside may tell of what the backup does not know: they are written again
        conn.execute("UPDATE messages SET due_at = handrail_now(), face = '' WHERE NOT lost")
        void = BackupRestored(until=moment[1], tokens=tokens, sessions=sessions, links=links)
        conn.execute(
            "INSERT INTO event_inbox (at, type, data) VALUES (%s, %s, %s)",
            (moment[0], void.type, json.dumps(void.data)),
        )
        give_up(conn)


async def last(conn: Connection) -> datetime | None:
    """When the database was last put back from a backup, if ever."""
    row = await (await conn.execute("SELECT max(at) AS at FROM restorations")).fetchone()
    return row["at"] if row else None
