"""What only its owner may read: folders and files, made so and closed again where others could get in; processes."""

from __future__ import annotations

import ctypes
import stat
import sys
from pathlib import Path

import structlog

log = structlog.stdlib.get_logger(__name__)

_PR_SET_DUMPABLE = 4
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_folder(folder: Path) -> None:
    """The folder, and whatever is missing above it, each of mode 0700; `Path.mkdir` would leave those above open."""
    for place in reversed((folder, *folder.parents)):
        place.mkdir(mode=0o700, exist_ok=True)


def close(*places: Path) -> None:
    """Takes from others what they may do with those places that are there, and says so in the log.

    A folder that is made for everybody, such as /tmp, stays as it is; so does what belongs to somebody else.
    """
    for place in places:
        try:
            mode = stat.S_IMODE(place.stat().st_mode)
        except FileNotFoundError:
            continue
        if not mode & OTHERS:
            continue
        if _close(place, mode):
            log.warning("closed_to_others", place=str(place), mode=f"{mode:04o}")
        else:
            log.warning("open_to_others", place=str(place), mode=f"{mode:04o}")


def _close(place: Path, mode: int) -> bool:
    if mode & stat.S_ISVTX:
        return False
    try:
        place.chmod(mode & stat.S_IRWXU)
    except OSError:
        return False
    return True


def hide() -> None:
    """Keeps other processes of the same user out of this one's memory, environment and descriptors."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0)
