"""Patches as models write them: unified diffs, and the form that begins with `*** Begin Patch`.

Line numbers are not looked at: models count badly, and a hunk's lines say where it belongs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from handrail.changes.editing.errors import BadPatch
from handrail.changes.editing.hunks import Hunk, Line
from handrail.changes.editing.texts import lines_of

_HUNK = re.compile(r"@@(?: -[\d, +-]*@@)?\s?(.*)")
_FILE = re.compile(r"\*\*\* (Add|Update|Delete) File: (.+)")
_NOISE = (
    "index ",
    "old mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
    "similarity index ",
    "\\ No newline",
)


@dataclass
class FilePatch:
    action: Literal["create", "update", "delete"]
    path: str
    to: str | None = None
    """Where the file is moved, if it is."""
    hunks: list[tuple[str, Hunk]] = field(default_factory=list[tuple[str, Hunk]])
    """Each with the text of its header: the line of a symbol that it is in, or nothing."""


def parse(patch: str) -> list[FilePatch]:
    """Raises BadPatch with the number of the line that cannot be read."""
    lines = lines_of(patch, "patch")
    is_marked = any(_FILE.fullmatch(line) for line in lines)
    found = _marked(lines) if is_marked else _unified(lines)
    if not found:
        raise BadPatch("The patch names no file. Begin each with `--- a/path` and `+++ b/path`.")
    for each in found:
        if each.action == "update" and not each.hunks and not each.to:
            raise BadPatch(f"The patch has no hunk for {each.path}. Hunks begin with `@@`.")
    return found


def _marked(lines: Sequence[str]) -> list[FilePatch]:
    found: list[FilePatch] = []
    body: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        heading = _FILE.fullmatch(line)
        if heading:
            _close(found, body)
            action = {"Add": "create", "Update": "update", "Delete": "delete"}[heading[1]]
            found.append(FilePatch(action, heading[2].strip()))  # pyright: ignore[reportArgumentType] - one of the three
        elif line.startswith("*** Move to: ") and found:
            found[-1].to = line.removeprefix("*** Move to: ").strip()
        elif line.strip() not in {"*** Begin Patch", "*** End Patch", "*** End of File"} and found:
            body.append((number, line))
    _close(found, body)
    return found


def _unified(lines: Sequence[str]) -> list[FilePatch]:
    found: list[FilePatch] = []
    body: list[tuple[int, str]] = []
    moved: str | None = None
    skip = False
    for number, line in enumerate(lines, 1):
        following = lines[number] if number < len(lines) else ""
        if skip:
            skip = False
        elif line.startswith("--- ") and following.startswith("+++ "):
            _close(found, body)
            patch = _headed(line[4:], following[4:])
            if moved is not None and found and found[-1].path == moved and found[-1].to == patch.to:
                found.pop()
            found.append(patch)
            skip = True
        elif line.startswith(("GIT binary patch", "Binary files ")):
            raise BadPatch(f"Line {number} of the patch is of a binary file, which these tools do not edit.")
        elif line.startswith("diff --git "):
            _close(found, body)
        elif line.startswith("rename from "):
            moved = line.removeprefix("rename from ").strip()
        elif line.startswith("rename to ") and moved is not None:
            found.append(FilePatch("update", moved, line.removeprefix("rename to ").strip()))
        elif found and not line.startswith(_NOISE):
            body.append((number, line))
    _close(found, body)
    return found


def _headed(old: str, new: str) -> FilePatch:
    before, after = (name.partition("\t")[0].strip() for name in (old, new))
    if before == "/dev/null":
        return FilePatch("create", after.removeprefix("b/"))
    if after == "/dev/null":
        return FilePatch("delete", before.removeprefix("a/"))
    path, to = before.removeprefix("a/"), after.removeprefix("b/")
    return FilePatch("update", path, None if path == to else to)


def _close(found: list[FilePatch], body: list[tuple[int, str]]) -> None:
    """Give the lines since the last file's heading to that file."""
    while body and not body[-1][1].strip():
        body.pop()
    if body and found:
        found[-1].hunks.extend(_hunks(found[-1], body))
    body.clear()


def _hunks(patch: FilePatch, body: Sequence[tuple[int, str]]) -> list[tuple[str, Hunk]]:
    hunks: list[tuple[str, list[Line]]] = []
    for number, line in body:
        header = _HUNK.fullmatch(line) if line.startswith("@@") else None
        if header:
            hunks.append((header[1].strip(), []))
            continue
        if not hunks:
            hunks.append(("", []))
        match line[:1]:
            case "+" | "-" | " " as sign:
                hunks[-1][1].append(Line(sign, line[1:]))
            case "":
                hunks[-1][1].append(Line(" ", ""))
            case _ if line.startswith("\\"):
                pass
            case _:
                raise BadPatch(
                    f"Line {number} of the patch, {line[:80]!r}, has no sign. Each begins with space, - or +."
                )
    return [(header, Hunk(tuple(lines))) for header, lines in hunks if lines]
