"""The facts of every file of a repository, and the resolver of each language over them."""

import os
from pathlib import Path

from handrail.codegraph import languages
from handrail.codegraph.facts import FileFacts
from handrail.codegraph.languages.language import Language, Resolver

_MANIFEST_BYTES = 2_000_000


class Project:
    """What resolvers see. `modules` changes in place; when files come or go, `forget_resolvers` must be called."""

    def __init__(self, root: Path, modules: dict[str, FileFacts], manifests: list[str]) -> None:
        self.root = root
        self.modules = modules
        self.manifests = manifests
        self._resolvers: dict[str, Resolver] = {}

    def read(self, path: str) -> str:
        """The text of a regular file inside the root; empty for one that cannot be read or is reached by links."""
        try:
            if (self.root / path).resolve() != self.root / path:
                return ""
            descriptor = os.open(self.root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(descriptor, "rb") as stream:
                return stream.read(_MANIFEST_BYTES).decode("utf-8", "replace")
        except (OSError, ValueError):
            return ""

    def language_of(self, path: str) -> Language:
        return languages.load(self.modules[path].language)

    def resolver_of(self, path: str) -> Resolver:
        name = self.modules[path].language
        resolver = self._resolvers.get(name)
        if resolver is None:
            resolver = self._resolvers[name] = languages.load(name).resolver(self)
        return resolver

    def forget_resolvers(self) -> None:
        self._resolvers.clear()
