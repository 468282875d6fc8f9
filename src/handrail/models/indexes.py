"""The nearest of many vectors: a FAISS index whose entries have numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from handrail.models.embeddings import Vectors


class Index:
    """Compares with all vectors, exactly: a few hundred thousand need no shortcut."""

    def __init__(self) -> None:
        self._index: Any = None

    def add(self, ids: Sequence[int], vectors: Vectors) -> None:
        if not len(vectors):
            return
        import faiss
        import numpy as np

        if self._index is None:
            self._index = cast("Any", faiss).IndexIDMap2(cast("Any", faiss).IndexFlatIP(vectors.shape[1]))
        self._index.add_with_ids(vectors, np.array(ids, np.int64))

    def remove(self, ids: Sequence[int]) -> None:
        import numpy as np

        if self._index is not None:
            self._index.remove_ids(np.array(ids, np.int64))

    def search(self, query: Vectors, limit: int) -> list[tuple[float, int]]:
        """Score and number of at most so many, best first."""
        if self._index is None:
            return []
        scores, ids = self._index.search(query, limit)
        return [(score, id_) for score, id_ in zip(scores[0].tolist(), ids[0].tolist(), strict=True) if id_ >= 0]
