"""A Python project as if it were installed, without building it: its packages can be imported, its name, version and
entry points can be looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from handrail.changes.environments.model import TREE
from handrail.changes.environments.sources import Sources, at, folder_of, joined, table

SITE = "/opt/project"
_NAME = re.compile(r"^[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$")
_VERSION = re.compile(r"^[0-9][A-Za-z0-9.+!_-]{0,60}$")
# where the version is only known to a build
_UNKNOWN = "0.0.0"


def import_paths(sources: Sources, folder: str) -> tuple[str, ...]:
    """Where the sandbox has the packages of a project and of the members of its workspace."""
    roots = dict.fromkeys(folder_of(path) for path in sources.under(folder, "pyproject.toml", "setup.py", "setup.cfg"))
    found: list[str] = []
    for root in roots or (folder,):
        inside = joined(root, "src")
        has_sources = any(path.startswith(f"{inside}/") and path.endswith(".py") for path in sources.paths)
        found.append(f"{TREE}/{inside}" if has_sources else f"{TREE}/{root}".rstrip("/"))
    return tuple(found)


def metadata(sources: Sources, folder: str) -> dict[str, bytes]:
    """Files of a folder that goes before the project's own on Python's path, as an installer would write them."""
    files: dict[str, bytes] = {}
    for path in sources.under(folder, "pyproject.toml", "setup.cfg"):
        project = _described(sources, path)
        name, version = project.get("name"), project.get("version")
        if not isinstance(name, str) or not _NAME.match(name):
            continue
        version = version if isinstance(version, str) and _VERSION.match(version) else _UNKNOWN
        known = re.sub(r"[-_.]+", "_", name).lower()
        inside = f"{known}-{version}.dist-info"
        files[f"{inside}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode()
        files[f"{inside}/entry_points.txt"] = "".join(_entry_points(project)).encode()
    return files


def _described(sources: Sources, path: str) -> dict[str, Any]:
    if path.endswith("setup.cfg"):
        return dict(sources.ini(path).get("metadata", {}))
    content = sources.toml(path)
    return table(content, "project") or table(content, "tool", "poetry")


def _entry_points(project: Mapping[str, Any]) -> Iterator[str]:
    groups = {"console_scripts": at(project, "scripts"), "gui_scripts": at(project, "gui-scripts")}
    groups |= table(project, "entry-points") | table(project, "plugins")
    for group, points in groups.items():
        lines = [f"{name} = {said}" for name, said in table(points).items() if isinstance(said, str)]
        if lines and not any("\n" in each or "[" in each[:1] for each in (group, *lines)):
            yield f"[{group}]\n" + "\n".join(lines) + "\n\n"
