"""What a language folder provides: how to read one of its files, and how its names lead from file to file."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

import tree_sitter

from handrail.codegraph.facts import FileFacts, Import


class Reference(NamedTuple):
    """A name's meaning. `module` is the path of a module, or an opaque id that the same resolver gave out for
    something without a file (a namespace package, a package prefix); `name` is what is meant inside it, empty for
    the module itself."""

    module: str
    name: str


class ImportTargets(NamedTuple):
    """Where one import statement leads."""

    modules: tuple[str, ...]
    """Paths of the modules imported: the ends of `imports` edges."""
    bindings: tuple[tuple[str, Reference], ...]
    """Local name → meaning."""
    wildcards: tuple[str, ...]
    """Modules whose every public name becomes visible."""
    external: str
    """The outside package's name where nothing in the repository is meant, else empty."""


NOTHING = ImportTargets((), (), (), "")


class Files(Protocol):
    """The repository as a resolver sees it."""

    @property
    def root(self) -> Path: ...

    @property
    def modules(self) -> Mapping[str, FileFacts]:
        """Facts of every indexed file, of every language, by path."""
        ...

    @property
    def manifests(self) -> Iterable[str]:
        """Paths of the build and settings files found (package.json, tsconfig.json, pom.xml, pyproject.toml …)."""
        ...

    def read(self, path: str) -> str:
        """The text of a manifest; empty where it cannot be read."""
        ...


class Resolver(Protocol):
    def name_of(self, path: str) -> str:
        """The module's name in its language (`django.db.models`, `com.acme.Orders`), for people and lookups."""
        ...

    def resolve_import(self, path: str, statement: Import) -> ImportTargets: ...

    def implicit(self, path: str, name: str) -> Reference | None:
        """The meaning of a name that needs no import: same package, same namespace, a fully qualified name's root."""
        ...

    def member(self, module: str, name: str) -> Reference | None:
        """A submodule (or nested package) `name` of `module`, which may be an opaque id given out earlier."""
        ...

    def module_named(self, path: str, target: str) -> str | None:
        """The module that a string names inside `path` (Django's `include("shop.urls")`)."""
        ...


class Grammar(NamedTuple):
    """How files of one suffix are parsed, and the query that is run over them."""

    language: Callable[[], object]
    query: str


@dataclass(frozen=True)
class Language:
    """One language. `grammars` maps a file suffix to its grammar."""

    name: str
    grammars: Mapping[str, Grammar]
    extract: Callable[["Capture"], FileFacts]
    resolver: Callable[[Files], Resolver]
    builtins: frozenset[str]
    """Names that are always there: a call of one is external, not unresolved."""
    members_in_scope: bool = False
    """True where a bare name inside a method may mean a member of the class around it (Java, C#, C++)."""
    shares_names: bool = False
    """True where files see names of others without an import (a Go package, C's functions): when the names that a file
    exports change, others may mean something else."""


class Capture(NamedTuple):
    """One parsed file, as `extract` gets it: the query has run once, `nodes` holds its captures by name in the
    order of the file."""

    source: bytes
    path: str
    root: tree_sitter.Node
    nodes: Mapping[str, list[tree_sitter.Node]]

    def of(self, name: str) -> list[tree_sitter.Node]:
        return self.nodes.get(name, [])

    def text(self, node: tree_sitter.Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")
