"""The log of events: move committed rows of the inbox into it, read it from a cursor, wake who waits for it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal
from uuid import UUID

from psycopg import sql
from psycopg.rows import DictRow, dict_row

from handrail.core.people import Principal
from handrail.store.database import Connection

# the advisory lock's number: any that nobody else takes
LEADER_LOCK = 7_241_839_016
# how long the server waits for a sign of life from the leader before it ends the session, and the lock with it
LEADER_LEASE = "2s"

Channel = Literal["handrail_inbox", "handrail_feed"]
INBOX: Channel = "handrail_inbox"
FEED: Channel = "handrail_feed"

# an event's data may be as large as a request's body: a page ends with the row that passes this
PAGE_BYTES = 4 << 20

_COLUMNS = sql.SQL("at, type, actor_id, hold_id, run_id, case_id, kind, audience_id, opener_id, starter_id, data")


@asynccontextmanager
async def session(dsn: str) -> AsyncGenerator[Connection]:
    """A connection outside the pool, for one who listens or leads as long as it lives."""
    # a peer that vanished without a word is noticed in about 10 s; sockets of the same machine need none of it
    connection = await Connection.connect(
        dsn,
        autocommit=True,
        row_factory=dict_row,
        application_name="handrail feed",
        connect_timeout=5,
        keepalives_idle=5,
        keepalives_interval=2,
        keepalives_count=3,
        tcp_user_timeout=10_000,
    )
    async with connection:
        await connection.execute("SET timezone = 'UTC'")
        yield connection


async def try_to_lead(conn: Connection) -> bool:
    """Whether this session is now the one that moves events.

    It stays so until the session ends, and the server ends it when nothing was heard of it for LEADER_LEASE: so a
    leader that hangs is replaced, and cannot write when it comes back. Asking again is better than waiting for the
    lock: a statement that waits keeps a snapshot, and no row of the inbox could be vacuumed.
    """
    row = await (await conn.execute("SELECT pg_try_advisory_lock(%s) AS leads", (LEADER_LOCK,))).fetchone()
    assert row is not None
    if row["leads"]:
        await conn.execute(
            sql.SQL("SET idle_session_timeout = {0}; SET idle_in_transaction_session_timeout = {0}").format(
                sql.Literal(LEADER_LEASE)
            )
        )
    return row["leads"]


async def move(conn: Connection, at_most: int) -> int:
    """Number the oldest committed rows of the inbox, put them into the log and tell all who listen; gives how many.

    It is one statement, and so one transaction: whatever must be sealed with a batch belongs in here.

    A transaction that commits late gets later numbers, whatever its rows' ids: what has been numbered never moves.
    The row lock on the head would keep numbers dense even with two leaders.
    """
    row = await (await conn.execute(_MOVE, {"at_most": at_most})).fetchone()
    return row["moved"] if row else 0


_MOVE = sql.SQL(
    """
    WITH moved AS (
      DELETE FROM event_inbox WHERE id IN (SELECT id FROM event_inbox ORDER BY id LIMIT %(at_most)s) RETURNING *
    ), head AS (
      UPDATE feed_head SET seq = seq + (SELECT count(*) FROM moved) WHERE EXISTS (SELECT FROM moved) RETURNING seq
    ), placed AS (
      INSERT INTO events (seq, {columns})
      SELECT head.seq - count(*) OVER () + row_number() OVER (ORDER BY id), {columns} FROM moved, head
    )
    SELECT (SELECT count(*) FROM moved) AS moved, pg_notify({feed}, seq::text) FROM head
    """
).format(columns=_COLUMNS, feed=sql.Literal(FEED))


async def head(conn: Connection) -> int:
    """The number of the newest event; 0 where there is none."""
    row = await (await conn.execute("SELECT seq FROM feed_head")).fetchone()
    assert row is not None
    return row["seq"]


async def listen(conn: Connection, channel: Channel) -> None:
    await conn.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))


async def notify(conn: Connection, channel: Channel) -> None:
    await conn.execute(sql.SQL("NOTIFY {}").format(sql.Identifier(channel)))


async def heard(conn: Connection, within: float) -> bool:
    """Waits for a notification, also one that came since the last call, no longer than `within` seconds."""
    return bool([note async for note in conn.notifies(timeout=within, stop_after=1)])


async def read(
    conn: Connection,
    after: int,
    at_most: int,
    *,
    hold_id: UUID | None = None,
    run_id: UUID | None = None,
    case_id: str | None = None,
    kind: str | None = None,
    viewer: Principal | None = None,
) -> Sequence[DictRow]:
    """The next events after a number, in order; only those that the viewer may see, where one is given.

    Fewer than asked for does not mean that there are no more: a page also ends after PAGE_BYTES. None does.
    `principal_id` is whose person, token, link or session it is about; `age` is how many seconds ago it happened.
    """
    equal = {"hold_id": hold_id, "run_id": run_id, "case_id": case_id, "kind": kind}
    conditions: list[sql.Composable] = [
        sql.SQL("e.{} = {}").format(sql.Identifier(name), sql.Placeholder(name))
        for name, value in equal.items()
        if value is not None
    ]
    values: dict[str, Any] = {**equal, "after": after, "at_most": at_most, "page_bytes": PAGE_BYTES}
    if viewer is not None and not viewer.reads_all:
        conditions.append(_VISIBLE)
        values |= {"me": viewer.id, "roles": sorted(viewer.roles) if viewer.is_person else []}
    query = _READ.format(
        concerned=_CONCERNED, conditions=sql.SQL(" AND ").join([sql.SQL("e.seq > %(after)s"), *conditions])
    )
    return await (await conn.execute(query, values)).fetchall()


# whose person, token, sign-in link or session an event is about; `data` of any other is not looked into
_CONCERNED = sql.SQL(
    """
    CASE split_part(e.type, '.', 1)
      WHEN 'person' THEN e.data ->> 'id'
      WHEN 'token' THEN e.data ->> 'principal'
      WHEN 'link' THEN e.data ->> 'principal'
      WHEN 'session' THEN e.actor_id::text
    END
    """
)

_VISIBLE = sql.SQL(
    """
    (e.opener_id = %(me)s OR e.starter_id = %(me)s OR a.roles && %(roles)s
      OR ({concerned} = %(me)s::text AND e.type NOT LIKE 'person.%%'))
    """
).format(concerned=_CONCERNED)

_READ = sql.SQL(
    """
    SELECT * FROM (
      SELECT page.*, sum(octet_length(data)) OVER (ORDER BY seq) - octet_length(data) AS bytes_before FROM (
        SELECT e.seq, e.at, e.type, e.actor_id, p.name AS actor_name, p.kind AS actor_kind,
          e.hold_id, e.run_id, e.case_id, e.kind, a.roles, e.opener_id, e.starter_id,
          ({concerned})::uuid AS principal_id, e.data::text AS data,
          extract(epoch FROM handrail_now() - e.at)::float AS age
        FROM events e LEFT JOIN audiences a ON a.id = e.audience_id LEFT JOIN principals p ON p.id = e.actor_id
        WHERE {conditions} ORDER BY e.seq LIMIT %(at_most)s
      ) AS page
    ) AS sized WHERE bytes_before < %(page_bytes)s ORDER BY seq
    """
)
