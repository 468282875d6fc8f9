"""Documents and their chunks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from handrail.store import locks
from handrail.store.database import Connection
from handrail.store.locks import Lock

PAGE = 5000


class Row(NamedTuple):
    id: UUID
    owner_id: UUID
    name: str
    kind: str
    digest: str
    size: int
    pages: int | None
    metadata: dict[str, str]
    text: str
    blocks: list[Any]


class ChunkRow(NamedTuple):
    text: str
    starts: int
    ends: int
    page: int | None
    section: str | None
    embedder: str
    vector: bytes


class Summary(NamedTuple):
    id: UUID
    owner_id: UUID
    name: str
    kind: str
    digest: str
    size: int
    pages: int | None
    created_at: datetime


class Piece(NamedTuple):
    """A chunk without its vector."""

    text: str
    starts: int
    ends: int
    page: int | None
    section: str | None


class ChunkVector(NamedTuple):
    """A chunk's vector, and whose it is."""

    id: int
    owner_id: UUID
    vector: bytes


class FoundChunk(NamedTuple):
    id: int
    document_id: UUID
    document: str
    text: str
    starts: int
    ends: int
    page: int | None
    section: str | None


async def put(conn: Connection, row: Row, chunks: Sequence[ChunkRow]) -> UUID:
    """Writes a document with its chunks; of a content that its owner gave before, instead of that. The id stays."""
    # one at a time, so that ids of chunks follow the order of commits
    await locks.take(conn, Lock.documents)
    written = await conn.execute(
        """
        INSERT INTO documents (id, owner_id, name, kind, digest, size, pages, metadata, text, blocks, created_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, handrail_now())
        ON CONFLICT (owner_id, digest) DO UPDATE SET name = excluded.name, kind = excluded.kind,
          pages = excluded.pages, metadata = excluded.metadata, text = excluded.text, blocks = excluded.blocks
        RETURNING id
        """,
        (*row[:7], json.dumps(row.metadata), row.text, json.dumps(row.blocks)),
    )
    found = await written.fetchone()
    assert found is not None
    await conn.execute("DELETE FROM document_chunks WHERE document_id = %s", (found["id"],))
    async with conn.cursor() as cursor:
        await cursor.executemany(
            """
            INSERT INTO document_chunks (document_id, text, starts, ends, page, section, embedder, vector)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
            """,
            [(found["id"], *chunk) for chunk in chunks],
        )
    return found["id"]


async def page(conn: Connection, owner: UUID | None, before: UUID | None, limit: int) -> list[Summary]:
    """The newest first, of this owner or, with none, of all; `before` is the last id of the page before."""
    rows = await conn.execute(
        """
        SELECT id, owner_id, name, kind, digest, size, pages, created_at FROM documents
        WHERE owner_id = coalesce(%(owner)s, owner_id) AND (%(before)s::uuid IS NULL OR id < %(before)s)
        ORDER BY id DESC LIMIT %(limit)s
        """,
        {"owner": owner, "before": before, "limit": limit},
    )
    return [Summary(**row) for row in await rows.fetchall()]


async def get(conn: Connection, document_id: UUID) -> Row | None:
    found = await conn.execute(
        "SELECT id, owner_id, name, kind, digest, size, pages, metadata, text, blocks FROM documents WHERE id = %s",
        (document_id,),
    )
    row = await found.fetchone()
    return Row(**row) if row is not None else None


async def chunks_of(conn: Connection, document_id: UUID) -> list[Piece]:
    rows = await conn.execute(
        "SELECT text, starts, ends, page, section FROM document_chunks WHERE document_id = %s ORDER BY id",
        (document_id,),
    )
    return [Piece(**row) for row in await rows.fetchall()]


async def delete(conn: Connection, document_id: UUID) -> None:
    """With its chunks."""
    await conn.execute("DELETE FROM documents WHERE id = %s", (document_id,))


async def vectors_after(conn: Connection, last: int, embedder: str) -> list[ChunkVector]:
    """Of chunks with greater ids, in their order; at most a page of them."""
    rows = await conn.execute(
        """
        SELECT c.id, d.owner_id, c.vector FROM document_chunks c JOIN documents d ON d.id = c.document_id
        WHERE c.id > %s AND c.embedder = %s ORDER BY c.id LIMIT %s
        """,
        (last, embedder, PAGE),
    )
    return [ChunkVector(**row) for row in await rows.fetchall()]


async def chunks(conn: Connection, ids: Sequence[int], owner: UUID | None) -> dict[int, FoundChunk]:
    """Those of these that are there still, of this owner or, with none, of all."""
    rows = await conn.execute(
        """
        SELECT c.id, c.document_id, d.name AS document, c.text, c.starts, c.ends, c.page, c.section
        FROM document_chunks c JOIN documents d ON d.id = c.document_id
        WHERE c.id = ANY(%s) AND d.owner_id = coalesce(%s, d.owner_id)
        """,
        (list(ids), owner),
    )
    return {row["id"]: FoundChunk(**row) for row in await rows.fetchall()}
