"""Lays out a commit as files: bytes as they are in git, nothing run, and no link that leads out of the tree."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from handrail.changes.trees import listing
from handrail.changes.trees.groves import Repository
from handrail.changes.trees.listing import Entry
from handrail.sandbox import processes


async def lay_out(repository: Repository, commit: str, tree: Path) -> None:
    """The files of that commit, in a folder that is there and empty."""
    await repository.text("read-tree", "--reset", commit)
    await repository.text("checkout-index", "--all", "--force", "--quiet")
    await link(repository, commit, tree)
    # what git has seen of each file, so that it need not read them all to know what was changed
    await repository.run("update-index", "-q", "--refresh")


async def link(repository: Repository, commit: str, tree: Path) -> None:
    """Makes links of those that stay in the tree. The others stay what git has written: files that name the target."""
    found = [entry for entry in await listing.entries(repository, commit) if entry.mode == listing.LINK]
    if found:
        targets = await contents(repository, [entry.blob for entry in found])
        await asyncio.to_thread(_link, tree, found, targets)


async def contents(repository: Repository, blobs: list[str]) -> dict[str, bytes]:
    """Each blob by its hash."""
    wanted = list(dict.fromkeys(blobs))
    said = await repository.bytes("cat-file", "--batch", given="".join(f"{blob}\n" for blob in wanted).encode())
    found: dict[str, bytes] = {}
    at = 0
    for blob in wanted:
        head, at = said[at : said.index(b"\n", at)], said.index(b"\n", at) + 1
        size = int(head.split()[2])
        found[blob] = said[at : at + size]
        at += size + 1
    return found


def _link(tree: Path, found: list[Entry], targets: Mapping[str, bytes]) -> None:
    for entry in found:
        target = os.fsdecode(targets[entry.blob])
        place = tree / entry.path
        if stays_inside(entry.path, target) and not (place.is_symlink() and str(place.readlink()) == target):
            # the folders above are real ones: git has just written this file there
            fresh = place.with_name(f".{secrets.token_hex(8)}")
            fresh.symlink_to(target)
            fresh.replace(place)


def stays_inside(path: str, target: str) -> bool:
    """Whether a link at that path leads to a place in the tree, whatever other such links lie on the way.

    `..` may only come first: after a name, which may be a link itself, it would lead to who knows where.
    """
    if not target or target.startswith("/") or "\0" in target:
        return False
    steps = [step for step in target.split("/") if step not in {"", "."}]
    up = 0
    while up < len(steps) and steps[up] == "..":
        up += 1
    return up <= len(PurePosixPath(path).parts) - 1 and ".." not in steps[up:]


async def strays(repository: Repository, tree: Path) -> bool:
    """Whether anything lies in the tree that git passes over in silence: a `.git` of its own, pipes, sockets."""
    listed = await repository.bytes("ls-files", "-z", "--cached")
    known = {os.fsdecode(path) for path in listed.split(b"\0")}
    return await asyncio.to_thread(_strays, tree, known)


def _strays(tree: Path, known: set[str]) -> bool:
    for folder, _, names in os.walk(tree):
        above = os.path.relpath(folder, tree)
        if any((name if above == "." else f"{above}/{name}") not in known for name in names):
            return True
    return False


async def remove(folder: Path) -> None:
    """The folder with all that is in it, however deep, and whatever the commands that ran over it have closed."""
    gone = folder.with_name(f".gone-{secrets.token_hex(8)}")
    with suppress(FileNotFoundError):
        # nobody sees it half removed
        await asyncio.to_thread(folder.rename, gone)
        await erase(gone)


async def erase(folder: Path) -> None:
    # an ordinary user cannot enter a folder of their own that is closed even to them
    await processes.run(["chmod", "-R", "u+rwX", "--", str(folder)], folder.parent)
    await processes.run(["rm", "-rf", "--", str(folder)], folder.parent)
