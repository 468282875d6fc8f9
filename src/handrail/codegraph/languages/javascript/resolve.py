"""How JavaScript and TypeScript imports lead from file to file, as the TypeScript compiler resolves them.

Where a declaration file stands beside the JavaScript it describes, both are imported and the JavaScript is meant.
Where a package of the workspace exports a built file, its source is meant."""

import re
from collections.abc import Iterable

from handrail.codegraph.facts import FileFacts, Import
from handrail.codegraph.languages.javascript import folders
from handrail.codegraph.languages.javascript.configs import Configs
from handrail.codegraph.languages.javascript.imports import WHOLE
from handrail.codegraph.languages.javascript.members import DEFAULT
from handrail.codegraph.languages.javascript.packages import Packages
from handrail.codegraph.languages.language import NOTHING, Files, ImportTargets, Reference

LANGUAGES = frozenset({"javascript", "typescript"})
_APPENDED = (".ts", ".tsx", ".d.ts", ".js", ".jsx")
_INSTEAD = {
    ".js": (".ts", ".tsx", ".d.ts", ".js", ".jsx"),
    ".jsx": (".tsx", ".ts", ".d.ts", ".jsx", ".js"),
    ".mjs": (".mts", ".d.mts", ".mjs"),
    ".cjs": (".cts", ".d.cts", ".cjs"),
}
"""What a suffix as written may stand for, in TypeScript's order."""
_IMPLEMENTATIONS = {".d.ts": (".js", ".jsx"), ".d.mts": (".mjs",), ".d.cts": (".cjs",)}
_SUFFIX = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")
_BUNDLER_ALIASES = ("@/", "~/")
"""No package can be called so: bundlers map them to the package's sources."""


class JavaScriptResolver:
    def __init__(self, files: Files) -> None:
        self._facts = files.modules
        self._paths = {path for path, facts in files.modules.items() if facts.language in LANGUAGES}
        self._folders = _folders(self._paths)
        self._configs = Configs(files)
        self._packages = Packages(files)
        self._found: dict[tuple[str, str, str], str | None] = {}

    def name_of(self, path: str) -> str:
        return _SUFFIX.sub("", path).removesuffix("/index")

    def resolve_import(self, path: str, statement: Import) -> ImportTargets:
        target = self._resolve(folders.parent(path), statement.target, statement.kind)
        if target is None:
            is_package = not statement.target.startswith((".", "/", "#"))
            return ImportTargets((), (), (), package_of(statement.target)) if is_package else NOTHING
        meant = self._implementation(target)
        bindings: list[tuple[str, Reference]] = []
        for name, alias in statement.names:
            if alias:
                bindings.append((alias, self._meaning(meant, name, statement.kind)))
        wildcards = (meant,) if ("*", "") in statement.names else ()
        return ImportTargets((target,) if meant == target else (meant, target), tuple(bindings), wildcards, "")

    def implicit(self, path: str, name: str) -> Reference | None:
        return None

    def member(self, module: str, name: str) -> Reference | None:
        return None

    def module_named(self, path: str, target: str) -> str | None:
        found = self._resolve(folders.parent(path), target, "require")
        return self._implementation(found) if found is not None else None

    def _meaning(self, module: str, name: str, kind: str) -> Reference:
        """A name of a module, with CommonJS and ESM each seen from the other."""
        exports = _names(self._facts[module])
        if name == "*":
            return Reference(module, WHOLE if kind == "require" and WHOLE in exports else "")
        if name in {DEFAULT, WHOLE} and name not in exports:
            whole = WHOLE if WHOLE in exports else DEFAULT if name == WHOLE and DEFAULT in exports else ""
            return Reference(module, whole)
        return Reference(module, name)

    def _resolve(self, folder: str, target: str, kind: str) -> str | None:
        kind = "require" if kind == "require" else "import"
        key = (folder, target, kind)
        if key not in self._found:
            self._found[key] = self._search(folder, target, kind)
        return self._found[key]

    def _search(self, folder: str, target: str, kind: str) -> str | None:
        if target in {".", ".."} or target.startswith(("./", "../")):
            path = folders.join(folder, target)
            if path is None:
                return None
            must_be_folder = target.endswith(("/", "/.", "/..")) or target in {".", ".."}
            return (
                (None if must_be_folder else self._file(path)) or self._folder(path) or self._other_root(folder, path)
            )
        if target.startswith("#"):
            own = self._packages.around(folder)
            found = self._first(own.internal(target, kind)) if own is not None else None
            if found is not None:
                return found
        for config in self._configs.of(folder):
            found = self._first(config.candidates(target))
            if found is not None:
                return found
        return self._package(folder, target, kind)

    def _package(self, folder: str, target: str, kind: str) -> str | None:
        name = package_of(target)
        package = self._packages.named(name, folder)
        if package is not None:
            return self._first(package.entries(target[len(name) + 1 :], kind))
        own = self._packages.around(folder)
        if target.startswith(_BUNDLER_ALIASES):
            home = own.folder if own is not None else "."
            return self._first(
                p for sub in ("src", ".") if (p := folders.join(home, f"{sub}/{target[2:]}")) is not None
            )
        return None

    def _first(self, paths: Iterable[str]) -> str | None:
        return next((found for path in paths if (found := self._file(path) or self._folder(path)) is not None), None)

    def _file(self, path: str) -> str | None:
        """A file with the suffix as written, another in its place, or one appended."""
        stem, dot, end = path.rpartition(".")
        for suffix in _INSTEAD.get(f"{dot}{end}", ()):
            if stem + suffix in self._paths:
                return stem + suffix
        if path in self._paths:
            return path
        return next((path + suffix for suffix in _APPENDED if path + suffix in self._paths), None)

    def _folder(self, path: str) -> str | None:
        """A folder stands for what its package.json names, else for its index file."""
        if path not in self._folders:
            return None
        package = self._packages.at(path)
        if package is not None:
            for key in ("typings", "types", "main"):
                entry = package.content.get(key)
                target = folders.join(path, entry) if isinstance(entry, str) else None
                found = (self._file(target) or self._file(f"{target}/index")) if target is not None else None
                if found is not None:
                    return found
        return self._file("index" if path == "." else f"{path}/index")

    def _other_root(self, folder: str, path: str) -> str | None:
        """`rootDirs`: folders that count as one."""
        for config in self._configs.of(folder):
            own = next((root for root in config.root_dirs if path.startswith(f"{root}/")), None)
            if own is not None:
                found = self._first(f"{root}{path[len(own) :]}" for root in config.root_dirs if root != own)
                if found is not None:
                    return found
        return None

    def _implementation(self, path: str) -> str:
        for declared, suffixes in _IMPLEMENTATIONS.items():
            if path.endswith(declared):
                stem = path.removesuffix(declared)
                return next((stem + suffix for suffix in suffixes if stem + suffix in self._paths), path)
        return path


def package_of(target: str) -> str:
    """The package that a name outside belongs to."""
    parts = target.removeprefix("node:").split("/")
    return "/".join(parts[:2]) if target.startswith("@") else parts[0]


def _names(facts: FileFacts) -> set[str]:
    return {name for name, _ in facts.exports}


def _folders(paths: set[str]) -> set[str]:
    found = {"."}
    for path in paths:
        folder = folders.parent(path)
        while folder not in found:
            found.add(folder)
            folder = folders.parent(folder)
    return found
