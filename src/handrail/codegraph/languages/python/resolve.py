"""How Python imports lead from file to file: packages, relative and namespace imports, src layouts, scripts."""

import sys
from collections import defaultdict
from pathlib import Path, PurePosixPath

from handrail.codegraph.facts import MODULE_SCOPE, FileFacts, Import
from handrail.codegraph.languages.language import Files, ImportTargets, Reference

_STDLIB = sys.stdlib_module_names
_SUFFIXES = (".py", "/__init__.py", ".pyi", "/__init__.pyi")


class PythonResolver:
    """A module is found below a *root*: a folder that Python would have on its path. The id of a package without an
    `__init__` file is its folder with a trailing slash."""

    def __init__(self, files: Files) -> None:
        self._facts = files.modules
        self._paths = {path for path, facts in files.modules.items() if facts.language == "python"}
        self._folders, children = _folders(self._paths)
        self._own_root = {folder: self._root_above(folder) for folder in self._folders}
        self._package = _package_above(files.root)
        self._names: dict[str, tuple[FileFacts, frozenset[str]]] = {}
        self._roots_with: defaultdict[str, list[str]] = defaultdict(list)
        for root in self._roots():
            for name in children[root] if root != "." or not self._package else ():
                self._roots_with[name].append(root)

    def name_of(self, path: str) -> str:
        pure = PurePosixPath(path)
        root = self._own_root[str(pure.parent)]
        parts = list(pure.with_suffix("").parts if root == "." else pure.relative_to(root).with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        return ".".join((*self._package, *parts) if root == "." else parts) or pure.stem

    def resolve_import(self, path: str, statement: Import) -> ImportTargets:
        base, outside = self._base(path, statement.target)
        if not statement.names:
            return self._plain(path, statement.target)
        if base is None:
            return ImportTargets((), (), (), outside)
        modules: dict[str, None] = {}
        bindings: list[tuple[str, Reference]] = []
        wildcards: list[str] = []
        for name, alias in statement.names:
            if name == "*":
                modules[base] = None
                if alias:
                    bindings.append((alias, Reference(base, "")))
                else:
                    wildcards.append(base)
                continue
            member = self.member(base, name)
            modules[base if member is None or member.module.endswith("/") else member.module] = None
            bindings.append(
                (alias, member if member is not None and not self._defines(base, name) else Reference(base, name))
            )
        return ImportTargets(tuple(m for m in modules if not m.endswith("/")), tuple(bindings), tuple(wildcards), "")

    def implicit(self, path: str, name: str) -> Reference | None:
        return None

    def member(self, module: str, name: str) -> Reference | None:
        if module.endswith("/"):
            folder = module.removesuffix("/")
        elif module.rpartition("/")[2] in {"__init__.py", "__init__.pyi"}:
            folder = module.rpartition("/")[0] or "."
        else:
            return None
        found = self._find(folder, [name])
        return Reference(found, "") if found is not None else None

    def module_named(self, path: str, target: str) -> str | None:
        return self._absolute(path, target.split("."))

    def _plain(self, path: str, target: str) -> ImportTargets:
        """`import a.b.c`: an edge to the deepest module there is, and the name `a`."""
        parts = target.split(".")
        for length in range(len(parts), 0, -1):
            found = self._absolute(path, parts[:length])
            if found is not None:
                top = self._absolute(path, parts[:1])
                bindings = ((parts[0], Reference(top, "")),) if top is not None else ()
                return ImportTargets(() if found.endswith("/") else (found,), bindings, (), "")
        return ImportTargets((), (), (), parts[0])

    def _base(self, path: str, target: str) -> tuple[str | None, str]:
        """The module a statement names, or else the outside package."""
        name = target.lstrip(".")
        level = len(target) - len(name)
        parts = name.split(".") if name else []
        if level == 0:
            return self._absolute(path, parts), parts[0] if parts else ""
        folder = path.rpartition("/")[0]
        for _ in range(level - 1):
            if not folder:
                return None, ""
            folder = folder.rpartition("/")[0]
        return self._find(folder or ".", parts), ""

    def _absolute(self, path: str, parts: list[str]) -> str | None:
        if not parts or parts[0] == "__main__":
            return None
        size = len(self._package)
        if size and tuple(parts[:size]) == self._package:
            return self._find(".", parts[size:])
        folder = path.rpartition("/")[0] or "."
        own = self._own_root[folder]
        near = [own] if own == folder else [own, folder] if not self._is_package(folder) else [own]
        for root in near:
            found = self._find(root, parts) if root != "." or not size else None
            if found is not None and (found != path or len(parts) == 1):
                return found
        if parts[0] in _STDLIB:
            return None
        for root in self._roots_with.get(parts[0], ()):
            found = self._find(root, parts)
            if found is not None:
                return found
        return None

    def _find(self, folder: str, parts: list[str]) -> str | None:
        stem = "/".join(parts if folder == "." else [folder, *parts])
        for suffix in _SUFFIXES:
            candidate = stem + suffix if stem else suffix.removeprefix("/")
            if candidate in self._paths:
                return candidate
        return f"{stem}/" if stem in self._folders else None

    def _is_package(self, folder: str) -> bool:
        prefix = "" if folder == "." else f"{folder}/"
        return f"{prefix}__init__.py" in self._paths or f"{prefix}__init__.pyi" in self._paths

    def _root_above(self, folder: str) -> str:
        """The folder that holds the outermost package around `folder`; without one, the folder itself."""
        root = pure = PurePosixPath(folder)
        while str(pure) != ".":
            if self._is_package(str(pure)):
                root = pure.parent
            pure = pure.parent
        return "." if self._is_package(".") else str(root)

    def _roots(self) -> list[str]:
        """The repository's root, `src` folders and the homes of packages; shallow ones first."""
        homes = {self._own_root[folder] for folder in self._folders if self._is_package(folder)}
        sources = {folder for folder in self._folders if folder.rpartition("/")[2] in {"src", "lib", "python"}}
        return sorted(
            {".", *homes, *(s for s in sources if not self._is_package(s))}, key=lambda r: (r != ".", r.count("/"), r)
        )

    def _defines(self, module: str, name: str) -> bool:
        facts = self._facts.get(module)
        if facts is None:
            return False
        known = self._names.get(module)
        if known is None or known[0] is not facts:
            known = (facts, frozenset(d.name for d in facts.definitions if d.parent == MODULE_SCOPE))
            self._names[module] = known
        return name in known[1]


def _folders(paths: set[str]) -> tuple[set[str], defaultdict[str, set[str]]]:
    """Every folder above a module (`.` is the root), and the importable names inside each."""
    folders: set[str] = {"."}
    children: defaultdict[str, set[str]] = defaultdict(set)
    for path in paths:
        folder, _, name = path.rpartition("/")
        children[folder or "."].add(name.partition(".")[0])
        while folder and folder not in folders:
            folders.add(folder)
            above, _, name = folder.rpartition("/")
            children[above or "."].add(name)
            folder = above
    return folders, children


def _package_above(root: Path) -> tuple[str, ...]:
    """The package that the root itself is, where someone indexes `site-packages/django`."""
    names: list[str] = []
    while (root / "__init__.py").is_file() and root != root.parent:
        names.insert(0, root.name)
        root = root.parent
    return tuple(names)
