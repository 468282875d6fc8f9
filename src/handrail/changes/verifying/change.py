"""A change as it is on disk: both sides of every file that differs, and the lines that came and went.

Read from the two trees and not from git's diff: a `.gitattributes` in the change can make git call any file binary and
show none of its lines.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

MAX_BYTES = 5_000_000
"""Of a larger file only the beginning is looked at, and the check of sizes says so."""
_LONGEST_DIFF = 2_000
"""Lines on one side: more of them are compared without their order, which takes no more than reading them."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

Kind = Literal["file", "link", "folder", "other"]


class Line(NamedTuple):
    number: int
    text: str


@dataclass(frozen=True)
class Side:
    """A file in one of the trees."""

    kind: Kind
    data: bytes = b""
    """For a link, where it leads."""
    size: int = 0
    is_executable: bool = False

    @cached_property
    def text(self) -> str | None:
        """None where it is not text in UTF-8."""
        if self.kind != "file" or b"\0" in self.data:
            return None
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            is_cut = self.size > len(self.data) and error.start > len(self.data) - 4
            return self.data[: error.start].decode("utf-8-sig") if is_cut else None

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Without their ends; only `\\n` ends a line, as in git."""
        text = self.text or ""
        lines = text.split("\n")
        return tuple(lines[:-1] if text.endswith("\n") or not text else lines)


@dataclass(frozen=True)
class File:
    path: str
    """In the head; for a deleted one, in the base."""
    before: Side | None
    after: Side | None
    old_path: str = ""
    """Where it was moved from; empty where it was not."""

    @property
    def is_binary(self) -> bool:
        sides = [side for side in (self.before, self.after) if side is not None and side.kind == "file"]
        return any(side.text is None for side in sides)

    @cached_property
    def _differing(self) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
        before = self.before.lines if self.before is not None else ()
        after = self.after.lines if self.after is not None else ()
        return differing(before, after)

    @property
    def removed(self) -> tuple[Line, ...]:
        return self._differing[0]

    @property
    def added(self) -> tuple[Line, ...]:
        return self._differing[1]


@dataclass(frozen=True)
class Change:
    files: tuple[File, ...]

    @property
    def moved(self) -> dict[str, str]:
        """New path → old path."""
        return {file.path: file.old_path for file in self.files if file.old_path}

    def head_lines(self, path: str) -> tuple[str, ...]:
        return next((f.after.lines for f in self.files if f.path == path and f.after is not None), ())

    def base_lines(self, path: str) -> tuple[str, ...]:
        found = (f.before.lines for f in self.files if path in (f.old_path, f.path) and f.before is not None)
        return next(found, ())


def read(base: Path, head: Path, paths: Iterable[str], moved: Iterable[tuple[str, str]] = ()) -> Change:
    """`paths` are those that git names as changed, `moved` its pairs of old and new path; a path that is the same on
    both sides is left out. No link is followed."""
    renamed = {new: old for old, new in moved}
    left = set(renamed.values())
    files: list[File] = []
    for path in sorted({*paths, *renamed}):
        old = renamed.get(path, "")
        file = File(path, side(base, old or path), side(head, path), old)
        if file.after is None and path in left:
            continue  # the file that it became stands for it
        if old or file.before != file.after:
            files.append(file)
    return Change(tuple(files))


def side(root: Path, path: str) -> Side | None:
    """None where nothing is, and where the way there leads through a link or a file."""
    *folders, name = path.split("/")
    try:
        descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        for folder in folders:
            inner = os.open(folder, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        return _side(descriptor, name)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _side(folder: int, name: str) -> Side:
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISLNK(status.st_mode):
        return Side("link", os.fsencode(os.readlink(name, dir_fd=folder)))
    if stat.S_ISDIR(status.st_mode):
        return Side("folder")
    if not stat.S_ISREG(status.st_mode):
        return Side("other")
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as stream:
        data = stream.read(MAX_BYTES)
    return Side("file", data, status.st_size, bool(status.st_mode & stat.S_IXUSR))


def differing(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """(lines that went, lines that came), with their numbers from 1."""
    start, most = 0, min(len(before), len(after))
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if max(len(old), len(new)) > _LONGEST_DIFF:
        return _surplus(old, new, start), _surplus(new, old, start)
    gone: list[Line] = []
    came: list[Line] = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            gone.extend(Line(start + number + 1, old[number]) for number in range(i, j))
            came.extend(Line(start + number + 1, new[number]) for number in range(k, m))
    return tuple(gone), tuple(came)


def _surplus(lines: tuple[str, ...], others: tuple[str, ...], start: int) -> tuple[Line, ...]:
    """The lines of one side that the other has not, or not as often."""
    left = Counter(others)
    found: list[Line] = []
    for number, line in enumerate(lines, start + 1):
        if left[line] > 0:
            left[line] -= 1
        else:
            found.append(Line(number, line))
    return tuple(found)
