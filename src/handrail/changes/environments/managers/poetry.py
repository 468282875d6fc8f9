"""What a `poetry.lock` pins, as requirements and constraints that uv installs: Poetry itself is not run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from handrail.changes.environments.sources import strings, table

_NAME = re.compile(r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$")
_VERSION = re.compile(r"^[A-Za-z0-9.!+_-]+$")
_HASH = re.compile(r"^sha(?:256|384|512):[0-9a-f]+$")


def requirements(project: Mapping[str, Any]) -> list[str]:
    """What the project asks for by itself, in all groups that are not optional; which versions, the lock file says."""
    poetry = table(project, "tool", "poetry")
    groups = [table(poetry, "dependencies"), table(poetry, "dev-dependencies")]
    for group in table(poetry, "group").values():
        if not table(group).get("optional"):
            groups.append(table(group, "dependencies"))
    asked = [line for group in groups for name, said in group.items() if (line := _asked(name, said))]
    return list(dict.fromkeys((*strings(project, "project", "dependencies"), *asked)))


def constraints(lock: Mapping[str, Any]) -> list[str]:
    """Each package that comes from an index, at its version and with its hashes."""
    return [line for package in _packages(lock) if (line := _pinned(package))]


def elsewhere(lock: Mapping[str, Any]) -> list[str]:
    """Packages that come from no index: a repository, an address, a folder."""
    found = [each for each in _packages(lock) if table(each, "source").get("type", "legacy") != "legacy"]
    return [str(each.get("name")) for each in found]


def indexes(lock: Mapping[str, Any]) -> list[str]:
    """Addresses of indexes that the lock file names."""
    found = [table(each, "source") for each in _packages(lock)]
    urls = [each.get("url") for each in found if each.get("type") == "legacy"]
    return list(dict.fromkeys(url for url in urls if isinstance(url, str) and url.startswith("https://")))


def _asked(name: str, said: object) -> str:
    if name == "python" or not _NAME.match(name):
        return ""
    told = table(said) if not isinstance(said, str) else {}
    if told.get("optional") or any(key in told for key in ("path", "git", "url", "file")):
        return ""
    extras = [each for each in strings(told, "extras") if _NAME.match(each)]
    return f"{name}[{','.join(extras)}]" if extras else name


def _packages(lock: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    found = lock.get("package")
    for each in cast("list[object]", found) if isinstance(found, list) else []:
        if isinstance(each, dict):
            yield cast("dict[str, Any]", each)


def _pinned(package: Mapping[str, Any]) -> str:
    name, version = str(package.get("name")), str(package.get("version"))
    is_indexed = table(package, "source").get("type", "legacy") == "legacy"
    if not is_indexed or not _NAME.match(name) or not _VERSION.match(version):
        return ""
    files = package.get("files")
    said = [table(each).get("hash") for each in cast("list[object]", files)] if isinstance(files, list) else []
    hashes = [each for each in said if isinstance(each, str) and _HASH.match(each)]
    return " ".join((f"{name}=={version}", *(f"--hash={each}" for each in hashes)))
