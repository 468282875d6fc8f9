"""Trees that are half base and half head, for proofs: new tests on old code, and old tests on new code."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from handrail.changes.editing.errors import NoFile, Refused
from handrail.changes.editing.trees import File, Folder
from handrail.changes.verifying.change import Change, Side
from handrail.changes.verifying.integrity import places


@dataclass(frozen=True)
class Overlay:
    """What to run where: a copy of one tree, with some files as the other tree has them."""

    tree: Literal["base", "head"]
    put: tuple[tuple[str, Side], ...]
    remove: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.put or self.remove)

    def hash_with(self, tree_hash: str) -> str:
        """A name for its content, from that of the tree."""
        digest = hashlib.sha256(f"{self.tree}:{tree_hash}".encode())
        for path, side in self.put:
            digest.update(f"+{path}\0{side.is_executable}\0{len(side.data)}\0".encode() + side.data)
        for path in self.remove:
            digest.update(f"-{path}\0".encode())
        return digest.hexdigest()

    def make(self, source: Path, target: Path) -> None:
        """Copies the tree to a folder that does not exist yet, without git's own files, and lays the others over it. No
        link is followed."""
        shutil.copytree(source, target, symlinks=True, ignore=_without_git)
        folder = Folder(target)
        for path in self.remove:
            try:
                folder.delete(path)
            except (NoFile, Refused):
                continue
        for path, side in self.put:
            folder.write(path, File(side.data, side.is_executable))


def new_tests_on_base(change: Change) -> Overlay:
    """The head's tests, with what belongs to them, on the base's code. Empty where the change has none."""
    files = [f for f in change.files if _belongs(f.path) and f.after is not None and f.after.kind == "file"]
    put = tuple((file.path, file.after) for file in files if file.after is not None)
    return Overlay("base", put, tuple(file.old_path for file in files if file.old_path))


def old_tests_on_head(change: Change) -> Overlay:
    """The tests that the change edits, moves or deletes, as they were, on the head's code. Empty where it has none."""
    files = [f for f in change.files if _belongs(f.old_path or f.path) and f.before and f.before.kind == "file"]
    put = tuple((file.old_path or file.path, file.before) for file in files if file.before is not None)
    return Overlay("head", put, tuple(file.path for file in files if file.old_path and _belongs(file.path)))


def _belongs(path: str) -> bool:
    """Test files, their data and snapshots, and `conftest.py`."""
    checks = (places.is_test, places.is_test_data, places.is_snapshot, places.is_conftest)
    return any(check(path) for check in checks)


def _without_git(_: str, names: list[str]) -> set[str]:
    return {name for name in names if name == ".git"}
