"""The chunks of all documents as vectors in memory, one FAISS index for each owner, made from the database."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from handrail.documents.lanes import Lane
from handrail.models.embeddings import Vectors
from handrail.models.indexes import Index
from handrail.store import documents
from handrail.store.database import Database

# documents that are read at once in one process, and of those that take long; each may take as much memory as the
# sandbox allows
READERS, SLOW_READERS = 2, 1


class Library:
    """One for each process. An index holds 1 KiB a chunk with the embedder that comes with Handrail."""

    def __init__(self) -> None:
        self.readers = Lane(READERS)
        self.slow_readers = Lane(SLOW_READERS)
        self._indexes: defaultdict[UUID, Index] = defaultdict(Index)
        self._last = 0
        self._changing = asyncio.Lock()

    async def nearest(
        self, database: Database, embedder: str, owner: UUID | None, query: Vectors, limit: int
    ) -> list[tuple[documents.FoundChunk, float]]:
        """The chunks nearest to the query, best first, of this owner or, with none, of all."""
        async with self._changing:
            await self._catch_up(database, embedder)
            while True:
                near = await asyncio.to_thread(self._search, owner, query, limit)
                async with database.connection() as conn:
                    found = await documents.chunks(conn, list(near), owner)
                gone = [id_ for id_ in near if id_ not in found]
                if not gone:
                    return [(found[id_], score) for id_, score in near.items()]
                # of documents that were given again since: they must not take the places of others
                self._remove(gone)

    async def _catch_up(self, database: Database, embedder: str) -> None:
        while True:
            async with database.connection() as conn:
                kept = await documents.vectors_after(conn, self._last, embedder)
            if not kept:
                return
            for owner in {row.owner_id for row in kept}:
                self._add(owner, [row for row in kept if row.owner_id == owner])
            self._last = kept[-1].id

    def _add(self, owner: UUID, kept: Sequence[documents.ChunkVector]) -> None:
        import numpy as np

        vectors = np.array([np.frombuffer(row.vector, np.float32) for row in kept], np.float32)
        self._indexes[owner].add([row.id for row in kept], vectors)

    def _search(self, owner: UUID | None, query: Vectors, limit: int) -> dict[int, float]:
        near: list[tuple[float, int]] = []
        for index in (index for of, index in self._indexes.items() if owner in {None, of}):
            near += index.search(query, limit)
        near.sort(key=lambda pair: (-pair[0], pair[1]))
        return {id_: score for score, id_ in near[:limit]}

    def _remove(self, gone: Sequence[int]) -> None:
        for index in self._indexes.values():
            index.remove(gone)
