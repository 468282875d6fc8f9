"""The difference of two commits, file by file and hunk by hunk, as git sees it and people read it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from typing import Any, Literal

from handrail.changes.trees.errors import GitFailed
from handrail.changes.trees.groves import Repository

Status = Literal["added", "modified", "deleted", "renamed", "retyped"]
STATUS: dict[str, Status] = {"A": "added", "M": "modified", "D": "deleted", "R": "renamed", "T": "retyped"}
HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
# what any other program, or the repository, would have to say about it is left out
PLAIN = ("--no-ext-diff", "--no-textconv", "--no-color", "--full-index", "--src-prefix=a/", "--dst-prefix=b/")


@dataclass(frozen=True, slots=True)
class Hunk:
    """`id` is its place and its text: one that has changed since it was shown has another."""

    id: str
    old_start: int
    old_count: int
    new_start: int
    new_count: int
    raw: bytes

    @property
    def text(self) -> str:
        return self.raw.decode(errors="replace")


@dataclass(frozen=True, slots=True)
class FileDiff:
    """`old_path` differs from `path` where the file was renamed. A binary file has no hunks, nor a change of mode."""

    path: str
    old_path: str
    status: Status
    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str
    is_binary: bool
    hunks: tuple[Hunk, ...]
    header: str

    @property
    def text(self) -> str:
        """As a unified diff."""
        return self.header + "".join(hunk.text for hunk in self.hunks)

    @property
    def added(self) -> int:
        return sum(line.startswith(b"+") for hunk in self.hunks for line in hunk.raw.split(b"\n")[1:])

    @property
    def deleted(self) -> int:
        return sum(line.startswith(b"-") for hunk in self.hunks for line in hunk.raw.split(b"\n")[1:])

    def as_data(self) -> dict[str, Any]:
        return {
            "path": _shown(self.path),
            "old_path": _shown(self.old_path),
            "status": self.status,
            "binary": self.is_binary,
            "added": self.added,
            "deleted": self.deleted,
            "mode": [self.old_mode, self.new_mode],
            "diff": self.text.replace("\0", "\ufffd"),
            "hunks": [hunk.id for hunk in self.hunks],
        }


def _shown(path: str) -> str:
    return os.fsencode(path).decode(errors="replace")


async def diff(repository: Repository, base: str, head: str) -> list[FileDiff]:
    """From `base` to `head`, by path."""
    listed = await repository.bytes("diff-tree", "-r", "-M", "--raw", "-z", "--full-index", base, head)
    entries = _entries(listed)
    if not entries:
        return []
    patch = await repository.bytes("diff-tree", "-r", "-M", "-p", *PLAIN, base, head)
    sections = _sections(patch)
    found: list[FileDiff] = []
    for entry in entries:
        # a file that became a link, or the other way round, goes and comes: that is two
        taken = [sections.pop(0) for _ in range(2 if entry.status == "retyped" else 1) if sections]
        found.append(_filled(entry, taken))
    if sections:
        raise GitFailed("git's diff does not match its own list of files")
    return found


async def patch(repository: Repository, base: str, head: str) -> bytes:
    """From `base` to `head`, exactly, for programs."""
    return await repository.bytes("diff-tree", "-r", "-M", "-p", "--binary", *PLAIN, base, head)


def _entries(listed: bytes) -> list[FileDiff]:
    """`:100644 100644 <blob> <blob> M`, then a path, or two where it was renamed; each ended by NUL."""
    parts = iter(listed.split(b"\0"))
    found: list[FileDiff] = []
    for head in parts:
        if not head:
            continue
        old_mode, new_mode, old_blob, new_blob, letter = head[1:].decode().split()
        old_path = os.fsdecode(next(parts))
        path = os.fsdecode(next(parts)) if letter[0] in "RC" else old_path
        status = STATUS.get(letter[0], "modified")
        found.append(FileDiff(path, old_path, status, old_mode, new_mode, old_blob, new_blob, False, (), ""))
    return found


def _sections(patch: bytes) -> list[bytes]:
    return _cut(patch, rb"^diff --git ")[1:]


def _cut(content: bytes, mark: bytes) -> list[bytes]:
    """What comes before the first mark, then what each of them begins."""
    starts = [found.start() for found in re.finditer(mark, content, re.MULTILINE)]
    return [content[start:end] for start, end in pairwise([0, *starts, len(content)])]


def _filled(entry: FileDiff, sections: list[bytes]) -> FileDiff:
    hunks: list[Hunk] = []
    headers: list[bytes] = []
    for section in sections:
        header, *bodies = _cut(section, rb"^@@ -")
        headers.append(header)
        hunks += [_hunk(entry.path, body) for body in bodies]
    is_binary = any(re.search(rb"^(?:Binary files |GIT binary patch)", header, re.MULTILINE) for header in headers)
    return replace(entry, is_binary=is_binary, hunks=tuple(hunks), header=b"".join(headers).decode(errors="replace"))


def _hunk(path: str, raw: bytes) -> Hunk:
    head = HUNK.match(raw)
    if head is None:
        raise GitFailed("git's diff has a hunk without numbers")
    old_start, old_count, new_start, new_count = (int(part) if part is not None else 1 for part in head.groups())
    digest = sha256(os.fsencode(path) + b"\0" + raw).hexdigest()[:12]
    return Hunk(digest, old_start, old_count, new_start, new_count, raw)
