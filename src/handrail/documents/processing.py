"""Takes a document in: reads it in the sandbox, cuts it into chunks, keeps both; and searches what was kept."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from uuid import UUID

from handrail.core import ids
from handrail.core.errors import InvalidField, UnreadableDocument
from handrail.core.people import Principal
from handrail.documents import chunking, extracting, rendering
from handrail.documents.chunking import Chunk
from handrail.documents.extracting import extract
from handrail.documents.extraction.blocks import Extracted
from handrail.documents.kinds import DocumentKind, kind_of
from handrail.documents.library import Library
from handrail.documents.rendering import Placed, Section
from handrail.models.embeddings import Embedder
from handrail.sandbox import Sandbox
from handrail.store import documents
from handrail.store.database import Database


@dataclass(frozen=True, slots=True)
class Upload:
    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Cut:
    """How long chunks are, and how much of one comes again in the next, in characters."""

    size: int = chunking.SIZE
    overlap: int = chunking.OVERLAP

    def check(self) -> None:
        if self.overlap * 2 >= self.size:
            raise InvalidField(
                f"`overlap` is {self.overlap}; it must be less than half of `chunk_size`, {self.size}", field="overlap"
            )


@dataclass(frozen=True, slots=True)
class Document:
    """`text` is Markdown; all positions count its characters."""

    id: UUID
    name: str
    kind: DocumentKind
    digest: str
    size: int
    extracted: Extracted
    text: str
    placed: list[Placed]
    sections: list[Section]
    chunks: list[Chunk]


@dataclass(frozen=True, slots=True)
class Documents:
    """What documents are taken in and found with."""

    database: Database
    library: Library
    sandbox: Sandbox
    embedder: Embedder

    async def process(self, who: Principal, upload: Upload, cut: Cut = Cut()) -> Document:
        """The document, read and kept. The same content of the same principal takes its own place."""
        cut.check()
        kind = kind_of(upload.name, upload.content)
        extracted = await self._read(who, kind, upload.content)
        made = await asyncio.to_thread(_made, upload, kind, extracted, cut)
        return await self._keep(who, made)

    async def _read(self, who: Principal, kind: DocumentKind, content: bytes) -> Extracted:
        """In a few seconds; what takes longer begins again in a lane of its own, where only its like wait for it."""
        async with self.library.readers.place(who.id):
            try:
                return await extract(self.sandbox, kind, content, extracting.FIRST)
            except UnreadableDocument as error:
                if error.data["reason"] not in extracting.TOO_SLOW:
                    raise
        async with self.library.slow_readers.place(who.id):
            return await extract(self.sandbox, kind, content, extracting.LIMITS)

    async def search(self, who: Principal, query: str, limit: int) -> list[tuple[documents.FoundChunk, float]]:
        """The chunks nearest in meaning, best first, with the cosine: of what the principal may see."""
        vector = await self.embedder.embed([query])
        owner = None if who.reads_all else who.id
        return await self.library.nearest(self.database, self.embedder.name, owner, vector, limit)

    async def _keep(self, who: Principal, made: Document) -> Document:
        extracted = made.extracted
        row = documents.Row(
            made.id,
            who.id,
            made.name,
            made.kind,
            made.digest,
            made.size,
            extracted.pages,
            extracted.metadata,
            made.text,
            [asdict(block) for block in extracted.blocks],
        )
        rows = await self._vectors(made.chunks) if made.chunks else []
        async with self.database.transaction() as conn:
            kept = await documents.put(conn, row, rows)
        return replace(made, id=kept)

    async def _vectors(self, chunks: list[Chunk]) -> list[documents.ChunkRow]:
        vectors = await self.embedder.embed([chunk.text for chunk in chunks])
        return [
            documents.ChunkRow(
                chunk.text, chunk.start, chunk.end, chunk.page, chunk.section, self.embedder.name, vector.tobytes()
            )
            for chunk, vector in zip(chunks, vectors, strict=True)
        ]


def _made(upload: Upload, kind: DocumentKind, extracted: Extracted, cut: Cut) -> Document:
    text, placed = rendering.markdown(extracted.blocks)
    sections = rendering.sections(placed, len(text))
    return Document(
        ids.fresh(),
        upload.name,
        kind,
        sha256(upload.content).hexdigest(),
        len(upload.content),
        extracted,
        text,
        placed,
        sections,
        chunking.chunks(text, placed, sections, cut.size, cut.overlap),
    )
