"""Makes a folder's files exactly those of a commit again, where most of them are: the rest is all that is written."""

from __future__ import annotations

from pathlib import Path

from handrail.changes.trees import changing, laying
from handrail.changes.trees.errors import TreeError
from handrail.changes.trees.groves import Repository


async def restored(repository: Repository, commit: str, tree: Path) -> bool:
    """Whether they are now: what tests have left behind is gone, ignored or not. They are not where something ran that
    has made a mess which git does not clear away."""
    try:
        await repository.text("read-tree", "--reset", commit)
        await repository.text("clean", "-ffdxq")
        await repository.text("checkout-index", "--all", "--force", "--quiet")
        await laying.link(repository, commit, tree)
        return not await changing.changed(repository) and not await laying.strays(repository, tree)
    except (TreeError, OSError):
        return False
