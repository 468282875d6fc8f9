"""The facts of every file of a repository, and the resolver of each language over them."""

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
        try:
            with (self.root / path).open("rb") as stream:
                return stream.read(_MANIFEST_BYTES).decode("utf-8", "replace")
        except OSError:
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
