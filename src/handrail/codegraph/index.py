"""Build the code graph of a repository, and keep it up to date."""

import gc
import hashlib
import os
import stat
from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from handrail.codegraph import cache, extraction, facts, languages, reading
from handrail.codegraph.extraction import Extraction
from handrail.codegraph.facts import FileFacts
from handrail.codegraph.graph import Graph
from handrail.codegraph.languages import language_of
from handrail.codegraph.model import Endpoint
from handrail.codegraph.parts import Context, Identities, part_of
from handrail.codegraph.project import Project
from handrail.codegraph.resolve import endpoints, module
from handrail.codegraph.resolve.methods import Methods
from handrail.codegraph.resolve.module import NAME_PREFIX, TARGETS, Resolution, Target, moved
from handrail.codegraph.resolve.values import Tables
from handrail.codegraph.surface import changed_names
from handrail.codegraph.tags import tags_of
from handrail.codegraph.walk import FileEntry, Limits, SkippedPath, walk


class Progress(NamedTuple):
    """How far a build is: `stage` is walk, read, resolve or done."""

    stage: str
    done: int
    total: int


@dataclass(frozen=True)
class Options:
    limits: Limits = field(default_factory=Limits)
    workers: int = 0
    """Worker processes; 0 means one for each core."""
    cache_folder: Path | None = None
    """Where facts of earlier runs are kept; None keeps none."""


class Update(NamedTuple):
    """What an update did."""

    changed: tuple[str, ...]
    """Files read again, added or gone."""
    resolved: tuple[str, ...]
    """Modules resolved again because of them."""


def build(root: Path, options: Options = Options(), on_progress: Callable[[Progress], None] | None = None) -> "Index":
    """Read and resolve a whole repository. Files that cannot be read end up in `Index.skipped`."""
    index = Index(root.resolve(), options)
    collecting = gc.isenabled()
    gc.disable()  # a build makes hundreds of thousands of objects and no garbage: collections double its time
    try:
        index.load(on_progress or (lambda _: None))
    finally:
        if collecting:
            gc.enable()
    return index


