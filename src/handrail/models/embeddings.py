"""Text as vectors of length one, so that their product says how near two texts are in meaning."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from handrail import extras
from handrail.core.errors import Misconfigured
from handrail.models.providers import connection, provided
from handrail.settings import Settings

if TYPE_CHECKING:
    # both take long to import, and a server may run for weeks without a need of either
    import numpy as np
    from langchain_core.embeddings import Embeddings

Vectors: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
LOCAL = "wordllama"


class Embedder(Protocol):
    """`name` says whose vectors they are: those of different embedders cannot be compared."""

    @property
    def name(self) -> str: ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text."""
        ...


def embedder(settings: Settings) -> Embedder:
    if settings.embeddings == LOCAL:
        return StaticEmbedder()
    from langchain.embeddings import init_embeddings

    name, options = settings.embeddings, connection(settings)
    if name.startswith("openai:"):
        # else it counts tokens, by tables that it fetches from the network
        options["check_embedding_ctx_length"] = False
    return ProviderEmbedder(name, provided("HANDRAIL_EMBEDDINGS", name, lambda: init_embeddings(name, **options)))


class StaticEmbedder:
    """On this machine and without a model's calculation: the mean of fixed vectors, one a token (`wordllama`'s).

    Thousands of short texts a second on one core. No network; 16 MiB of weights that came with the package.
    """

    name = LOCAL

    async def embed(self, texts: Sequence[str]) -> Vectors:
        extras.require("search")
        if find_spec(LOCAL) is None:
            raise Misconfigured(
                "wordllama has no package for this machine (Linux on arm64). Set HANDRAIL_EMBEDDINGS to a provider's "
                "model, such as openai:text-embedding-3-small."
            )
        return await asyncio.to_thread(self._embed, texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        tokenizer, weights = _weights()
        rows = [
            weights[encoded.ids].mean(axis=0)
            for encoded in tokenizer.encode_batch(_worded(texts), add_special_tokens=False)
        ]
        return normalised(np.array(rows, dtype=np.float32).reshape(len(texts), weights.shape[1]))


def _worded(texts: Sequence[str]) -> list[str]:
    # a text without a token has no mean
    return [text if text.strip() else "." for text in texts]


class ProviderEmbedder:
    def __init__(self, name: str, embeddings: Embeddings) -> None:
        self.name = name
        self._embeddings = embeddings

    async def embed(self, texts: Sequence[str]) -> Vectors:
        extras.require("search")
        import numpy as np

        return normalised(np.array(await self._embeddings.aembed_documents(list(texts)), dtype=np.float32))


def normalised(vectors: Vectors) -> Vectors:
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)


@cache
def _weights() -> tuple[Any, Vectors]:
    """Read from the package's files: importing it takes a second, for downloads that are not wanted."""
    import numpy as np
    import safetensors.numpy
    import tokenizers

    package = find_spec(LOCAL)
    assert package is not None and package.origin is not None, "a dependency of Handrail"
    folder = Path(package.origin).parent
    tokenizer: Any = cast("Any", tokenizers.Tokenizer).from_file(
        str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json")
    )
    tokenizer.no_padding()
    weights: dict[str, Vectors] = cast("Any", safetensors.numpy).load_file(
        folder / "weights" / "l2_supercat_256.safetensors"
    )
    return tokenizer, next(iter(weights.values())).astype(np.float32)
