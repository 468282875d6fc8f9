"""The log of events: move committed rows of the inbox into it, read it from a cursor, wake who waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal, NamedTuple
from uuid import UUID

from psycopg import sql
from psycopg.rows import DictRow, dict_row, tuple_row

from handrail.core.absences import StandIn
from handrail.core.audit import Seal
from handrail.core.errors import Unavailable
from handrail.core.people import Principal
from handrail.store import absences, locks
from handrail.store.address import located
from handrail.store.database import Connection, cancellable
from handrail.store.locks import Lock

# how long the server waits for a sign of life from the leader before it ends the connection, and the lock with it
LEADER_LEASE = "2s"

Channel = Literal["handrail_inbox", "handrail_feed", "handrail_runs", "handrail_chunks"]
INBOX: Channel = "handrail_inbox"
FEED: Channel = "handrail_feed"
# a run may be ready, or was taken from its worker
RUNS: Channel = "handrail_runs"
# a model's text went on
CHUNKS: Channel = "handrail_chunks"

# an event's data may be as large as a request's body: a page ends with the row that passes this
PAGE_BYTES = 4 << 20

_COLUMNS = sql.SQL("at, type, actor_id, hold_id, run_id, case_id, kind, audience_id, opener_id, starter_id, data")


@asynccontextmanager
async def connection(dsn: str) -> AsyncGenerator[Connection]:
    """A connection outside the pool, for one who listens or leads as long as it lives: to PostgreSQL itself."""
    connection = await Connection.connect(
        located(dsn), autocommit=True, row_factory=dict_row, application_name="handrail feed"
    )
    with cancellable():
        async with connection:
            await connection.execute("SET timezone = 'UTC'")
            yield connection


async def try_to_lead(conn: Connection) -> bool:
    """Whether this connection is now the one that moves events.

    It stays so until the connection ends, and the server ends it when nothing was heard of it for LEADER_LEASE: so a
    leader that hangs is replaced, and cannot write when it comes back. Asking again is better than waiting for the
    lock: a statement that waits keeps a snapshot, and no row of the inbox could be vacuumed.
    """
    leads = await locks.try_for_connection(conn, Lock.feed_leader)
    if leads:
        await conn.execute(
            sql.SQL("SET idle_session_timeout = {0}; SET idle_in_transaction_session_timeout = {0}").format(
                sql.Literal(LEADER_LEASE)
            )
        )
    return leads


class Batch(NamedTuple):
    """The oldest rows of the inbox, as the chain sees them (`audit.FIELDS` without the number, then the data), and the
    head that they follow. `now` is written as seals write it."""

    ids: Sequence[int]
    rows: Sequence[Sequence[str | None]]
    seq: int
    hash: bytes
    seals: int
    key_id: str | None
    now: str

    def full(self, at_most: int) -> bool:
        """Whether it may have ended before the inbox did. A character has at most 4 bytes."""
        return len(self.ids) >= at_most or sum(len(row[-1] or "") for row in self.rows) >= PAGE_BYTES // 4


class ChainLinks(NamedTuple):
    """What the chain adds to the rows of a batch."""

    salts: Sequence[bytes]
    data_hashes: Sequence[bytes]
    hashes: Sequence[bytes]


async def any_unnumbered(conn: Connection) -> bool:
    """Whether a row waits in the inbox."""
    return (await conn.execute("SELECT FROM event_inbox LIMIT 1")).rowcount > 0


async def take(conn: Connection, at_most: int) -> Batch | None:
    """The next rows to number, in the caller's transaction, which has the head for itself until it ends.

    A transaction that commits late gets later numbers, whatever its rows' ids: what has been numbered never moves.
    The row lock on the head keeps numbers dense and the chain whole even with two leaders.
    """
    async with conn.cursor(row_factory=tuple_row) as cursor:
        head = await (await cursor.execute(_HEAD)).fetchone()
        if head is None:
            return None
        # a statement of its own: it sees what another leader moved while this one waited for the head
        values = {"at_most": at_most, "page_bytes": PAGE_BYTES}
        rows = await (await cursor.execute(_OLDEST, values)).fetchall()
    if not rows:
        return None
    return Batch([row[0] for row in rows], [row[1:] for row in rows], *head)


async def place(conn: Connection, batch: Batch, chained: ChainLinks, seal: Seal, key_id: str) -> None:
    """Put a batch into the log with its seal and tell all who listen, in the transaction that took it.

    `key_id` is the key that the next batch is sealed with.
    """
    values = {
        **chained._asdict(),
        "ids": batch.ids,
        "before": batch.seq,
        "head": seal.seq,
        "hash": seal.hash,
        "number": seal.number,
        "at": seal.at,
        "key_id": seal.key_id,
        "signature": seal.signature,
        "next_key_id": key_id,
    }
    row = await (await conn.execute(_PLACE, values)).fetchone()
    if row is None or row["placed"] != len(batch.ids):
        raise Unavailable("Rows of the inbox vanished while they were being numbered.")


# the moment of an entry or a seal as its hash or signature covers it
_WRITTEN = sql.SQL("to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
MOMENT = _WRITTEN.format(sql.SQL("at"))
CHAINED_COLUMNS = sql.SQL(
    "{at} AS at, type, actor_id::text, hold_id::text, run_id::text, case_id, kind, opener_id::text, starter_id::text, "
    "data::text"
).format(at=MOMENT)

_HEAD = sql.SQL(
    """
    SELECT seq, hash, seals, key_id, {now} FROM feed_head WHERE EXISTS (SELECT FROM event_inbox) FOR UPDATE
    """
).format(now=_WRITTEN.format(sql.SQL("handrail_now()")))

_OLDEST = sql.SQL(
    """
    SELECT id, {columns} FROM (
      SELECT *, sum(octet_length(data::text)) OVER (ORDER BY id) - octet_length(data::text) AS bytes_before
      FROM (SELECT * FROM event_inbox ORDER BY id LIMIT %(at_most)s) AS oldest
    ) AS sized WHERE bytes_before < %(page_bytes)s ORDER BY id
    """
).format(columns=CHAINED_COLUMNS)

_PLACE = sql.SQL(
    """
    WITH moved AS (
      DELETE FROM event_inbox WHERE id = ANY(%(ids)s) RETURNING *
    ), placed AS (
      INSERT INTO events (seq, salt, data_hash, hash, {columns})
      SELECT %(before)s + n, salt, data_hash, hash, {columns}
      FROM unnest(%(ids)s::bigint[], %(salts)b::bytea[], %(data_hashes)b::bytea[], %(hashes)b::bytea[])
        WITH ORDINALITY AS chained (id, salt, data_hash, hash, n) JOIN moved USING (id)
      RETURNING seq
    ), sealed AS (
      INSERT INTO audit_seals (number, seq, hash, at, key_id, signature)
      VALUES (%(number)s, %(head)s, %(hash)s, %(at)s, %(key_id)s, %(signature)s)
    ), head AS (
      UPDATE feed_head SET seq = %(head)s, hash = %(hash)s, seals = %(number)s, key_id = %(next_key_id)s
    )
    SELECT count(*) AS placed, pg_notify({feed}, %(head)s::text) FROM placed
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


