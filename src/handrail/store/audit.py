"""The audit log as it is exported: entries and seals in order; its head, and the key that seals it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import sql
from psycopg.rows import DictRow

from handrail.core import audit, errors
from handrail.core.audit import Seal
from handrail.core.verification import VERSION
from handrail.store.database import Connection, Database
from handrail.store.feed import CHAINED_COLUMNS, MOMENT, PAGE_BYTES

PAGE = 500
# an erasure or pruning is in force before it has its number: an export that would end in between waits for that, so
# long at most
ERASURE_SECONDS = 5.0
_LOOK_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Head:
    """`waiting`: events without a number yet. `erasing`: a statement that entries were emptied is among them."""

    seq: int
    hash: bytes
    key_id: str | None
    waiting: int
    erasing: bool


async def claim(conn: Connection, key_id: str) -> str:
    """The key that the log is sealed with; this one from now on, where there was none."""
    row = await (
        await conn.execute("UPDATE feed_head SET key_id = coalesce(key_id, %s) RETURNING key_id", (key_id,))
    ).fetchone()
    assert row is not None
    return row["key_id"]


async def seal_with(conn: Connection, key_id: str) -> None:
    """The next batch is sealed with this key, whatever the one before says."""
    await conn.execute("UPDATE feed_head SET key_id = %s", (key_id,))


async def head(conn: Connection) -> Head:
    row = await (
        await conn.execute(
            """
            SELECT seq, hash, key_id, (SELECT count(*) FROM event_inbox) AS waiting,
              EXISTS (SELECT FROM event_inbox WHERE type IN (%s, %s)) AS erasing FROM feed_head
            """,
            (audit.ERASED, audit.PRUNED),
        )
    ).fetchone()
    assert row is not None
    return Head(**row)


async def newest_seal(conn: Connection) -> Seal | None:
    rows = await (await conn.execute(_SEALS + sql.SQL("ORDER BY number DESC LIMIT 1"))).fetchall()
    return Seal(**rows[0]) if rows else None


async def export(database: Database, after: int = 0) -> AsyncGenerator[bytes]:
    """The log after an entry as JSON lines: a header, entries with the seals where they stand, and the end.

    Read page by page, so that a slow reader holds nothing; what is numbered meanwhile is in it too.
    """
    async with database.connection() as conn:
        previous = await _hash_of(conn, after)
    yield _line({"record": "header", "version": VERSION, "after": after, "hash": previous.hex()})
    waited = 0.0
    while True:
        async with database.connection() as conn:
            # before the page: what it counts must be in a page by then
            known = await head(conn)
            entries = await _entries(conn, after)
            until = entries[-1]["seq"] if entries else None
            seals = await _seals(conn, after, until)
        if not entries and known.erasing and waited < ERASURE_SECONDS:
            waited += _LOOK_SECONDS
            await asyncio.sleep(_LOOK_SECONDS)
            continue
        yield b"".join(_page(entries, seals))
        if until is None:
            break
        after = until
    end = {"record": "end", "seq": known.seq, "hash": known.hash.hex(), "waiting": known.waiting}
    yield _line(end)


def _page(entries: Sequence[DictRow], seals: Sequence[Seal]) -> Iterator[bytes]:
    left = list(reversed(seals))
    for entry in entries:
        while left and left[-1].seq < entry["seq"]:
            yield _line(left.pop().document())
        yield _entry_line(entry)
    for seal in reversed(left):
        yield _line(seal.document())


def _entry_line(row: dict[str, Any]) -> bytes:
    salt: bytes | None = row["salt"]
    hexed = {"salt": salt.hex() if salt else None, "data_hash": row["data_hash"].hex(), "hash": row["hash"].hex()}
    return _line({"record": "entry", **row, **hexed})


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


async def _hash_of(conn: Connection, seq: int) -> bytes:
    if seq == 0:
        return audit.GENESIS
    row = await (await conn.execute("SELECT hash FROM events WHERE seq = %s", (seq,))).fetchone()
    if row is None:
        raise errors.NotFound(f"There is no entry {seq}; give an existing number, or leave out `after`.")
    return row["hash"]


async def _entries(conn: Connection, after: int) -> Sequence[DictRow]:
    values = {"after": after, "at_most": PAGE, "page_bytes": PAGE_BYTES}
    return await (await conn.execute(_ENTRIES, values)).fetchall()


async def _seals(conn: Connection, after: int, until: int | None) -> Sequence[Seal]:
    """Those of the page; all that follow, where no entry does."""
    where = sql.SQL("WHERE seq > %(after)s AND (%(until)s::bigint IS NULL OR seq <= %(until)s) ORDER BY seq, number")
    rows = await conn.execute(_SEALS + where, {"after": after, "until": until})
    return [Seal(**row) for row in await rows.fetchall()]


_SEALS = sql.SQL("SELECT number, seq, hash, {at} AS at, key_id, signature FROM audit_seals ").format(at=MOMENT)
_ENTRIES = sql.SQL(
    """
    SELECT seq, {columns}, salt, data_hash, hash FROM (
      SELECT *, sum(octet_length(data::text)) OVER (ORDER BY seq) - octet_length(data::text) AS bytes_before
      FROM (SELECT * FROM events WHERE seq > %(after)s ORDER BY seq LIMIT %(at_most)s) AS page
    ) AS sized WHERE bytes_before < %(page_bytes)s ORDER BY seq
    """
).format(columns=CHAINED_COLUMNS)
