"""A tree as data of an unknown author: the names of its files, and the contents of those that describe it."""

from __future__ import annotations

import configparser
import fnmatch
import json
import tomllib
from pathlib import Path, PurePosixPath
from typing import Any, cast

from handrail.changes.editing.errors import Refused
from handrail.changes.editing.trees import Folder

MAX_BYTES = 20_000_000
# a manifest deeper than this is a fixture or an example
MAX_DEPTH = 4
_NOT_OURS = frozenset(
    {"vendor", "third_party", "target", "dist", "build", "site-packages", "fixtures", "testdata", "examples"}
    | {"template", "docs", "doc"}
)


class Sources:
    """Nothing in the tree makes it raise: what cannot be read is empty, and links are not followed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folder = Folder(root, MAX_BYTES)
        self.paths = self._folder.files()
        self._known = frozenset(self.paths)

    def has(self, path: str) -> bool:
        return path in self._known

    def data(self, path: str) -> bytes:
        try:
            file = self._folder.read(path) if path in self._known else None
        except (Refused, OSError):
            return b""
        return file.data if file else b""

    def text(self, path: str) -> str:
        return self.data(path).decode("utf-8-sig", "replace")

    def toml(self, path: str) -> dict[str, Any]:
        try:
            return tomllib.loads(self.text(path))
        except (ValueError, RecursionError):
            return {}

    def json(self, path: str) -> dict[str, Any]:
        try:
            value = json.loads(self.text(path))
        except (ValueError, RecursionError):
            return {}
        return cast("dict[str, Any]", value) if isinstance(value, dict) else {}

    def ini(self, path: str) -> dict[str, dict[str, str]]:
        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read_string(self.text(path))
        except configparser.Error:
            return {}
        return {name: dict(parser[name]) for name in parser.sections()}

    def named(self, *patterns: str) -> list[str]:
        """Files with such a name that are part of the project itself, the highest first."""
        found = [path for path in self.paths if any(fnmatch.fnmatchcase(path.rpartition("/")[2], p) for p in patterns)]
        return sorted((path for path in found if _is_own(path)), key=lambda path: (path.count("/"), path))

    def under(self, folder: str, *patterns: str) -> list[str]:
        return [path for path in self.named(*patterns) if is_under(path, folder)]


def is_under(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(f"{folder}/")


def joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def at(value: object, *keys: str) -> Any:
    """What stands under these keys, one in another; None where anything on the way is missing or no table."""
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = cast("dict[str, Any]", value).get(key)
    return value


def table(value: object, *keys: str) -> dict[str, Any]:
    found = at(value, *keys)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def strings(value: object, *keys: str) -> list[str]:
    found = at(value, *keys)
    return [each for each in cast("list[object]", found) if isinstance(each, str)] if isinstance(found, list) else []


def _is_own(path: str) -> bool:
    parts = PurePosixPath(path).parts[:-1]
    return len(parts) <= MAX_DEPTH and not any(part.lower() in _NOT_OURS for part in parts)
