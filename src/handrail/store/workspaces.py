"""The files that runs work on, as rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256
from uuid import UUID

from handrail.core.workspaces import File
from handrail.store import locks
from handrail.store.database import Connection
from handrail.store.locks import KeyedLock


async def files(conn: Connection, run_id: UUID) -> list[File]:
    """What is there, by path; without the contents."""
    rows = await conn.execute(
        "SELECT path, length(content) AS size, digest, changed_at FROM run_files WHERE run_id = %s ORDER BY path",
        (run_id,),
    )
    return [File(**row) for row in await rows.fetchall()]


async def content(conn: Connection, run_id: UUID, path: str) -> bytes | None:
    found = await conn.execute("SELECT content FROM run_files WHERE run_id = %s AND path = %s", (run_id, path))
    row = await found.fetchone()
    return bytes(row["content"]) if row else None


async def contents(conn: Connection, run_id: UUID) -> dict[str, bytes]:
    rows = await conn.execute("SELECT path, content FROM run_files WHERE run_id = %s ORDER BY path", (run_id,))
    return {row["path"]: bytes(row["content"]) for row in await rows.fetchall()}


async def lock(conn: Connection, run_id: UUID) -> None:
    """Until the transaction ends nobody else changes the run's files: their sum has a limit."""
    await locks.take_keyed(conn, KeyedLock.workspace, run_id)


async def change(conn: Connection, run_id: UUID, put: Mapping[str, bytes], remove: Collection[str] = ()) -> None:
    async with conn.cursor() as cursor:
        await cursor.executemany(
            """
            INSERT INTO run_files (run_id, path, content, digest, changed_at)
            VALUES (%s, %s, %s, %s, handrail_now())
            ON CONFLICT (run_id, path) DO UPDATE
              SET content = EXCLUDED.content, digest = EXCLUDED.digest, changed_at = EXCLUDED.changed_at
            """,
            [(run_id, path, body, sha256(body).hexdigest()) for path, body in put.items()],
        )
    await conn.execute("DELETE FROM run_files WHERE run_id = %s AND path = ANY(%s)", (run_id, list(remove)))
