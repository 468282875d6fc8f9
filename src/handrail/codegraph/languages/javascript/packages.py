"""package.json: what a package's name, `exports`, `imports` and `main` lead to, and the packages of a workspace."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, cast

from handrail.codegraph.languages.javascript import folders
from handrail.codegraph.languages.javascript.manifests import mapping, read_object, texts
from handrail.codegraph.languages.language import Files

_PNPM = re.compile(r"^\s*-\s*[\"']?([^\"'#\n]+?)[\"']?\s*(?:#.*)?$", re.MULTILINE)
_OUTPUT = re.compile(r"(^|/)(?:dist|lib|build|out|esm|cjs|es|module)(?:/(?:esm|cjs|es|src))?/")
"""Folders of built files: the source stands in `src`."""
_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_MAX_DEPTH = 10


@dataclass(frozen=True)
class Package:
    folder: str
    content: dict[str, Any]

    def entries(self, subpath: str, kind: str) -> list[str]:
        """Paths that `<name>/<subpath>` may stand for, best first; `subpath` is empty for the package itself."""
        found: list[str] = []
        exports = self.content.get("exports")
        if exports is not None:
            found += _exported(exports, f"./{subpath}" if subpath else ".", kind)
        if subpath:
            found += [] if exports is not None else [subpath]
            found += [f"src/{subpath}", subpath]
        else:
            keys = ("types", "typings", "main") if kind != "source" else ("source", "module", "main")
            found += [] if exports is not None else [t for key in keys for t in texts(self.content.get(key))]
            found += ["index", "src/index", "lib/index", "src/main"]
        tries = [t for text in found for t in (text, *_sources(text))]
        return [path for t in tries if (path := folders.join(self.folder, t)) is not None]

    def internal(self, target: str, kind: str) -> list[str]:
        """Paths that `#name` may stand for."""
        found = _exported(self.content.get("imports"), target, kind)
        tries = [t for text in found for t in (text, *_sources(text))]
        return [path for t in tries if (path := folders.join(self.folder, t)) is not None]


def _sources(path: str) -> list[str]:
    """Where the source of a built file may stand."""
    source = _OUTPUT.sub(r"\1src/", path, count=1)
    return [source, _OUTPUT.sub(r"\1", path, count=1)] if source != path else []


def _exported(exports: object, subpath: str, kind: str) -> list[str]:
    """The targets of a subpath: exact, or by the pattern with the longest start."""
    table = mapping(exports)
    if not any(key.startswith((".", "#")) for key in table):
        return _targets(exports, kind) if subpath == "." else []
    if subpath in table and "*" not in subpath:
        return _targets(table[subpath], kind)
    matching = [(key, middle) for key in table if (middle := _middle(key, subpath)) is not None]
    if not matching:
        return []
    key, middle = max(matching, key=lambda found: len(found[0].partition("*")[0]))
    return [target.replace("*", middle) for target in _targets(table[key], kind)]


def _middle(key: str, subpath: str) -> str | None:
    """What `*` stands for."""
    start, star, end = key.partition("*")
    if not star or not subpath.startswith(start) or not subpath.endswith(end) or len(subpath) <= len(start) + len(end):
        return None
    return subpath[len(start) : len(subpath) - len(end)]


def _targets(value: object, kind: str, depth: int = 0) -> list[str]:
    """Files under the conditions that hold, in the order they are written."""
    if depth > _MAX_DEPTH:
        return []
    if isinstance(value, list):
        return [t for item in cast("list[object]", value) for t in _targets(item, kind, depth + 1)]
    if isinstance(value, dict):
        holds = {"types", "node", "default", "require" if kind == "require" else "import"}
        listed = mapping(cast("object", value)).items()
        return [t for name, inner in listed if name in holds for t in _targets(inner, kind, depth + 1)]
    return texts(value)


class Packages:
    """The packages of the repository: each by its folder, those of a workspace by name."""

    def __init__(self, files: Files) -> None:
        found = [m for m in files.manifests if m.rpartition("/")[2] == "package.json"]
        self._by_folder = {folders.parent(m): Package(folders.parent(m), read_object(files.read(m))) for m in found}
        self._by_name: dict[str, Package] = {}
        for folder in sorted(self._workspace_folders(files)):
            package = self._by_folder[folder]
            for name in texts(package.content.get("name")):
                self._by_name.setdefault(name, package)
        self._nearest: dict[str, Package | None] = {}

    def around(self, folder: str) -> Package | None:
        """The package that a folder belongs to."""
        if folder not in self._nearest:
            home = next((f for f in folders.upwards(folder) if f in self._by_folder), None)
            self._nearest[folder] = self._by_folder[home] if home is not None else None
        return self._nearest[folder]

    def at(self, folder: str) -> Package | None:
        return self._by_folder.get(folder)

    def named(self, name: str, folder: str) -> Package | None:
        """The package of that name which a file in `folder` gets: its own, a linked one, or one of the workspace."""
        own = self.around(folder)
        if own is None:
            return self._by_name.get(name)
        if own.content.get("name") == name:
            return own
        return self._linked(own, name) or self._by_name.get(name)

    def _linked(self, own: Package, name: str) -> Package | None:
        """A dependency given as `file:../x` or `link:../x`."""
        for key in _DEPENDENCIES:
            for version in texts(mapping(own.content.get(key)).get(name)):
                if version.startswith(("file:", "link:", "portal:")):
                    target = folders.join(own.folder, version.partition(":")[2])
                    return self._by_folder.get(target) if target is not None else None
        return None

    def _workspace_folders(self, files: Files) -> Iterator[str]:
        """Folders that match the patterns of a workspace's root."""
        patterns: list[tuple[str, str]] = []
        for folder, package in self._by_folder.items():
            listed = package.content.get("workspaces")
            listed = mapping(cast("object", listed)).get("packages") if isinstance(listed, dict) else listed
            patterns += [(folder, text) for text in texts(listed)]
        for manifest in files.manifests:
            folder, name = folders.parent(manifest), manifest.rpartition("/")[2]
            if name == "pnpm-workspace.yaml":
                patterns += [(folder, text) for text in _pnpm(files.read(manifest))]
            elif name == "lerna.json":
                patterns += [(folder, t) for t in texts(read_object(files.read(manifest)).get("packages"))]
        for root, pattern in patterns:
            yield from (f for f in self._by_folder if _below(root, f) and _is_member(f, root, pattern))


def _pnpm(text: str) -> list[str]:
    """The list under `packages:`."""
    _, _, rest = text.partition("packages:")
    block = re.split(r"^\S(?<!-)", rest, maxsplit=1, flags=re.MULTILINE)[0]
    return _PNPM.findall(block)


def _below(root: str, folder: str) -> bool:
    return root in {".", folder} or folder.startswith(f"{root}/")


def _is_member(folder: str, root: str, pattern: str) -> bool:
    path = folder if root == "." else folder[len(root) + 1 :]
    pattern = pattern.removeprefix("./").rstrip("/")
    if pattern.startswith("!"):
        return False
    if pattern.endswith("**"):
        return fnmatchcase(path, pattern)
    return fnmatchcase(path, pattern) and path.count("/") == pattern.count("/")
