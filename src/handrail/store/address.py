"""How to reach the database so that a failover is survived, and what a pooler in between changes."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow, tuple_row

# whatever the URL says itself counts more
_DEFAULTS: dict[str, Any] = {
    # of each host: one that is gone without a word holds up the next no longer
    "connect_timeout": 5,
    # a peer that vanished in mid-command is noticed in about 10 s; sockets of the same machine need none of it
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}


def located(dsn: str) -> str:
    """The DSN to connect with. Of several hosts, the one that can be written to. Raises psycopg.ProgrammingError."""
    given = conninfo_to_dict(dsn)
    several = "," in f"{given.get('host', '')}{given.get('hostaddr', '')}"
    chosen = {"target_session_attrs": "read-write"} if several else {}
    return make_conninfo("", **(_DEFAULTS | chosen | given))


async def settle(connection: psycopg.AsyncConnection[Any], *, prepare_threshold: int | None = 5) -> None:
    """Times come back in UTC; a client that was cut off does not keep its locks.

    Through a pooler nothing else is left in the session, which is another one in each transaction: no timeout (poolers
    have their own) and no prepared statement. PgBouncer carries the time zone over. A pooler is known by the number
    of the process that it claims to be, which is not the server's.
    """
    own = connection.info.backend_pid
    async with connection.cursor(row_factory=tuple_row) as cursor:
        row: TupleRow | None = await (await cursor.execute(_SETTLE, {"own": own}, prepare=False)).fetchone()
    assert row is not None
    connection.prepare_threshold = prepare_threshold if row[0] else None


_SETTLE = """
    SELECT pg_backend_pid() = %(own)s, set_config('timezone', 'UTC', false),
      CASE WHEN pg_backend_pid() = %(own)s THEN set_config('idle_in_transaction_session_timeout', '60s', false) END
"""
