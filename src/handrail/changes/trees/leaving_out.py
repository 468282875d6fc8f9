"""The same change without some of its files or hunks: as what a person left standing at review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handrail.changes.trees.changing import Change
from handrail.changes.trees.diffs import FileDiff, Hunk
from handrail.changes.trees.errors import NoSuchHunk
from handrail.changes.trees.groves import Repository
from handrail.changes.trees.laying import contents


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file of the diff by its path, and the ids of the hunks that are left out; none mean the whole file."""

    path: str
    hunks: tuple[str, ...] = ()


async def remaining(repository: Repository, found: Sequence[FileDiff], left_out: Sequence[LeftOut]) -> list[Change]:
    """What turns the base into the change without those; refused where one of them is not in the diff."""
    dropped = {each.path: _checked(each, found) for each in left_out}
    stays = [file for file in found if dropped.get(file.path) != frozenset()]
    blobs = await contents(
        repository, [_wanted(file, file.path in dropped) for file in stays if _wanted(file, file.path in dropped)]
    )
    changes: list[Change] = []
    for file in stays:
        hunks = dropped.get(file.path)
        content = blobs.get(_wanted(file, hunks is not None), b"")
        if file.status == "renamed":
            changes.append(Change(file.old_path, file.old_mode, None))
        if hunks is not None:
            mode = file.old_mode if file.status == "deleted" else file.new_mode
            changes.append(Change(file.path, mode, without(content, file.hunks, hunks)))
        else:
            changes.append(Change(file.path, file.new_mode, None if file.status == "deleted" else content))
    return changes


def _wanted(file: FileDiff, in_part: bool) -> str:
    """The blob that the file is made of; none for one that is deleted, or new and only there in part."""
    blob = file.old_blob if in_part else file.new_blob
    return blob.strip("0") and blob


def _checked(wanted: LeftOut, found: Sequence[FileDiff]) -> frozenset[str]:
    """The ids that are left out; none where the whole file is."""
    file = next((each for each in found if each.path == wanted.path), None)
    if file is None:
        raise NoSuchHunk(f"The diff has no file {wanted.path}", path=wanted.path)
    known = {hunk.id for hunk in file.hunks}
    unknown = [each for each in wanted.hunks if each not in known]
    if unknown:
        raise NoSuchHunk(
            f"The diff of {wanted.path} has no hunk {unknown[0]}: it may have changed since you saw it",
            path=wanted.path,
        )
    if not wanted.hunks or (known == set(wanted.hunks) and file.status != "renamed"):
        return frozenset()
    if file.status == "retyped":
        raise NoSuchHunk(f"{wanted.path} is another kind of file now: it can only be left out as a whole")
    return frozenset(wanted.hunks)


def without(old: bytes, hunks: Sequence[Hunk], left_out: frozenset[str]) -> bytes:
    """The old content with all hunks but those, byte by byte."""
    lines = _lines(old)
    made: list[bytes] = []
    at = 0
    for hunk in hunks:
        # a hunk that deletes nothing stands after its line
        start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
        made += lines[at:start]
        at = start + hunk.old_count
        made += lines[start:at] if hunk.id in left_out else _new_lines(hunk)
    return b"".join([*made, *lines[at:]])


def _lines(content: bytes) -> list[bytes]:
    """As git counts them: by line feeds alone."""
    parts = content.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _new_lines(hunk: Hunk) -> list[bytes]:
    made: list[bytes] = []
    kept = False
    for line in _lines(hunk.raw)[1:]:
        if line.startswith(b"\\"):
            # of the line before: it has no line feed at its end
            if kept:
                made[-1] = made[-1].removesuffix(b"\n")
            continue
        kept = line[:1] in {b" ", b"+"}
        if kept:
            made.append(line[1:])
    return made
