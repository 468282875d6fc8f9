"""What was prepared for an environment: a folder that is read-only from then on, shared by all trees that need it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from handrail.changes.environments.model import TREE, Environment
from handrail.sandbox import Bind

# of a layer's folder: what lies at the environment's place, and what lies within the repository
PLACE, WITHIN = "place", "tree"


@dataclass(frozen=True, slots=True)
class Layer:
    environment: Environment
    folder: Path
    within: tuple[str, ...] = ()
    """Folders of the repository that it fills, such as `web/node_modules`."""

    @property
    def hash(self) -> str:
        return self.environment.hash

    @property
    def binds(self) -> tuple[Bind, ...]:
        if not self.environment.commands:
            return ()
        inside = (Bind(self.folder / WITHIN / path, f"{TREE}/{path}") for path in self.within)
        return (Bind(self.folder / PLACE, self.environment.place), *inside)
