"""Documents over HTTP: have one read, search what was read, list, read again, delete."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query, Request

from handrail.api import cursors, uploads, views
from handrail.api.cursors import Cursor, Limit
from handrail.api.identity import Opener, Reader, guarded_router, rates_of
from handrail.api.schemas.documents import (
    BlockOut,
    ChunkOut,
    DocumentList,
    DocumentOut,
    DocumentSummary,
    Format,
    FoundChunk,
    FoundChunks,
    ImageOut,
    SectionOut,
    TableOut,
)
from handrail.api.services import Services, Use
from handrail.documents import archive, rendering
from handrail.documents.chunking import LARGEST_SIZE, OVERLAP, SIZE, SMALLEST_SIZE
from handrail.documents.processing import Cut, Document, Documents, Upload
from handrail.models.embeddings import embedder
from handrail.sandbox import choose
from handrail.store import names

router = guarded_router("documents")

TextFormat = Annotated[Format, Query(alias="format", description="Of `text`.")]


@router.post("/process-pdf", status_code=201, summary="Read a document", openapi_extra=uploads.BODY)
async def process_pdf(
    request: Request,
    caller: Opener,
    services: Use,
    text_format: TextFormat = Format.markdown,
    chunk_size: Annotated[int, Query(ge=SMALLEST_SIZE, le=LARGEST_SIZE, description="Characters.")] = SIZE,
    overlap: Annotated[int, Query(ge=0, le=LARGEST_SIZE, description="Less than half of `chunk_size`.")] = OVERLAP,
) -> DocumentOut:
    """Read a PDF, an HTML page, plain text or Markdown: its text, sections, tables, images and chunks. You and auditors
    can then search it; sending the same file again replaces it."""
    await rates_of(request).opening(caller.principal)
    cut = Cut(chunk_size, overlap)
    cut.check()
    services.database.space.check()
    name, content = await uploads.take(request, services.settings.upload_megabytes)
    made = await _documents(services).process(caller.principal, Upload(name, content), cut)
    return _shown(made, text_format)


@router.get("/chunks", summary="Search documents by meaning")
async def find_chunks(
    caller: Reader,
    services: Use,
    q: Annotated[str, Query(min_length=1, max_length=2000, description="What to look for, in your own words.")],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> FoundChunks:
    """Chunks of your documents nearest in meaning, best first; auditors and administrators search all documents."""
    found = await _documents(services).search(caller.principal, q, limit)
    chunks = [
        FoundChunk(
            id=row.id,
            document_id=row.document_id,
            document=row.document,
            score=round(score, 4),
            text=row.text,
            start=row.starts,
            end=row.ends,
            page=row.page,
            section=row.section,
        )
        for row, score in found
    ]
    return FoundChunks(query=q, chunks=chunks, count=len(chunks))


@router.get("/documents", summary="List documents, newest first")
async def page(caller: Reader, services: Use, cursor: Cursor = None, limit: Limit = 100) -> DocumentList:
    """Your own; for auditors and administrators, all."""
    found = await archive.page(services.database, caller.principal, cursors.read(cursor), limit)
    async with services.database.connection() as conn:
        known = await names.of(conn, {each.owner_id for each in found})
    summaries = [
        DocumentSummary.model_validate({**each._asdict(), "owner": views.who(known[each.owner_id])}) for each in found
    ]
    return DocumentList(documents=summaries, next=cursors.following([each.id for each in found], limit))


@router.get("/documents/{document_id:uuid}", summary="Get a document as it was when it was processed")
async def look(
    document_id: UUID, caller: Reader, services: Use, text_format: TextFormat = Format.markdown
) -> DocumentOut:
    return _shown(await archive.read(services.database, caller.principal, document_id), text_format)


@router.delete("/documents/{document_id:uuid}", status_code=204, summary="Delete a document and its chunks")
async def delete(document_id: UUID, caller: Opener, services: Use) -> None:
    """Only its owner or an administrator can."""
    await archive.delete(services.database, caller.principal, document_id)


def _documents(services: Services) -> Documents:
    settings = services.settings
    return Documents(services.database, services.library, choose(settings.sandbox_image), embedder(settings))


def _shown(made: Document, wanted: Format) -> DocumentOut:
    extracted = made.extracted
    return DocumentOut(
        id=made.id,
        name=made.name,
        kind=made.kind,
        digest=made.digest,
        size=made.size,
        pages=extracted.pages,
        metadata=extracted.metadata,
        format=wanted,
        text=_text(made, wanted),
        sections=[SectionOut.model_validate(section, from_attributes=True) for section in made.sections],
        tables=[
            TableOut(rows=entry.block.rows, start=entry.start, end=entry.end, page=entry.block.page)
            for entry in made.placed
            if entry.block.kind == "table"
        ],
        images=[
            ImageOut(
                description=entry.block.text or None,
                properties=entry.block.properties,
                start=entry.start,
                page=entry.block.page,
            )
            for entry in made.placed
            if entry.block.kind == "image"
        ],
        chunks=[ChunkOut.model_validate(chunk, from_attributes=True) for chunk in made.chunks],
    )


def _text(made: Document, wanted: Format) -> str | list[BlockOut]:
    match wanted:
        case Format.markdown:
            return made.text
        case Format.html:
            return rendering.html(made.extracted.blocks)
        case Format.json:
            return [BlockOut.model_validate(block, from_attributes=True) for block in made.extracted.blocks]
