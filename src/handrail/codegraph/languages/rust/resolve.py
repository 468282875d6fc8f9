"""How Rust's names lead from file to file: crates by `Cargo.toml`, modules by where their files are."""

import tomllib
from collections.abc import Mapping
from typing import Any, cast

from handrail.codegraph.facts import FileFacts, Import
from handrail.codegraph.languages.language import Files, ImportTargets, Reference

_STANDARD = frozenset({"std", "core", "alloc", "proc_macro"})
_MODULE = "mod:"


class RustResolver:
    """The id of a module without a file of its own is `mod:` with the folder that its files would be in."""

    def __init__(self, files: Files) -> None:
        self._facts: Mapping[str, FileFacts] = files.modules
        self._paths = {path for path, facts in files.modules.items() if facts.language == "rust"}
        self._folders = {folder for path in self._paths for folder in _above(path)}
        self._crates: dict[str, str] = {}
        """Name of a crate of the repository → the file that it begins with."""
        self._outside: set[str] = set()
        for manifest in files.manifests:
            if manifest.rpartition("/")[2] == "Cargo.toml":
                self._learn(manifest.rpartition("/")[0], files.read(manifest))
        self._roots: dict[str, str] = {}

    def _learn(self, folder: str, text: str) -> None:
        try:
            manifest: dict[str, Any] = tomllib.loads(text)
        except (ValueError, RecursionError):
            return
        prefix = f"{folder}/" if folder else ""
        package, library = _table(manifest.get("package")), _table(manifest.get("lib"))
        name = str(library.get("name") or package.get("name") or "").replace("-", "_")
        for root in (str(library.get("path") or "src/lib.rs"), "src/main.rs"):
            if name and f"{prefix}{root}" in self._paths:
                self._crates.setdefault(name, f"{prefix}{root}")
        for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
            self._outside.update(each.replace("-", "_") for each in _table(manifest.get(kind)))

    def name_of(self, path: str) -> str:
        root = self._root(path)
        crate = next((name for name, file in self._crates.items() if file == root), "")
        parts = [crate, *_module_path(path, root)]
        return "::".join(part for part in parts if part) or path.rpartition("/")[2][:-3]

    def resolve_import(self, path: str, statement: Import) -> ImportTargets:
        parts = statement.target.split(".") if statement.target else []
        name, alias = statement.names[0]
        if statement.kind == "mod":
            found = self._whole(path, parts)
            return ImportTargets((found,), ((alias, Reference(found, "")),), (), "") if found else _NONE
        whole = parts if name == "*" else [*parts, name]
        module, inner = self._walk(path, whole) or ("", [])
        if not module:
            return self._external(whole, alias)
        modules = (module,) if not module.startswith(_MODULE) and module != path else ()
        if name == "*":
            return ImportTargets(modules, (), (module,) if not inner and module != path else (), "")
        return ImportTargets(modules, ((alias, Reference(module, ".".join(inner))),), (), "")

    def implicit(self, path: str, name: str) -> Reference | None:
        if name in {"$crate", "$self", "$super"} or name in self._crates:
            found = self._whole(path, [name])
            return Reference(found, "") if found else None
        return Reference("", name) if name in _STANDARD or name in self._outside else None

    def member(self, module: str, name: str) -> Reference | None:
        if name == "$super":
            above = self._above(module)
            return Reference(above, "") if above is not None else None
        found = self._child(module, name)
        return Reference(found, "") if found is not None else None

    def module_named(self, path: str, target: str) -> str | None:
        return None

    def _external(self, parts: list[str], alias: str) -> ImportTargets:
        crate = parts[0] if parts else ""
        if not crate or crate.startswith("$") or (crate not in self._outside and crate not in _STANDARD):
            return _NONE
        return ImportTargets((), ((alias, Reference("", ".".join(parts))),) if alias else (), (), crate)

    def _walk(self, path: str, parts: list[str]) -> tuple[str, list[str]] | None:
        """The deepest module that a path leads to, and the names left over in it."""
        if not parts:
            return None
        first, *rest = parts
        module = self._first(path, first)
        if module is None:
            return None
        while rest:
            inner = self._above(module) if rest[0] == "$super" else self._child(module, rest[0])
            if inner is None:
                break
            module, rest = inner, rest[1:]
        return module, rest

    def _whole(self, path: str, parts: list[str]) -> str:
        """The file that a path leads to as a whole; empty where it leads to none, or into one."""
        module, inner = self._walk(path, parts) or ("", [])
        return module if not inner and not module.startswith(_MODULE) else ""

    def _first(self, path: str, name: str) -> str | None:
        if name == "$crate":
            return self._root(path)
        if name == "$self":
            return path
        if name == "$super":
            return self._above(path)
        return self._child(path, name) or self._crates.get(name)

    def _child(self, module: str, name: str) -> str | None:
        folder = self._inside(module)
        stem = f"{folder}/{name}" if folder else name
        for candidate in (f"{stem}.rs", f"{stem}/mod.rs"):
            if candidate in self._paths:
                return candidate
        return f"{_MODULE}{stem}" if stem in self._folders and module != name else None

    def _inside(self, module: str) -> str:
        """The folder that the modules inside a module are in."""
        if module.startswith(_MODULE):
            return module.removeprefix(_MODULE)
        folder, _, file = module.rpartition("/")
        if file in {"mod.rs", "lib.rs", "main.rs"} or module == self._root(module):
            return folder
        return f"{folder}/{file[:-3]}" if folder else file[:-3]

    def _above(self, module: str) -> str | None:
        path = module.removeprefix(_MODULE)
        folder, _, file = path.rpartition("/")
        if file == "mod.rs":
            folder = folder.rpartition("/")[0]
        stem, _, last = folder.rpartition("/")
        own = (f"{folder}/mod.rs", f"{stem}/{last}.rs".lstrip("/"), f"{folder}/lib.rs", f"{folder}/main.rs")
        return next((each for each in own if each.lstrip("/") in self._paths and each != module), None)

    def _root(self, path: str) -> str:
        """The file that the crate of a file begins with."""
        known = self._roots.get(path)
        if known is None:
            known = self._roots[path] = self._find_root(path)
        return known

    def _find_root(self, path: str) -> str:
        for folder in _above(path):
            prefix = f"{folder}/" if folder else ""
            if folder.rpartition("/")[2] in {"tests", "benches", "examples", "bin"}:
                return path
            for name in ("lib.rs", "main.rs"):
                if f"{prefix}{name}" in self._paths:
                    return f"{prefix}{name}"
        return path


_NONE = ImportTargets((), (), (), "")


def _above(path: str) -> list[str]:
    """The folders around a path, nearest first; the root is empty."""
    found: list[str] = []
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        found.append(folder)
    return found


def _module_path(path: str, root: str) -> list[str]:
    home = root.rpartition("/")[0]
    inner = path[len(home) + 1 :] if home else path
    parts = inner[:-3].split("/") if path != root else []
    return parts[:-1] if parts[-1:] == ["mod"] else parts


def _table(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
