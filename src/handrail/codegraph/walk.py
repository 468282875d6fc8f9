"""The files of a repository worth reading, and why the others were left out."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pathspec

from handrail.codegraph.errors import NotADirectory
from handrail.codegraph.languages import language_of, suffix_of

MANIFESTS = frozenset(
    {
        "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "manage.py", "package.json",
        "pnpm-workspace.yaml", "lerna.json", "nx.json", "angular.json", "pom.xml",
        "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "Makefile", "Dockerfile",
        "Cargo.toml", "go.mod", "global.json", "Directory.Build.props",
    }
)  # fmt: skip
_TSCONFIG = re.compile(r"[jt]sconfig(\.[\w-]+)*\.json")
_MANIFEST_SUFFIXES = (".csproj", ".sln", ".fsproj")
_UNREAD = {
    ".rb": "Ruby", ".php": "PHP", ".kt": "Kotlin", ".kts": "Kotlin", ".swift": "Swift", ".scala": "Scala",
    ".vue": "Vue", ".svelte": "Svelte", ".dart": "Dart", ".m": "Objective-C", ".mm": "Objective-C", ".lua": "Lua",
    ".pl": "Perl", ".pm": "Perl", ".r": "R", ".jl": "Julia", ".ex": "Elixir", ".exs": "Elixir", ".erl": "Erlang",
    ".hs": "Haskell", ".clj": "Clojure", ".fs": "F#", ".vb": "Visual Basic", ".groovy": "Groovy", ".zig": "Zig",
    ".sh": "Shell", ".ps1": "PowerShell", ".sql": "SQL",
}  # fmt: skip
"""Languages without a reader: what a change in them reaches is not known."""
_GENERATED = frozenset(
    {
        "node_modules", "bower_components", "jspm_packages", "__pycache__", "site-packages", "__pypackages__",
        "venv", "virtualenv",
    }
)  # fmt: skip
_OUTPUT = frozenset({"build", "dist", "out", "target", "bin", "obj", "coverage", "htmlcov"})
"""Generated where a manifest stands beside them; elsewhere they may be packages."""
_VENDORED = frozenset({"vendor", "vendored", "third_party", "third-party", "thirdparty"})
"""Somebody else's code, unless it is a Python package of the repository."""


class FileEntry(NamedTuple):
    path: str
    size: int
    mtime: int


class SkippedPath(NamedTuple):
    """A file or folder that was left out. Paths are relative to the root; folders end with a slash."""

    path: str
    reason: str


@dataclass(frozen=True)
class Limits:
    """What bounds an index: the answer stays complete, and says what these left out."""

    max_bytes: int = 1_000_000
    max_files: int = 200_000


@dataclass
class Tree:
    files: list[FileEntry] = field(default_factory=list[FileEntry])
    manifests: list[str] = field(default_factory=list[str])
    skipped: list[SkippedPath] = field(default_factory=list[SkippedPath])


class _Folder(NamedTuple):
    path: str
    """Relative to the root, empty for the root, else with a trailing slash."""
    rules: tuple[tuple[str, pathspec.GitIgnoreSpec], ...]
    """`.gitignore` files from here upwards, nearest first, each with its folder."""


def walk(root: Path, limits: Limits = Limits()) -> Tree:
    """Symbolic links are never followed: a link inside the tree would count twice, one outside leads out."""
    if not root.is_dir():
        raise NotADirectory(f"{root} is not a directory: give the folder of a repository")
    tree = Tree()
    folders = [_Folder("", ())]
    while folders:
        folders.extend(_read(root, folders.pop(), tree, limits))
    tree.files.sort()
    tree.manifests.sort()
    tree.skipped.sort()
    return tree


