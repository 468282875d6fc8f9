"""Reads the skills of a folder: each folder with a manifest is one, with all the files beneath it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from handrail.core.errors import Forbidden, InvalidField
from handrail.core.sizes import MIB
from handrail.skills import manifests

LARGEST_SKILL = 8 * MIB
MOST_FILES = 500
MOST_SKILLS = 200
DEEPEST = 8
PASSED_OVER = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv"})


@dataclass(frozen=True, slots=True)
class SkillFolder:
    """`path` is that of the skill's folder within what was searched."""

    path: str
    files: dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Unusable:
    """A folder with a manifest that cannot be taken as a skill, and why."""

    path: str
    reason: str


def under_roots(given: str, roots: Sequence[Path]) -> Path:
    """The folder that is meant, where it lies under an allowed root, links and `..` followed first.

    What lies elsewhere is refused in the same words whether it is there or not.
    """
    refusal = Forbidden(f"{given!r} is not under a folder that HANDRAIL_SKILL_ROOTS allows")
    try:
        folder = Path(given).resolve()
        allowed = [root.resolve(strict=True) for root in roots if root.exists()]
    except (OSError, ValueError, RuntimeError):
        raise refusal from None
    if not any(folder.is_relative_to(root) for root in allowed):
        raise refusal
    if not folder.is_dir():
        raise InvalidField(f"there is no folder {given!r} on the server", field="folder")
    return folder


def find(folder: Path, path: str = ".") -> list[SkillFolder | Unusable]:
    """The skills at or beneath `path` of a folder. Nothing outside it is read, whatever links say.

    A folder that cannot be taken says so in its place, and keeps no other from being found.
    """
    root = folder.resolve()
    start = (root / path).resolve()
    if not start.is_relative_to(root) or not start.is_dir():
        raise InvalidField(f"there is no folder {path!r} in it", field="path")
    places = list(islice(_places(start, DEEPEST), MOST_SKILLS + 1))
    if not places:
        raise InvalidField("there is no SKILL.md or skill.yaml in it", field="path")
    if len(places) > MOST_SKILLS:
        raise InvalidField(f"there are more than {MOST_SKILLS} skills in it; name a folder in it", field="path")
    return [_found(place, str(place.relative_to(root))) for place in places]


def _found(place: Path, path: str) -> SkillFolder | Unusable:
    shown = os.fsencode(path).decode(errors="replace")
    try:
        if shown != path:
            raise InvalidField("the folder's name is not UTF-8", field="path")
        return SkillFolder(path, _files(place))
    except InvalidField as error:
        return Unusable(shown, error.message)
    except OSError as error:
        return Unusable(shown, f"a file of the skill {place.name!r} cannot be read: {error.strerror}")


def _places(folder: Path, depth: int) -> Iterator[Path]:
    """Folders with a manifest; what lies beneath one belongs to it."""
    if any((folder / name).is_file() for name in (manifests.MARKDOWN, manifests.YAML_FILE)):
        yield folder
        return
    if depth:
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            if entry.is_dir(follow_symlinks=False) and entry.name not in PASSED_OVER:
                yield from _places(folder / entry.name, depth - 1)


def _files(folder: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    left = LARGEST_SKILL
    for path in _walk(folder):
        left -= path.lstat().st_size
        if left < 0 or len(files) >= MOST_FILES:
            raise InvalidField(
                f"the skill {folder.name!r} is larger than {LARGEST_SKILL // MIB} MiB or {MOST_FILES} files",
                field="path",
            )
        files[_name(path.relative_to(folder))] = _read(path)
    return files


def _name(path: Path) -> str:
    name = path.as_posix()
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InvalidField(f"a file's name is not UTF-8: {os.fsencode(name)!r}", field="path") from None
    return name


def _walk(folder: Path) -> Iterator[Path]:
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        place = folder / entry.name
        if entry.is_symlink():
            raise InvalidField(
                f"{place.name!r} in the skill {folder.name!r} is a link; put the file itself there", field="path"
            )
        if entry.is_dir():
            if entry.name not in PASSED_OVER:
                yield from _walk(place)
        elif entry.is_file():
            yield place


def _read(path: Path) -> bytes:
    """Without following a link that took the file's place a moment ago."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        return file.read(LARGEST_SKILL + 1)
