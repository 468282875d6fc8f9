"""Documents on the wire."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.people import Who
from handrail.documents.kinds import DocumentKind


class Format(StrEnum):
    markdown = "markdown"
    json = "json"
    html = "html"


class BlockOut(BaseModel):
    kind: str = Field(description="`heading`, `paragraph`, `item`, `code`, `table` or `image`.")
    text: str
    level: int = Field(description="Of a heading, from 1; otherwise 0.")
    rows: list[list[str]] = Field(description="Of a table.")
    page: int | None


class SectionOut(BaseModel):
    """From a heading to the next one."""

    title: str
    level: int
    start: int
    end: int
    page: int | None


class TableOut(BaseModel):
    rows: list[list[str]]
    start: int
    end: int
    page: int | None


class ImageOut(BaseModel):
    """A description. The image itself is neither kept nor loaded."""

    description: str | None
    properties: dict[str, str] = Field(description="`name` or `source`, `width`, `height`.")
    start: int
    page: int | None


class ChunkOut(BaseModel):
    text: str
    start: int
    end: int
    page: int | None
    section: str | None


class DocumentHead(BaseModel):
    id: UUID
    name: str
    kind: DocumentKind
    digest: str = Field(description="SHA-256 of the file.")
    size: int
    pages: int | None = Field(description="Of a PDF.")


class DocumentSummary(DocumentHead):
    owner: Who = Field(description="Who uploaded it.")
    created_at: datetime


class DocumentList(BaseModel):
    documents: list[DocumentSummary]
    next: str | None


class DocumentOut(DocumentHead):
    """Positions count characters of the document's Markdown."""

    metadata: dict[str, str]
    format: Format
    text: str | list[BlockOut] = Field(description="Markdown or HTML; as JSON, the blocks. It is not sanitised.")
    sections: list[SectionOut]
    tables: list[TableOut]
    images: list[ImageOut]
    chunks: list[ChunkOut]


class FoundChunk(ChunkOut):
    id: int
    document_id: UUID
    document: str = Field(description="The file's name.")
    score: float = Field(description="Cosine of query and chunk; 1 is the same text.")


class FoundChunks(BaseModel):
    query: str
    chunks: list[FoundChunk]
    count: int
