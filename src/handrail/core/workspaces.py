"""The workspace of a run: the files that it works on, and how much of them there may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from . import errors
from .sizes import MIB

LARGEST_FILE = 16 * MIB
LARGEST = 64 * MIB
MOST_FILES = 500
LONGEST_PATH = 255


@dataclass(frozen=True, slots=True)
class File:
    path: str
    size: int
    digest: str
    changed_at: datetime


def check_path(given: str) -> str:
    """The path in its one form; `InvalidField` where it is none of a file in the workspace."""
    path = PurePosixPath(given)
    if (
        not path.parts
        or path.is_absolute()
        or ".." in path.parts
        or not given.isprintable()
        or len(given.encode()) > LONGEST_PATH
    ):
        raise errors.InvalidField(
            f"{given[:80]!r} is not a path in the workspace: write one like reports/may.csv", field="path"
        )
    return str(path)


def check_all(sizes: Mapping[str, int]) -> None:
    """Whether files of these paths and sizes can be together in a workspace."""
    folders = {str(folder) for path in sizes for folder in PurePosixPath(path).parents}
    for path in folders & sizes.keys():
        raise errors.InvalidField(f"{path!r} cannot be both a file and a folder", field="path")
    if max(sizes.values(), default=0) > LARGEST_FILE:
        raise errors.BodyTooLarge(f"a workspace file can have at most {LARGEST_FILE // MIB} MiB")
    if len(sizes) > MOST_FILES or sum(sizes.values()) > LARGEST:
        raise errors.BodyTooLarge(
            f"the workspace holds at most {MOST_FILES} files and {LARGEST // MIB} MiB: remove some first"
        )
