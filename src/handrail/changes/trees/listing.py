"""What a commit holds, by path; and whether that is more than a tree may hold."""

from __future__ import annotations

import os
from dataclasses import dataclass

from handrail.changes.trees.errors import RepositoryTooLarge, RepositoryUnsafe
from handrail.changes.trees.groves import Repository
from handrail.core.sizes import MIB

LINK, MODULE, PROGRAM, PLAIN = "120000", "160000", "100755", "100644"
LONGEST_PATH = 2000
DEEPEST = 100
MOST_LINKS = 20_000


@dataclass(frozen=True, slots=True)
class Entry:
    """`path` may hold bytes that are not UTF-8, as `os.fsdecode` has them."""

    path: str
    mode: str
    blob: str
    size: int


async def entries(repository: Repository, commit: str) -> list[Entry]:
    listed = await repository.bytes("ls-tree", "-r", "-l", "-z", "--full-tree", commit)
    return [_entry(line) for line in listed.split(b"\0") if line]


def _entry(line: bytes) -> Entry:
    head, _, path = line.partition(b"\t")
    mode, _, blob, size = head.decode().split()
    return Entry(os.fsdecode(path), mode, blob, int(size) if size.isdigit() else 0)


def check(found: list[Entry], most_files: int, largest: int) -> None:
    """Before anything is written: a small pack can hold huge files, and a huge number of them."""
    if len(found) > most_files:
        raise RepositoryTooLarge(
            f"The repository has {len(found):,} files; at most {most_files:,} are allowed", files=len(found)
        )
    total = sum(entry.size for entry in found)
    if total > largest:
        raise RepositoryTooLarge(
            f"The repository's files take {total // MIB:,} MiB; at most {largest // MIB:,} MiB are allowed "
            "(HANDRAIL_GIT_MEGABYTES)",
            bytes=total,
        )
    for entry in found:
        if len(entry.path) > LONGEST_PATH or entry.path.count("/") > DEEPEST:
            raise RepositoryUnsafe(f"The repository has a path that is too long: {entry.path[:100]}…")
    if sum(entry.mode == LINK for entry in found) > MOST_LINKS:
        raise RepositoryTooLarge(f"The repository has more than {MOST_LINKS:,} links")
