"""What only its owner may read: folders and files, made so and closed again where others could get in; processes."""

from __future__ import annotations

import ctypes
import stat
import sys
from pathlib import Path

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
        if mode & OTHERS:
            _warn("closed_to_others" if _close(place, mode) else "open_to_others", place, mode)


def _close(place: Path, mode: int) -> bool:
    if mode & stat.S_ISVTX:
        return False
    try:
        place.chmod(mode & stat.S_IRWXU)
    except OSError:
        return False
    return True


def _warn(event: str, place: Path, mode: int) -> None:
    # half of the time that the process with the audit key needs to start, and it logs nothing
    import structlog

    structlog.stdlib.get_logger(__name__).warning(event, place=str(place), mode=f"{mode:04o}")


def hide() -> None:
    """Keeps other processes of the same user out of this one's memory, environment and descriptors."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0)
