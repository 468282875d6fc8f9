"""What a repository needs, from its files alone: nothing is run, and nothing in it makes this fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from handrail.changes.environments.managers import dotnet, golang, jvm, node, python, rust
from handrail.changes.environments.model import Environment
from handrail.changes.environments.sources import Sources

MAX_ENVIRONMENTS = 20
_MANAGERS = (python, node, jvm, dotnet, golang, rust)


@dataclass(frozen=True, slots=True)
class Detection:
    environments: tuple[Environment, ...]
    notes: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        return {"environments": [each.as_data() for each in self.environments], "notes": list(self.notes)}


def detect(sources: Sources) -> Detection:
    """All that is known to be set up, the highest folders first. Where there is nothing, a note says what was looked
    for."""
    found = [each for manager in _MANAGERS for each in manager.find(sources)]
    found.sort(key=lambda each: (each.folder.count("/") + bool(each.folder), each.folder))
    if not found:
        return Detection((), (_nothing(sources),))
    if len(found) > MAX_ENVIRONMENTS:
        more = len(found) - MAX_ENVIRONMENTS
        left_out = f"{more} more environments, such as that of {found[MAX_ENVIRONMENTS].folder}, are left out."
        return Detection(tuple(found[:MAX_ENVIRONMENTS]), (left_out,))
    return Detection(tuple(found))


def _nothing(sources: Sources) -> str:
    if not sources.paths:
        return "The repository has no files."
    return (
        "Nothing here says how it is set up: no pyproject.toml, requirements.txt, package.json, pom.xml, build.gradle, "
        "*.csproj, go.mod or Cargo.toml. Say in .handrail/change.toml how to set up and test it."
    )