class Index:
    """A graph with what is needed to update it."""

    def __init__(self, root: Path, options: Options) -> None:
        self.root = root
        self.options = options
        self.graph = Graph()
        self._left_out: list[SkippedPath] = []
        self._unread: dict[str, str] = {}
        self._stamps: dict[str, tuple[int, int]] = {}
        self._hashes: dict[str, str] = {}
        self._settings: dict[str, tuple[int, int]] = {}
        self._modules: dict[str, FileFacts] = {}
        self._project = Project(root, self._modules, [])
        self._tables = Tables(self._project)
        self._methods = Methods()
        self._identities = Identities()
        self._resolved: dict[str, Resolution] = {}
        self._touchers: dict[str, set[str]] = {}
        self._web_touched: set[str] = set()
        self._tests: dict[str, bool] = {}
        self._context = Context(
            self._identities,
            self._is_entity,
            self._is_stored,
            lambda path: self._tests.get(path, False),
            self._resolved.__getitem__,
        )

    @property
    def skipped(self) -> list[SkippedPath]:
        """What was left out, and why."""
        return sorted((*self._left_out, *(SkippedPath(path, reason) for path, reason in self._unread.items())))

    @property
    def manifests(self) -> list[str]:
        return self._project.manifests

    def manifest(self, path: str) -> str:
        """The text of a manifest; empty where it cannot be read."""
        return self._project.read(path)

    @property
    def facts(self) -> dict[str, FileFacts]:
        return self._modules

    def load(self, on_progress: Callable[[Progress], None]) -> None:
        tree = walk(self.root, self.options.limits)
        self._left_out = tree.skipped
        self._project.manifests = tree.manifests
        self._settings = self._stamps_of(tree.manifests)
        on_progress(Progress("read", 0, len(tree.files)))
        folder = self.options.cache_folder
        with nullcontext() if folder is None else cache.FactsCache(folder, self.root) as store:
            self._read(tree.files, store, on_progress)
            paths = sorted(self._modules)
            for path in paths:
                self._learn(path)
            if store is None:
                self._resolve_all(paths, on_progress)
            else:
                self._resolve_with(store, paths, on_progress)
        for path in paths:
            self._put(path)
        self._serve()
        on_progress(Progress("done", len(paths), len(paths)))

    def _resolve_all(self, paths: list[str], on_progress: Callable[[Progress], None]) -> None:
        for done, path in enumerate(paths):
            self._resolve(path)
            if done % 100 == 0:
                on_progress(Progress("resolve", done, len(paths)))

    def _resolve_with(self, store: cache.FactsCache, paths: list[str], on_progress: Callable[[Progress], None]) -> None:
        """As it was kept, where every file and manifest is still the same."""
        key = self._key(paths)
        kept = store.resolved(key)
        if kept is None:
            self._resolve_all(paths, on_progress)
            store.keep_resolved(key, module.encode(self._resolved))
            return
        for path, resolved in module.decode(kept).items():
            self._keep(path, resolved)

    def _key(self, paths: list[str]) -> str:
        """A digest of all that names are resolved from; a folder above the root may make it part of a package."""
        above = [(folder / "__init__.py").is_file() for folder in self.root.parents]
        manifests = [(path, self.manifest(path)) for path in self.manifests]
        parts = (cache.reader_version(), [(path, self._hashes[path]) for path in paths], manifests, above)
        return hashlib.sha256(repr(parts).encode("utf-8", "replace")).hexdigest()

    def update(self, paths: Iterable[str] | None = None) -> Update:
        """Take in changes: of the given paths, or of whatever has another size or time than when it was read."""
        paths = None if paths is None else list(paths)
        found = {file.path: file for file in self._changed(paths)}
        gone = self._gone(paths)
        before = {path: self._modules.get(path) for path in (*found, *gone)}
        for path in gone:
            self._forget(path)
        read: list[Extraction] = []
        extraction.extract(self.root, list(found.values()), self.options.limits.max_bytes, self._workers, read.append)
        for result in read:
            self._take(result, found[result.path])
        settings = self._stamps_of(self._project.manifests)
        has_new_settings, self._settings = settings != self._settings, settings
        return self._refresh(before, has_new_settings)

    def _stamps_of(self, paths: list[str]) -> dict[str, tuple[int, int]]:
        """Size and time of each manifest: names may lead elsewhere when one changes."""
        found: dict[str, tuple[int, int]] = {}
        for path in paths:
            with suppress(OSError):
                status = (self.root / path).lstat()
                found[path] = (status.st_size, status.st_mtime_ns)
        return found

    def _refresh(self, before: dict[str, FileFacts | None], resolve_all: bool) -> Update:
        """Resolve again what changed, and who asked for a name that means something else now."""
        changed = [path for path, old in before.items() if self._modules.get(path) is not old]
        renewed = {path for path in changed if path in self._modules}
        if resolve_all or any(self._leads_elsewhere(before[path], self._modules.get(path)) for path in changed):
            self._project.forget_resolvers()
            self._tables.forget_all()
            renewed = set(self._modules)
        for path in changed:
            self._tables.forget(path)
            old, new = before[path], self._modules.get(path)
            if old is not None:
                self._methods.remove(path, old)
            places = self._learn(path) if new is not None else {}
            if old is not None and new is not None:
                renewed |= self._touched_by(path, old, new)
                self._follow(path, places, renewed)
        for path in renewed:
            self._resolve(path)
        for path in renewed:
            self._put(path)
        if any(
            p in self._web_touched or (p in self._modules and _is_web(self._modules[p])) for p in (*renewed, *changed)
        ):
            self._serve()
        return Update(tuple(sorted(changed)), tuple(sorted(renewed)))

    def _leads_elsewhere(self, old: FileFacts | None, new: FileFacts | None) -> bool:
        """True where imports may lead to other modules now: a file came or went, or types have other full names."""
        if old is None or new is None:
            return old is not new
        language = languages.load(new.language)
        return (language.members_in_scope or language.shares_names) and old.exports != new.exports

    def _touched_by(self, path: str, old: FileFacts, new: FileFacts) -> set[str]:
        """Who looked for a name of a module that means something else now."""
        names = changed_names(old, new)
        touchers = self._touchers.get(path, set[str]())
        if names is None:
            names = frozenset(definition.name for definition in (*old.definitions, *new.definitions))
            found = set(touchers)
        else:
            asked = {(path, name) for name in names}
            found = {toucher for toucher in touchers if not asked.isdisjoint(self._resolved[toucher].asked)}
        found.update(*(self._touchers.get(NAME_PREFIX + name, ()) for name in names))
        return found & self._modules.keys()

    def _follow(self, path: str, places: dict[int, int], renewed: set[str]) -> None:
        """Who is not resolved again still knows where the definitions of a module stood."""
        targets = {index for index, d in enumerate(self._modules[path].definitions) if d.kind in TARGETS}
        if targets.isdisjoint(places.values()):
            return
        for toucher in self._touchers.get(path, set[str]()) - renewed:
            self._resolved[toucher] = moved(self._resolved[toucher], path, places)

    @property
    def _workers(self) -> int:
        return self.options.workers or os.cpu_count() or 1

    def _read(
        self, files: list[FileEntry], store: cache.FactsCache | None, on_progress: Callable[[Progress], None]
    ) -> None:
        if store is None:
            self._extract(files, {}, on_progress)
            return
        known = store.load()
        rows = self._extract(files, known, on_progress)
        store.save(rows, known.keys() - {file.path for file in files})

    def _extract(
        self, files: list[FileEntry], known: dict[str, tuple[str, bytes]], on_progress: Callable[[Progress], None]
    ) -> list[tuple[str, str, bytes]]:
        """Facts from the cache where the content is the same, else from the files; returns the new ones."""
        by_path = {file.path: file for file in files}
        fresh: list[FileEntry] = []
        for file in files:
            row = known.get(file.path)
            content = reading.read(self.root, file.path, self.options.limits.max_bytes) if row is not None else None
            if row is not None and content is not None and row[0] == cache.key_of(content.hash):
                self._take(Extraction(file.path, content.hash, content.reason, facts.decode(row[1])), file)
            else:
                fresh.append(file)
        rows: list[tuple[str, str, bytes]] = []

        def take(result: Extraction) -> None:
            self._take(result, by_path[result.path])
            if self.options.cache_folder is not None and result.facts is not None:
                rows.append((result.path, cache.key_of(result.hash), result.data or facts.encode(result.facts)))
            count = len(self._modules)
            if count % 10 == 0:
                on_progress(Progress("read", count, len(files)))

        extraction.extract(self.root, fresh, self.options.limits.max_bytes, self._workers, take)
        on_progress(Progress("read", len(files), len(files)))
        return rows

    def _take(self, result: Extraction, file: FileEntry) -> None:
        self._unread.pop(result.path, None)
        if result.reason:
            self._forget(result.path)
            self._unread[result.path] = result.reason
        self._stamps[result.path] = (file.size, file.mtime)
        if result.facts is not None and self._hashes.get(result.path) != result.hash:
            self._hashes[result.path] = result.hash
            self._modules[result.path] = result.facts

    def _changed(self, paths: Iterable[str] | None) -> list[FileEntry]:
        if paths is None:
            tree = walk(self.root, self.options.limits)
            self._left_out, self._project.manifests = tree.skipped, tree.manifests
            return [file for file in tree.files if self._stamps.get(file.path) != (file.size, file.mtime)]
        found: list[FileEntry] = []
        for path in paths:
            try:
                status = (self.root / path).lstat()
            except OSError:
                continue
            if language_of(path) is not None and stat.S_ISREG(status.st_mode) and ".." not in path.split("/"):
                found.append(FileEntry(path, status.st_size, status.st_mtime_ns))
        return found

    def _gone(self, paths: Iterable[str] | None) -> list[str]:
        known = self._stamps if paths is None else [path for path in paths if path in self._stamps]
        return [path for path in known if not (self.root / path).is_file()]

    def _forget(self, path: str) -> None:
        self._modules.pop(path, None)
        self._hashes.pop(path, None)
        self._stamps.pop(path, None)
        self._tests.pop(path, None)
        self._unread.pop(path, None)
        self._drop_touches(path)
        self._resolved.pop(path, None)
        self.graph.remove(path)

    def _learn(self, path: str) -> dict[int, int]:
        """Where definitions of a module are now that stood elsewhere in it before."""
        found = self._modules[path]
        self._methods.add(path, found)
        self._tests[path] = "test" in tags_of(path, ())
        return self._identities.learn(path, found)

    def _resolve(self, path: str) -> None:
        self._drop_touches(path)
        self._keep(path, module.resolve(self._tables, path, self._methods))

    def _keep(self, path: str, resolved: Resolution) -> None:
        self._resolved[path] = resolved
        for key in resolved.touched:
            self._touchers.setdefault(key, set()).add(path)

    def _drop_touches(self, path: str) -> None:
        old = self._resolved.get(path)
        for key in old.touched if old is not None else ():
            self._touchers[key].discard(path)

    def _put(self, path: str) -> None:
        name = self._project.resolver_of(path).name_of(path)
        self.graph.put(
            part_of(path, name, self._hashes[path], self._modules[path], self._resolved[path], self._context)
        )

    def _is_entity(self, target: Target, depth: int = 0) -> bool:
        definition = self._modules[target.module].definitions[target.definition]
        if "entity" in definition.tags:
            return True
        if not definition.ancestors or depth > 10:
            return False
        bases = (a.target for a in self._resolved[target.module].ancestors if a.definition == target.definition)
        return any(self._is_entity(base, depth + 1) for base in bases)

    def _is_stored(self, target: Target) -> bool:
        definition = self._modules[target.module].definitions[target.definition]
        return "repository" in definition.tags or self._is_entity(target)

    def _serve(self) -> None:
        web = sorted(path for path, found in self._modules.items() if _is_web(found))
        served, touched = endpoints.serve(self._tables, web)
        self._web_touched = {*touched, *web}
        seen: dict[str, int] = {}
        nodes: list[Endpoint] = []
        for item in sorted(served, key=lambda s: (s.path, s.method, s.module, s.line)):
            label = f"{item.method} {item.path}"
            count = seen[label] = seen.get(label, 0) + 1
            handler = self._identities.of(item.handler) if item.handler is not None else None
            owner = item.handler.module if item.handler is not None else item.module
            nodes.append(
                Endpoint(
                    label if count == 1 else f"{label} #{count}",
                    item.method,
                    item.path,
                    item.framework,
                    owner,
                    handler,
                    item.line,
                    item.confidence,
                )
            )
        self.graph.put_endpoints(nodes)


def _is_web(found: FileFacts) -> bool:
    return bool(found.routes or found.routers or found.mounts)
