"""Uploaded documents: list them, read one again, delete one."""

from __future__ import annotations

import asyncio
from uuid import UUID

from handrail.core.errors import Forbidden, NotFound
from handrail.core.people import Principal
from handrail.documents import rendering
from handrail.documents.chunking import Chunk
from handrail.documents.extraction.blocks import Block, Extracted
from handrail.documents.kinds import DocumentKind
from handrail.documents.processing import Document
from handrail.store import documents
from handrail.store.database import Connection, Database


async def page(database: Database, who: Principal, before: UUID | None, limit: int) -> list[documents.Summary]:
    """Newest first: the caller's own, or all of them for a caller who reads all."""
    async with database.connection() as conn:
        return await documents.page(conn, None if who.reads_all else who.id, before, limit)


async def read(database: Database, who: Principal, document_id: UUID) -> Document:
    """As it was when it was uploaded."""
    async with database.connection() as conn:
        row = await _visible(conn, who, document_id)
        chunks = await documents.chunks_of(conn, document_id)
    return await asyncio.to_thread(_made, row, chunks)


async def delete(database: Database, who: Principal, document_id: UUID) -> None:
    """With its chunks, so that no search finds them."""
    async with database.transaction() as conn:
        row = await _visible(conn, who, document_id)
        if row.owner_id != who.id and not who.administers:
            raise Forbidden("only its uploader or an administrator can delete a document")
        await documents.delete(conn, document_id)


async def _visible(conn: Connection, who: Principal, document_id: UUID) -> documents.Row:
    row = await documents.get(conn, document_id)
    if row is None or not (row.owner_id == who.id or who.reads_all):
        raise NotFound(f"there is no document {document_id}; `GET /documents` lists yours")
    return row


def _made(row: documents.Row, chunks: list[documents.Piece]) -> Document:
    blocks = [Block(**block) for block in row.blocks]
    text, placed = rendering.markdown(blocks)
    return Document(
        row.id,
        row.name,
        DocumentKind(row.kind),
        row.digest,
        row.size,
        Extracted(row.metadata, row.pages, blocks),
        text,
        placed,
        rendering.sections(placed, len(text)),
        [Chunk(*chunk) for chunk in chunks],
    )
