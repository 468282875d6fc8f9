"""Starts the processes that run graphs, by fork: what they all need is imported once, and shared.

The supervisor starts this process and talks to it over a socket: it sends the two ends that a new process is to have,
and gets its process id. Everything here dies with the supervisor.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import socket
import sys
from contextlib import suppress
from typing import NoReturn

FORK = b"fork"
KILL = b"kill "
_PR_SET_PDEATHSIG = 1


def main(control: socket.socket, supervisor: int) -> NoReturn:
    _die_with(supervisor)
    # a terminal's signals go to the supervisor, which stops everything in order
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    from handrail.engine import child

    gc.collect()
    # collections in the processes would touch, and so copy, every shared page
    gc.freeze()
    ours = os.getpid()
    while True:
        said, ends, _, _ = socket.recv_fds(control, 1 << 16, 2)
        if not said:
            os._exit(0)
        _bury()
        if said.startswith(KILL):
            _kill(int(said.removeprefix(KILL)))
            continue
        pid = os.fork()
        if pid == 0:
            control.close()
            _die_with(ours)
            os.setpgid(0, 0)
            child.main(socket.socket(fileno=ends[0]), ends[1], said.removeprefix(FORK))
        for end in ends:
            os.close(end)
        control.send(str(pid).encode())


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
