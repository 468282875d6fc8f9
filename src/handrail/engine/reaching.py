"""Lets an ordinary user reach folders that lie in ones which are closed to others, such as a Python in root's home."""

from __future__ import annotations

import ctypes
import os
import stat
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

# of <sched.h> and <sys/mount.h>
CLONE_NEWNS = 0x00020000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000


def open_up(folders: Iterable[Path]) -> None:
    """In a mount namespace of this process's own, in which a closed folder holds nothing but what is needed of it.

    By root. OSError where that is not possible.
    """
    closed: defaultdict[Path, set[Path]] = defaultdict(set)
    for folder in folders:
        above = _closed_above(folder)
        if above is not None:
            closed[above].add(folder)
    if not closed:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    _done(libc.unshare(CLONE_NEWNS))
    _done(libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None))
    for above, needed in closed.items():
        outermost = [each for each in needed if not needed & {*each.parents}]
        held = {each: os.open(each, os.O_PATH | os.O_DIRECTORY) for each in outermost}
        _done(libc.mount(b"tmpfs", os.fsencode(above), b"tmpfs", 0, b"mode=711,size=1m"))
        for folder, descriptor in held.items():
            folder.mkdir(parents=True)
            source = f"/proc/self/fd/{descriptor}".encode()
            _done(libc.mount(source, os.fsencode(folder), None, MS_BIND | MS_REC, None))
            os.close(descriptor)


def _closed_above(folder: Path) -> Path | None:
    """The outermost folder above that others may not enter."""
    for above in reversed(folder.parents):
        if not above.stat().st_mode & stat.S_IXOTH:
            return above
    return None


def _done(outcome: int) -> None:
    if outcome != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
