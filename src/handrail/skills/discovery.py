"""Finds skills by what they do: their descriptions as vectors in a FAISS index, kept in the database."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from handrail import extras
from handrail.models.embeddings import Embedder, Vectors
from handrail.models.indexes import Index
from handrail.store import skills as rows
from handrail.store.database import Database
from handrail.store.skills import Description


@dataclass(frozen=True, slots=True)
class Match:
    """`score` is the cosine of query and description: 1 is the same text."""

    skill: str
    description: str
    score: float


class Discovery:
    """One index for each process, made again when the skills in force are others than before."""

    def __init__(self, database: Database, embedder: Embedder, threshold: float) -> None:
        self._database = database
        self._embedder = embedder
        self._threshold = threshold
        self._indexed: tuple[Description, ...] = ()
        self._index = Index()
        self._changing = asyncio.Lock()

    async def search(self, query: str, limit: int = 5) -> list[Match]:
        """The skills nearest to the query, best first; none where all are below the threshold."""
        index, known = await self._current()
        if not known:
            return []
        return [
            Match(known[place].name, known[place].description, round(score, 4))
            for score, place in index.search(await self._embedder.embed([query]), limit)
            if score >= self._threshold
        ]

    async def _current(self) -> tuple[Index, tuple[Description, ...]]:
        async with self._database.connection() as conn:
            known = tuple(await rows.descriptions(conn))
        async with self._changing:
            if known != self._indexed:
                index = Index()
                index.add(range(len(known)), await self._vectors(known))
                self._index, self._indexed = index, known
            return self._index, self._indexed

    async def _vectors(self, known: Sequence[Description]) -> Vectors:
        extras.require("search")
        import numpy as np

        texts = {_hash(text): text for text in map(text_of, known)}
        async with self._database.connection() as conn:
            kept = await rows.vectors(conn, self._embedder.name, list(texts))
        missing = [name for name in texts if name not in kept]
        if missing:
            made = await self._embedder.embed([texts[name] for name in missing])
            fresh = {name: vector.tobytes() for name, vector in zip(missing, made, strict=True)}
            async with self._database.transaction() as conn:
                await rows.keep_vectors(conn, self._embedder.name, fresh)
            kept |= fresh
        return np.array([np.frombuffer(kept[_hash(text_of(one))], np.float32) for one in known], np.float32)


def text_of(one: Description) -> str:
    """What is compared with a query: the name says something too."""
    return f"{one.name.replace('-', ' ')}: {one.description}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
