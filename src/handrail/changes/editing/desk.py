"""Making edits: all of them or none, none that breaks a file's syntax."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from difflib import unified_diff
from typing import NamedTuple, Protocol

from handrail.changes.editing.errors import BadArguments, FileThere, NoFile, Refused
from handrail.changes.editing.placing import expect
from handrail.changes.editing.texts import Text, decode, hash_of
from handrail.changes.editing.trees import File, Tree


class Edit(NamedTuple):
    """What happens to one file: None before is a new file, None after a deleted one."""

    path: str
    before: File | None
    after: File | None


class Gate(Protocol):
    def check(self, edits: Sequence[Edit]) -> None:
        """Raises DoesNotParse."""
        ...


class EditedFile(NamedTuple):
    """One file after an edit."""

    path: str
    hash: str | None
    """Of the new content; None where the file is gone."""
    diff: str


def existing(tree: Tree, path: str, given: str | None = None) -> tuple[File, Text]:
    """A text file that is there, in the version that `given` names. Raises Refused."""
    file = tree.read(path)
    if file is None:
        raise NoFile(f"There is no file {path}. `search` finds files by what they hold, `create` makes new ones.")
    if given is not None:
        expect(path, file.data, given)
    return file, decode(path, file.data)


def changed(path: str, file: File, text: Text) -> Edit:
    return Edit(path, file, file._replace(data=text.data))


def absent(tree: Tree, path: str) -> None:
    if tree.read(path) is not None:
        raise FileThere(f"{path} exists already. Edit it, or delete it first.")


def apply(
    tree: Tree, edits: Sequence[Edit], gate: Gate, allow: Callable[[Edit], None] = lambda _: None
) -> tuple[EditedFile, ...]:
    """Make all edits, or raise and leave the tree as it was. `allow` raises for an edit that may not be made."""
    if len({edit.path for edit in edits}) != len(edits):
        raise BadArguments("One file is edited twice. Put all its changes into one edit.")
    if all(edit.before == edit.after for edit in edits):
        raise BadArguments("Nothing would change.")
    for edit in edits:
        allow(edit)
    gate.check(edits)
    _write(tree, edits)
    return tuple(
        EditedFile(edit.path, hash_of(edit.after.data) if edit.after else None, diff_of(edit)) for edit in edits
    )


def _write(tree: Tree, edits: Sequence[Edit]) -> None:
    """A write that fails half-way takes back what came before it. New files come first: a move never loses its file."""
    done: list[Edit] = []
    try:
        for edit in sorted(edits, key=lambda each: each.after is None):
            if tree.read(edit.path) != edit.before:
                raise Refused(f"{edit.path} was changed by somebody else meanwhile. Read it again.")
            done.append(edit)
            _put(tree, edit.path, edit.after)
    except BaseException:
        for edit in reversed(done):
            with suppress(Refused):  # what was not there yet is not there now
                _put(tree, edit.path, edit.before)
        raise


def _put(tree: Tree, path: str, file: File | None) -> None:
    if file is None:
        tree.delete(path)
    else:
        tree.write(path, file)


def diff_of(edit: Edit) -> str:
    """As a unified diff; for binary files a sentence."""
    try:
        before, after = (_lines(edit.path, file) for file in (edit.before, edit.after))
    except Refused:
        return f"Binary file {edit.path} changed\n"
    old = f"a/{edit.path}" if edit.before else "/dev/null"
    new = f"b/{edit.path}" if edit.after else "/dev/null"
    lines: list[str] = []
    for line in unified_diff(before, after, old, new):
        lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(lines)


def _lines(path: str, file: File | None) -> list[str]:
    if file is None:
        return []
    text = decode(path, file.data)
    return [line + ending for line, ending in zip(text.lines, text.endings, strict=True)]
