"""What was prepared for an environment: a folder that is read-only from then on, shared by all trees that need it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from handrail.changes.environments.model import TREE, Environment
from handrail.sandbox import Bind

# of a layer's folder: what lies at the environment's place, and what lies within the repository
PLACE, WITHIN = "place", "tree"
# of `node_modules`: where tools write when they only read settings, such as Vite its bundled ones
WRITTEN = (".vite-temp", ".vite", ".cache")


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

    @property
    def written(self) -> tuple[str, ...]:
        """Folders within it that what runs may write to, each time from nothing."""
        places = (f"{path}/{name}" for path in self.within for name in WRITTEN)
        folders = {place: self.folder / WITHIN / place for place in places}
        return tuple(place for place, folder in folders.items() if folder.is_dir() and not folder.is_symlink())