def _read(root: Path, folder: _Folder, tree: Tree, limits: Limits) -> Iterator[_Folder]:
    try:
        with os.scandir(f"{root}/{folder.path}") as scan:
            entries = {entry.name: entry for entry in scan}
    except OSError as error:
        tree.skipped.append(SkippedPath(folder.path, f"cannot be read: {error.strerror}"))
        return
    if "pyvenv.cfg" in entries and folder.path:
        tree.skipped.append(SkippedPath(folder.path, "generated folder"))
        return
    if ".gitignore" in entries:
        folder = _with_rules(root, folder)
    for name, entry in entries.items():
        path = folder.path + name
        if not _is_utf8(name):
            tree.skipped.append(SkippedPath(path.encode("utf-8", "replace").decode(), "its name is not UTF-8"))
        elif entry.is_dir(follow_symlinks=False):
            reason = _folder_reason(folder, name, entries, root)
            if reason is None:
                yield _Folder(f"{path}/", folder.rules)
            else:
                tree.skipped.append(SkippedPath(f"{path}/", reason))
        elif language_of(name) is not None or is_manifest(name):
            _file(folder, path, entry, tree, limits)
        elif entry.is_symlink() and entry.is_dir():
            tree.skipped.append(SkippedPath(f"{path}/", "symbolic link"))
        elif (language := _UNREAD.get(suffix_of(name))) is not None and not _ignored(folder, path):
            tree.skipped.append(SkippedPath(path, f"{language} is not read"))


def _file(folder: _Folder, path: str, entry: os.DirEntry[str], tree: Tree, limits: Limits) -> None:
    reason = _file_reason(folder, path, entry, limits)
    is_source = language_of(path) is not None
    if reason is None and is_source and len(tree.files) >= limits.max_files:
        reason = f"over the limit of {limits.max_files} files"
    if reason is not None:
        tree.skipped.append(SkippedPath(path, reason))
        return
    if is_source:
        status = entry.stat(follow_symlinks=False)
        tree.files.append(FileEntry(path, status.st_size, status.st_mtime_ns))
    if is_manifest(entry.name):
        tree.manifests.append(path)


def _file_reason(folder: _Folder, path: str, entry: os.DirEntry[str], limits: Limits) -> str | None:
    if entry.is_symlink():
        return "symbolic link"
    if not entry.is_file(follow_symlinks=False):
        return "not a regular file"
    if _ignored(folder, path):
        return ".gitignore"
    try:
        size = entry.stat(follow_symlinks=False).st_size
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if size > limits.max_bytes:
        return f"larger than {limits.max_bytes} bytes ({size})"
    return "minified" if ".min." in entry.name else None


def _folder_reason(folder: _Folder, name: str, siblings: dict[str, os.DirEntry[str]], root: Path) -> str | None:
    if name.startswith("."):
        return "hidden folder"
    if name in _GENERATED or name.endswith((".egg-info", ".dist-info")):
        return "generated folder"
    if name in _OUTPUT and any(is_manifest(sibling) for sibling in siblings):
        return "generated folder"
    if name in _VENDORED and not (root / folder.path / name / "__init__.py").is_file():
        return "vendored folder"
    return ".gitignore" if _ignored(folder, f"{folder.path}{name}/") else None


def _with_rules(root: Path, folder: _Folder) -> _Folder:
    try:
        lines = (root / folder.path / ".gitignore").read_text("utf-8", "replace").splitlines()
        spec = pathspec.GitIgnoreSpec.from_lines(lines)
    except (OSError, ValueError):
        return folder
    return folder._replace(rules=((folder.path, spec), *folder.rules))


def _ignored(folder: _Folder, path: str) -> bool:
    for base, spec in folder.rules:
        verdict = spec.check_file(path[len(base) :]).include
        if verdict is not None:
            return verdict
    return False


def is_manifest(name: str) -> bool:
    return name in MANIFESTS or name.endswith(_MANIFEST_SUFFIXES) or _TSCONFIG.fullmatch(name) is not None


def _is_utf8(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= char <= "\udfff" for char in name)