async def heard(conn: Connection, within: float, told: asyncio.Event | None = None) -> bool:
    """Waits for a notification, also one that came since the last call, no longer than `within` seconds.

    Somebody in this process may say the same by setting `told`; it is cleared here, and may be set in vain.
    """
    there = told or asyncio.Event()
    try:
        async with asyncio.timeout(within):
            while not (told and told.is_set()) and not await _notified(conn):
                if told is None:
                    there.clear()
                # not by psycopg, which wakes up ten times a second while it waits
                await _readable(conn.pgconn.socket, there)
    except TimeoutError:
        return False
    there.clear()
    return True


async def _notified(conn: Connection) -> bool:
    return bool([note async for note in conn.notifies(timeout=0, stop_after=1)])


async def _readable(descriptor: int, there: asyncio.Event) -> None:
    """Returns when something, or the end of the stream, lies there; or when the event is set otherwise."""
    loop = asyncio.get_running_loop()
    loop.add_reader(descriptor, there.set)
    try:
        await there.wait()
    finally:
        loop.remove_reader(descriptor)


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
    `principal_id` is whose person, token, link or sign-in it is about; `age` is how many seconds ago it happened.
    """
    equal = {"hold_id": hold_id, "run_id": run_id, "case_id": case_id, "kind": kind}
    conditions: list[sql.Composable] = [
        sql.SQL("e.{} = {}").format(sql.Identifier(name), sql.Placeholder(name))
        for name, value in equal.items()
        if value is not None
    ]
    values: dict[str, Any] = {**equal, "after": after, "at_most": at_most, "page_bytes": PAGE_BYTES}
    if viewer is not None and not viewer.reads_all:
        conditions.append(sql.SQL("({})").format(sql.SQL(" OR ").join([_VISIBLE, *map(_stood_in, viewer.stands_in)])))
        values |= {"me": viewer.id, "roles": sorted(viewer.roles) if viewer.is_person else []}
    query = _READ.format(
        concerned=_CONCERNED,
        absent=_ABSENT,
        conditions=sql.SQL(" AND ").join([sql.SQL("e.seq > %(after)s"), *conditions]),
    )
    return await (await conn.execute(query, values)).fetchall()


def reached_end(rows: Sequence[DictRow], at_most: int) -> bool:
    """Whether a page that `read` gave holds everything that there was. A character has at most 4 bytes."""
    return len(rows) < at_most and sum(len(row["data"]) for row in rows) < PAGE_BYTES // 4


# whose person, token, sign-in link or sign-in an event is about; `data` of any other is not looked into
_CONCERNED = sql.SQL(
    """
    CASE split_part(e.type, '.', 1)
      WHEN 'person' THEN e.data ->> 'id'
      WHEN 'token' THEN e.data ->> 'principal'
      WHEN 'link' THEN e.data ->> 'principal'
      WHEN 'session' THEN e.actor_id::text
      WHEN 'absence' THEN e.data ->> 'stand_in'
    END
    """
)

# for whom a stand-in spoke
_ABSENT = sql.SQL(
    """
    CASE WHEN e.type IN ('hold.reviewed', 'hold.decided', 'hold.amended') THEN (e.data ->> 'on_behalf_of')::uuid END
    """
)

_VISIBLE = sql.SQL(
    """
    (e.opener_id = %(me)s OR e.starter_id = %(me)s OR a.roles && %(roles)s OR e.type LIKE 'brake.%%'
      OR ({concerned} = %(me)s::text AND e.type NOT LIKE 'person.%%'))
    """
).format(concerned=_CONCERNED)


def _stood_in(absent: StandIn) -> sql.Composable:
    """Of holds that the viewer decides for somebody who is away."""
    roles = sql.Literal(sorted(absent.roles))
    return sql.SQL("(a.roles && {} AND {})").format(roles, absences.covered(absent.scope, "h"))


_READ = sql.SQL(
    """
    SELECT * FROM (
      SELECT page.*, sum(octet_length(data)) OVER (ORDER BY seq) - octet_length(data) AS bytes_before FROM (
        SELECT e.seq, e.at, e.type, e.actor_id, p.name AS actor_name, p.kind AS actor_kind,
          o.id AS absent_id, o.name AS absent_name, o.kind AS absent_kind,
          e.hold_id, h.number AS hold_number, e.run_id, r.number AS run_number, e.case_id, e.kind, a.roles,
          e.opener_id, e.starter_id, h.level, h.action, h.stand_ins,
          ({concerned})::uuid AS principal_id, e.data::text AS data,
          extract(epoch FROM handrail_now() - e.at)::float AS age
        FROM events e LEFT JOIN audiences a ON a.id = e.audience_id LEFT JOIN principals p ON p.id = e.actor_id
          LEFT JOIN holds h ON h.id = e.hold_id LEFT JOIN runs r ON r.id = e.run_id
          LEFT JOIN principals o ON o.id = {absent}
        WHERE {conditions} ORDER BY e.seq LIMIT %(at_most)s
      ) AS page
    ) AS sized WHERE bytes_before < %(page_bytes)s ORDER BY seq
    """
)
