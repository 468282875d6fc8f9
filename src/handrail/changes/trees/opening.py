"""Opens a work tree for a run, builds it again elsewhere, and clears away those of runs that are over."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import time
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

from handrail.changes.trees import laying, listing, sources
from handrail.changes.trees.errors import BundleBroken, DiskFull, TreeError, unwritten
from handrail.changes.trees.groves import Grove, Repository, check_branch
from handrail.changes.trees.tree import Tree
from handrail.store import private

# what a machine needs besides the tree
SPARE = 64 << 20
# a run may have been started since it was asked which are alive
YOUNG_SECONDS = 3600.0


async def open_tree(
    grove: Grove, run: str, address: str, base_branch: str | None = None, branch: str | None = None
) -> Tree:
    """A tree of the newest commit of the base branch, or of the default one, on a branch of its own.

    One that the run had before is replaced. Nothing of it is seen under the run's name until it is whole.
    """
    async with _building(grove, run) as repository:
        base = await sources.bring(grove, repository, address, base_branch)
        tree = Tree(grove, run, address, base.branch, base.commit, check_branch(branch or f"handrail/{run.lower()}"))
        await _lay_out(grove, repository, tree, base.commit)
    return tree


async def rebuild(tree: Tree, bundle: bytes, head: str | None = None) -> Tree:
    """The same tree on any machine, after a crash or a move: from its base commit and what `bundle` gave.

    `head`, where given, must be what comes of it. A tree that is still here at that commit is used again, with its
    files as they were committed.
    """
    if head is not None and await _is_at(tree, head):
        await tree.restore()
        return tree
    async with _building(tree.grove, tree.run) as repository:
        await sources.bring_commit(tree.grove, repository, tree.address, tree.base_branch, tree.base_commit)
        found = await _unbundled(repository, tree, bundle)
        if head is not None and found != head:
            raise BundleBroken(f"What was kept with the run leads to {found[:12]} and not to {head[:12]}")
        await _lay_out(tree.grove, repository, tree, found)
    return tree


async def sweep(grove: Grove, alive: Collection[str], older_than: float = YOUNG_SECONDS) -> list[str]:
    """Removes trees of runs that are not alive, and what was left half made; their names. Young ones are left alone."""
    gone: list[str] = []
    for folder in await asyncio.to_thread(_folders, grove.folder, older_than):
        if folder.name.startswith("."):
            await laying.erase(folder)
        elif folder.name not in alive:
            await laying.remove(folder)
            gone.append(folder.name)
    return gone


def _folders(folder: Path, older_than: float) -> list[Path]:
    if not folder.exists():
        return []
    limit = time.time() - older_than
    return sorted(each for each in folder.iterdir() if each.is_dir() and each.lstat().st_mtime <= limit)


@asynccontextmanager
async def _building(grove: Grove, run: str) -> AsyncGenerator[Repository]:
    """A repository in a folder of its own, which takes the run's place once all went well."""
    place = grove.of(run)
    private.make_folder(grove.folder)
    fresh = grove.folder / f".new-{secrets.token_hex(8)}"
    fresh.mkdir(mode=0o700)
    try:
        await Repository(fresh / "git", grove).make()
        yield Repository(fresh / "git", grove, fresh / "tree")
        await laying.remove(place)
        fresh.rename(place)
    except OSError as error:
        raise unwritten(error) from error
    finally:
        await laying.remove(fresh)


async def _lay_out(grove: Grove, repository: Repository, tree: Tree, commit: str) -> None:
    await repository.text("update-ref", f"refs/heads/{tree.branch}", commit)
    found = await listing.entries(repository, commit)
    listing.check(found, grove.most_files, grove.allowed.limits.size)
    free = (await asyncio.to_thread(shutil.disk_usage, grove.folder)).free
    if free < sum(entry.size for entry in found) + SPARE:
        raise DiskFull("There is not enough space for the repository's files: free some, then try again")
    place = repository.folder.parent / "tree"
    place.mkdir(mode=0o755)
    await laying.lay_out(repository, commit, place)


async def _unbundled(repository: Repository, tree: Tree, bundle: bytes) -> str:
    """The head that the bundle leads to, which must stand upon the base."""
    if not bundle:
        return tree.base_commit
    file = repository.folder / "kept.bundle"
    await asyncio.to_thread(file.write_bytes, bundle)
    ref = f"refs/heads/{tree.branch}"
    try:
        await repository.text(*sources.FETCH, str(file), f"+{ref}:{ref}")
        found = await repository.text("rev-parse", "--verify", f"{ref}^{{commit}}")
        commits = (await repository.text("rev-list", "--first-parent", f"{tree.base_commit}..{found}")).split()
        lowest = await repository.text("rev-parse", f"{commits[-1]}^") if commits else found
    except TreeError as error:
        raise BundleBroken(f"What was kept with the run cannot be read: {error.message}") from None
    finally:
        file.unlink(missing_ok=True)
    if lowest != tree.base_commit:
        raise BundleBroken(f"What was kept with the run does not stand upon {tree.base_commit[:12]}")
    return found


async def _is_at(tree: Tree, head: str) -> bool:
    # a git that was killed leaves its locks behind
    if await asyncio.to_thread(_is_half_done, tree):
        return False
    try:
        return await tree.head() == head
    except TreeError:
        return False


def _is_half_done(tree: Tree) -> bool:
    return not tree.path.is_dir() or any(tree.repository.rglob("*.lock"))
