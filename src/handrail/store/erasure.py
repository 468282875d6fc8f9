"""What is kept of a person in rows: the texts that an erasure empties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import LiteralString
from uuid import UUID

from psycopg import sql

from handrail.core.holds import Hold
from handrail.store import holds
from handrail.store.database import Connection

_TABLES: dict[str, LiteralString] = {"events": "seq", "event_inbox": "id"}


async def stop_the_log(conn: Connection) -> None:
    """Until the transaction ends nothing gets a number: each event is in the log or in the inbox, and stays there."""
    await conn.execute("SELECT FROM feed_head FOR UPDATE")


async def data_of(conn: Connection, table: LiteralString, principal_id: UUID) -> Sequence[tuple[int, str]]:
    """Number and data of what the principal did, and of what is about them as a person or a token's owner."""
    query = sql.SQL(
        """
        SELECT {key} AS key, data::text AS data FROM {table} WHERE actor_id = %(id)s
          OR (type LIKE 'person.%%' AND data ->> 'id' = %(id)s::text)
          OR (type LIKE 'token.%%' AND data ->> 'principal' = %(id)s::text)
        ORDER BY {key}
        """
    ).format(key=sql.Identifier(_TABLES[table]), table=sql.Identifier(table))
    return [(row["key"], row["data"]) for row in await (await conn.execute(query, {"id": principal_id})).fetchall()]


async def replace_entries(conn: Connection, texts: Mapping[int, str]) -> None:
    """Their salts go too: what the data was can no longer be proved, nor tried out."""
    async with conn.cursor() as cursor:
        await cursor.executemany(
            "UPDATE events SET data = %s, salt = NULL WHERE seq = %s", [(text, seq) for seq, text in texts.items()]
        )


async def replace_waiting(conn: Connection, texts: Mapping[int, str]) -> None:
    async with conn.cursor() as cursor:
        await cursor.executemany(
            "UPDATE event_inbox SET data = %s WHERE id = %s", [(text, id_) for id_, text in texts.items()]
        )


async def holds_with(conn: Connection, principal_id: UUID) -> Sequence[Hold]:
    """Holds whose state names the principal, locked."""
    rows = await conn.execute(
        "SELECT state::text AS state FROM holds WHERE position(%s in state::text) > 0 ORDER BY id FOR UPDATE",
        (str(principal_id),),
    )
    return [holds.read(row) for row in await rows.fetchall()]


async def revisions_with(conn: Connection, principal_id: UUID) -> Sequence[Hold]:
    """The same of revisions that an amendment replaced."""
    rows = await conn.execute(
        "SELECT state::text AS state FROM hold_revisions WHERE position(%s in state::text) > 0", (str(principal_id),)
    )
    return [holds.read(row) for row in await rows.fetchall()]


async def empty_texts(conn: Connection, principal_id: UUID, name: str) -> None:
    """The name, address, comments, labels of tokens, sign-ins, reasons of policies; and notices: events prove those."""
    values = {"id": principal_id, "name": name}
    await conn.execute(
        "UPDATE principals SET name = %(name)s, password_hash = NULL, email = NULL WHERE id = %(id)s", values
    )
    await conn.execute("DELETE FROM attestations WHERE position(%(id)s::text in attestation::text) > 0", values)
    await conn.execute(
        """
        DELETE FROM deliveries WHERE (status <> 'queued' AND %(id)s = ANY(people)) OR (event = 'hold.commented'
          AND hold_id IN (SELECT hold_id FROM comments WHERE principal_id = %(id)s))
        """,
        values,
    )
    await conn.execute(
        """
        DELETE FROM messages WHERE destination = %(id)s::text OR (channel, destination) IN
          (SELECT channel, account FROM linked_accounts WHERE principal_id = %(id)s
            UNION ALL SELECT 'push', id::text FROM push_devices WHERE principal_id = %(id)s)
        """,
        values,
    )
    await conn.execute("DELETE FROM linked_accounts WHERE principal_id = %(id)s", values)
    for table in ("assignees", "snoozes", "saved_views", "date_choices", "packs_shown"):
        await conn.execute(sql.SQL("DELETE FROM {} WHERE principal_id = %(id)s").format(sql.Identifier(table)), values)
    await conn.execute("DELETE FROM mail_windows WHERE principal_id = %(id)s", values)
    await conn.execute("DELETE FROM channel_choices WHERE principal_id = %(id)s", values)
    await conn.execute("DELETE FROM push_devices WHERE principal_id = %(id)s", values)
    await conn.execute("UPDATE comments SET text = '' WHERE principal_id = %(id)s", values)
    await conn.execute("UPDATE tokens SET label = NULL WHERE principal_id = %(id)s", values)
    await conn.execute("DELETE FROM sign_ins WHERE principal_id = %(id)s", values)
    await conn.execute("UPDATE samples SET reason = NULL WHERE looked_by = %(id)s", values)
    await conn.execute("UPDATE observations SET reason = '' WHERE begun_by = %(id)s", values)
    await conn.execute("UPDATE absences SET reason = NULL WHERE set_by = %(id)s", values)
    await conn.execute("UPDATE policies SET reason = NULL WHERE applied_by = %(id)s", values)
