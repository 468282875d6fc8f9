"""Joins the control group, gives up root for good, and becomes the command. Run as a script of its own.

Arguments: the ordinary user's number or `-`, the doors of the group separated by colons or `-`, then the command.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main(user: str, doors: str, command: list[str]) -> None:
    for door in doors.split(":") if doors != "-" else ():
        Path(door).write_text(str(os.getpid()))
    if user != "-":
        os.setgroups([])
        os.setresgid(int(user), int(user), int(user))
        os.setresuid(int(user), int(user), int(user))
    os.chdir("/")
    os.execv(command[0], command)  # noqa: S606 - becoming it is the point


main(sys.argv[1], sys.argv[2], sys.argv[3:])
