"""Joins the control group, opens what the command must see, gives up root for good, and becomes the command.

Run as a script of its own. Arguments: the ordinary user's number or `-`, the doors of the group separated by colons or
`-`, how many folders to open, these, then the command.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

# of <sched.h> and <sys/mount.h>
CLONE_NEWNS = 0x00020000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
# a folder that every system has, for mounts that nobody else sees
LOBBY = "/mnt"


def main(user: str, doors: str, folders: list[str], command: list[str]) -> None:
    for door in doors.split(":") if doors != "-" else ():
        Path(door).write_text(str(os.getpid()))
    if folders:
        _open(folders)
    if user != "-":
        os.setgroups([])
        os.setresgid(int(user), int(user), int(user))
        os.setresuid(int(user), int(user), int(user))
    os.chdir("/")
    os.execv(command[0], command)  # noqa: S606 - becoming it is the point


def _open(folders: list[str]) -> None:
    """Each folder at /mnt/0, /mnt/1 … of a mount namespace of our own: an ordinary user need not reach the original."""
    libc = ctypes.CDLL(None, use_errno=True)
    _done(libc.unshare(CLONE_NEWNS))
    _done(libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None))
    _done(libc.mount(b"tmpfs", LOBBY.encode(), b"tmpfs", 0, b"mode=755"))
    for number, folder in enumerate(folders):
        place = Path(LOBBY) / str(number)
        place.mkdir()
        _done(libc.mount(os.fsencode(folder), os.fsencode(place), None, MS_BIND | MS_REC, None))


def _done(outcome: int) -> None:
    if outcome != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"the sandbox's folders cannot be opened: {os.strerror(number)}")


OPENED = 4 + int(sys.argv[3])
main(sys.argv[1], sys.argv[2], sys.argv[4:OPENED], sys.argv[OPENED:])
