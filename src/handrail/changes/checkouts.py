"""Repositories on this machine that may be named by their path: those under the folders that the operator allows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

# below a root; one that holds thousands of folders is looked at no further than this
DEEPEST = 3
MOST_LOOKED_AT = 2_000
MOST = 200


def checkouts(roots: Sequence[Path]) -> list[Path]:
    """Folders with a git repository, by path; nothing inside one is looked for. Links are not followed."""
    looked = iter(range(MOST_LOOKED_AT))
    found = [place for root in roots for place in _within(root.resolve(), DEEPEST, looked)]
    return sorted(set(found))[:MOST]


def _within(folder: Path, depth: int, looked: Iterator[int]) -> Iterator[Path]:
    if next(looked, None) is None:
        return
    if (folder / ".git").is_dir() or ((folder / "HEAD").is_file() and (folder / "objects").is_dir()):
        yield folder
        return
    if depth == 0:
        return
    try:
        with os.scandir(folder) as entries:
            inner = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return
    for name in sorted(inner):
        if not name.startswith("."):
            yield from _within(folder / name, depth - 1, looked)
