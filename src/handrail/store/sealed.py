"""Answers with secrets: their boxes as rows, and the key that opens them, which lies outside the database."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from handrail.core.canonical import Json
from handrail.core.errors import Misconfigured
from handrail.core.sealing import KEY_BYTES, Sealer
from handrail.store.database import Connection, Cursor
from handrail.store.private import make_folder


class Box(NamedTuple):
    hold_id: UUID
    run_id: UUID | None
    box: bytes
    # of the hold's question: it says which parts are secret
    schema: Json


async def put(conn: Connection, hold_id: UUID, run_id: UUID | None, box: bytes) -> None:
    """In the place of the one before, where a hold that was opened again is answered again."""
    await conn.execute(
        """
        INSERT INTO sealed_answers (hold_id, run_id, box) VALUES (%s, %s, %s)
        ON CONFLICT (hold_id) DO UPDATE SET box = EXCLUDED.box
        """,
        (hold_id, run_id, box),
    )


async def get(conn: Connection, hold_id: UUID) -> bytes | None:
    row = await (await conn.execute("SELECT box FROM sealed_answers WHERE hold_id = %s", (hold_id,))).fetchone()
    return bytes(row["box"]) if row else None


async def of_runs(conn: Connection, run_ids: Collection[UUID]) -> list[Box]:
    return await boxes(await ask_of_runs(conn, run_ids))


async def ask_of_runs(conn: Connection, run_ids: Collection[UUID]) -> Cursor:
    """Gives what `boxes` reads: the two are apart because this may be part of a pipeline."""
    return await conn.execute(
        """
        SELECT s.hold_id, s.run_id, s.box, h.state -> 'question' -> 'schema' AS schema
        FROM sealed_answers s JOIN holds h ON h.id = s.hold_id WHERE s.run_id = ANY(%s)
        """,
        (list(run_ids),),
    )


async def boxes(asked: Cursor) -> list[Box]:
    return [Box(row["hold_id"], row["run_id"], bytes(row["box"]), row["schema"]) for row in await asked.fetchall()]


async def delete(conn: Connection, hold_id: UUID) -> None:
    await conn.execute("DELETE FROM sealed_answers WHERE hold_id = %s", (hold_id,))


async def delete_used(conn: Connection) -> int:
    """Those of runs that have ended and cannot be retried; how many."""
    gone = await conn.execute(
        """
        DELETE FROM sealed_answers s USING runs r
        WHERE r.id = s.run_id AND r.status IN ('completed', 'cancelled', 'expired')
        """
    )
    return gone.rowcount


def sealer_of(path: Path) -> Sealer:
    """The sealer with this file's key, made where there is none; safe for processes that start at once."""
    try:
        if not path.exists():
            make_folder(path.parent)
            draft = path.with_name(f".{path.name}.{os.getpid()}")
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(os.urandom(KEY_BYTES))
            with suppress(FileExistsError):
                os.link(draft, path)
            draft.unlink()
        key = path.read_bytes()
    except OSError as error:
        raise Misconfigured(
            f"The key for secret answers {path} (HANDRAIL_ANSWER_KEY_FILE) cannot be used: {error.strerror}."
        ) from error
    if len(key) != KEY_BYTES:
        raise Misconfigured(f"{path} (HANDRAIL_ANSWER_KEY_FILE) is not a key: it must have {KEY_BYTES} bytes.")
    return Sealer(key)
