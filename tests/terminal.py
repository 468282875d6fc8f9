"""A person at a terminal: a command in one of its own, what it shows, and what is typed."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

PATIENCE_SECONDS = 120.0
ROWS, COLUMNS = 50, 100


class Terminal:
    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        self._master = master
        self._seen = 0
        self.process = process
        self.shown = ""

    def expect(self, text: str) -> None:
        """Returns when the command has shown it since the last time."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (found := self.shown.find(text, self._seen)) < 0:
            assert time.monotonic() < deadline and self._read(deadline), f"no {text!r} in:\n{plain(self.shown)}"
        self._seen = found + len(text)

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def interrupt(self) -> None:
        """Ctrl-C, once the command waits for an answer: between its question and its reading, Python notes a signal and
        heeds it after the next key."""
        while psutil.Process(self.process.pid).status() != psutil.STATUS_SLEEPING:
            pass
        self.process.send_signal(signal.SIGINT)

    def wait(self) -> int:
        """The exit code, once everything is shown."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self._read(deadline):
            pass
        return self.process.wait(PATIENCE_SECONDS)

    def _read(self, deadline: float) -> bool:
        """Whether there may be more."""
        if not select.select([self._master], [], [], max(0.0, deadline - time.monotonic()))[0]:
            return False
        try:
            found = os.read(self._master, 1 << 16)
        except OSError:
            # the other end is closed
            return False
        self.shown += found.decode(errors="replace")
        return bool(found)


@contextmanager
def terminal(command: Sequence[str | Path], env: Mapping[str, str]) -> Generator[Terminal]:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(
        command, env={**env, "TERM": "xterm-256color"}, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    )
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)


def lines(shown: str) -> list[str]:
    """What is left on the screen: a line that was written over counts as it was last. Colours are kept."""
    return [line.rstrip("\r").rpartition("\r\x1b[K")[2] for line in shown.split("\n")]


def plain(shown: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", "\n".join(lines(shown)))
