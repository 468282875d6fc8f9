"""Moves a run's commits onto another base, without a work tree: every commit again, or the conflicts by file."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any

from handrail.changes.trees.errors import GitFailed
from handrail.changes.trees.groves import Repository
from handrail.sandbox.cloning import git_version

# the first whose `merge-tree` merges whole commits
OLDEST_GIT = (2, 38)
NOBODY = {"name": "handrail", "email": "handrail@localhost"}


@dataclass(frozen=True, slots=True)
class Conflict:
    path: str
    reason: str

    def as_data(self) -> dict[str, Any]:
        return {"path": self.path, "reason": self.reason}


async def rebased(repository: Repository, base: str, head: str, onto: str) -> str | list[Conflict]:
    """The new head; or where a commit does not fit, in which files and why."""
    if git_version() < OLDEST_GIT:
        raise GitFailed("git 2.38 or newer is needed to move a change onto a new base")
    made = onto
    commits = (await repository.text("rev-list", "--reverse", "--first-parent", f"{base}..{head}")).split()
    for commit in commits:
        merged = await _merged(repository, f"{commit}^", made, commit)
        if isinstance(merged, list):
            return merged
        # what the new base has already is not said twice
        if merged != await repository.text("rev-parse", f"{made}^{{tree}}"):
            made = await _again(repository, commit, merged, made)
    return made


async def _merged(repository: Repository, before: str, ours: str, theirs: str) -> str | list[Conflict]:
    """The tree of `ours` with what leads from `before` to `theirs`. History is not asked: of it we have one commit."""
    common = await _bare(repository, before)
    pair = [await _bare(repository, side, common) for side in (ours, theirs)]
    ended = await repository.run("merge-tree", "--write-tree", "--messages", "--name-only", "-z", *pair)
    if ended.code == 0:
        return ended.stdout.split(b"\0", 1)[0].decode().strip()
    if ended.code != 1:
        raise GitFailed(f"git merge-tree failed: {ended.stderr.decode(errors='replace').strip()[:300]}")
    return _conflicts(ended.stdout)


async def _bare(repository: Repository, commit: str, parent: str | None = None) -> str:
    """A commit of the same files with that parent alone."""
    above = ("-p", parent) if parent else ()
    who = (part for key, value in NOBODY.items() for part in ("-c", f"user.{key}={value}"))
    return await repository.text(*who, "commit-tree", *above, "-m", "merge", f"{commit}^{{tree}}")


def _conflicts(said: bytes) -> list[Conflict]:
    """A tree, the paths, an empty part, then messages: how many paths, these, a kind, and the words."""
    parts = said.split(b"\0")
    end = parts.index(b"", 1)
    paths = [os.fsdecode(path) for path in parts[1:end]]
    reasons: dict[str, str] = {}
    rest = iter(parts[end + 1 :])
    for count in rest:
        if not count.strip().isdigit():
            continue
        named = [os.fsdecode(next(rest)) for _ in range(int(count))]
        kind, _ = next(rest, b""), next(rest, b"")
        if kind.startswith(b"CONFLICT"):
            reasons |= {path: re.sub(r"CONFLICT \((.*)\)", r"\1", kind.decode(errors="replace")) for path in named}
    return [Conflict(path, reasons.get(path, "contents")) for path in dict.fromkeys(paths)]


async def _again(repository: Repository, commit: str, tree: str, parent: str) -> str:
    """The same message, author and date, with other files upon another parent."""
    raw = (await repository.bytes("cat-file", "commit", commit)).decode(errors="surrogateescape")
    headers, _, message = raw.partition("\n\n")
    kept = [line for line in headers.splitlines() if line.startswith(("author ", "committer "))]
    made = "\n".join((f"tree {tree}", f"parent {parent}", *kept, "", message))
    given = made.encode(errors="surrogateescape")
    return await repository.text("hash-object", "-t", "commit", "-w", "--stdin", given=given)
