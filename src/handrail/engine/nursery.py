"""Starts the processes that run graphs, by fork: what they all need is imported once, and shared.

The supervisor starts this process and talks to it over a socket: it sends the ends that a new process is to have and
whom it is to become, and gets its process id. What else the new process is to know comes over its own socket: nothing
secret is ever here, where the next one would inherit it. Everything here dies with the supervisor.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from handrail.engine import reaching

FORK = b"fork"
KILL = b"kill "
_PR_SET_PDEATHSIG = 1


def main(control: socket.socket, supervisor: int) -> NoReturn:
    _die_with(supervisor)
    # a terminal's signals go to the supervisor, which stops everything in order
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    # importing makes no garbage, and looking for some takes a tenth of its time
    gc.disable()
    from handrail.engine import child

    gc.collect()
    # collections in the processes would touch, and so copy, every shared page
    gc.freeze()
    gc.enable()
    ours = os.getpid()
    while True:
        said, ends, _, _ = socket.recv_fds(control, 1 << 10, 3)
        if not said:
            os._exit(0)
        _bury()
        if said.startswith(KILL):
            _kill(int(said.removeprefix(KILL)))
            continue
        pid = os.fork()
        if pid == 0:
            control.close()
            os.setpgid(0, 0)
            _become(said.removeprefix(FORK))
            # after that: who becomes another loses this
            _die_with(ours)
            child.main(socket.socket(fileno=ends[0]), *ends[1:])
        for end in ends:
            os.close(end)
        control.send(str(pid).encode())


def _become(user: bytes) -> None:
    """For good: an ordinary user without groups, who reaches Python and the workflows wherever they lie. Nothing said:
    it stays who we are."""
    if user:
        uid, gid = map(int, user.split(b":"))
        reaching.open_up(_needed())
        os.setgroups([])
        os.setresgid(gid, gid, gid)
        os.setresuid(uid, uid, uid)


def _needed() -> set[Path]:
    """Where modules come from."""
    named = (sys.base_prefix, sys.prefix, *sys.path, Path(os.environ.get("HANDRAIL_WORKFLOWS_FILE", "/")).parent)
    return {Path(each).resolve() for each in named if each and Path(each).is_dir()}


def _die_with(parent: int) -> None:
    """So that no run goes on without a lease; elsewhere than on Linux, a process sees its socket end."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)


def _bury() -> None:
    """Take note of those that ended, so that their numbers are free; what they started ends with them."""
    with suppress(ChildProcessError):
        while pid := os.waitpid(-1, os.WNOHANG)[0]:
            _end_group(pid)


def _kill(pid: int) -> None:
    with suppress(ChildProcessError):
        # not yet buried, so the number is still its own
        if os.waitpid(pid, os.WNOHANG)[0] == 0:
            _end_group(pid)
            os.waitpid(pid, 0)


def _end_group(pid: int) -> None:
    # nobody of it may be left
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]))
