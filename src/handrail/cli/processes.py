"""`handrail serve --processes N`: processes that answer on one socket, and one for the background work.

The process that was started only keeps the others: it has no connection and no event loop, so that it can fork at any
time. Each of them reads the feed by itself; events are numbered, and deadlines kept, by the one in the background.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn

import structlog
import typer

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
MOST_SAID = 1 << 16

log = structlog.stdlib.get_logger(__name__)

# what a process says once it is ready; and what it does until it is told to stop, which ends with its exit code
Ready = Callable[[str | None], None]
Part = Callable[[Ready, int], int]


@dataclass(slots=True)
class _Process:
    part: Part
    pid: int
    ready: bool = False


class Processes:
    """One that is killed is replaced. One that ends by itself has a reason, and ends them all, as does one that never
    became ready."""

    def __init__(self, background: Part, answering: Part, count: int) -> None:
        self._background = background
        self._answering = [answering] * count
        # by our end of the pipe in which each says that it is ready, and which ends with it
        self._alive: dict[int, _Process] = {}
        self._stopping = False
        self._status = 0
        # a signal makes the first readable; those that we start end when nobody has the second one's other end
        self._signalled, self._signal = os.pipe()
        self._lifeline, self._held = os.pipe()

    def run(self, ready: Ready, ended: Callable[[int], None]) -> int:
        """Until a signal comes or one has ended them all: the exit code. `ready` is called once all are, with what the
        background's process said; `ended` with each process that has ended."""
        os.set_blocking(self._signal, False)
        signal.set_wakeup_fd(self._signal)
        for number in SIGNALS:
            signal.signal(number, self._stop)
        # collections in the processes would touch, and so copy, every shared page
        gc.collect()
        gc.freeze()
        said: str | None = None
        # the schema, the keys and the first administrator are there before anybody is answered
        for part in (self._background, *self._answering):
            self._start(part)
            if part is self._background:
                said = self._until_ready()
        self._until_ready()
        if not self._stopping:
            ready(said)
        while self._alive:
            self._look(ended)
        return self._status

    def _start(self, part: Part) -> None:
        if self._stopping:
            return
        ours, theirs = os.pipe()
        # one that comes now waits until the new process no longer takes it for ours
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        pid = os.fork()
        if pid == 0:
            os.close(ours)
            self._become(part, theirs)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        os.close(theirs)
        self._alive[ours] = _Process(part, pid)

    def _become(self, part: Part, tell: int) -> NoReturn:
        """In the new process. It leaves what it has of ours alone, and so does not return."""
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            for number in SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            for end in (self._signalled, self._signal, self._held, *self._alive):
                os.close(end)
            code = part(lambda said: _tell(tell, said), self._lifeline)
        except typer.Exit as ended:
            code = ended.exit_code
        except Exception:
            log.critical("process.failed", exc_info=True)
        finally:
            sys.stdout.flush()
            os._exit(code)

    def _until_ready(self) -> str | None:
        said: str | None = None
        while not all(each.ready for each in self._alive.values()):
            said = self._look(lambda _: None) or said
        return said

    def _look(self, ended: Callable[[int], None]) -> str | None:
        """Waits for the next thing to happen; what a process said with it."""
        said: str | None = None
        for end in select.select([self._signalled, *self._alive], [], [])[0]:
            if end == self._signalled:
                os.read(end, MOST_SAID)
                continue
            if line := os.read(end, MOST_SAID):
                self._alive[end].ready = True
                said = json.loads(line)
                continue
            ended(self._alive[end].pid)
            self._bury(end)
        if self._stopping:
            self._pass_on()
        return said

    def _bury(self, end: int) -> None:
        process = self._alive.pop(end)
        os.close(end)
        code = os.waitstatus_to_exitcode(os.waitpid(process.pid, 0)[1])
        if self._stopping:
            return
        if process.ready and code <= 0:
            log.warning("process.replaced", pid=process.pid, signal=-code)
            self._start(process.part)
            return
        log.error("process.ended", pid=process.pid, status=code)
        self._status = code if code > 0 else 1
        self._stopping = True

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True

    def _pass_on(self) -> None:
        for process in self._alive.values():
            # not yet waited for, so the number is still its own
            os.kill(process.pid, signal.SIGTERM)


def _tell(end: int, said: str | None) -> None:
    os.write(end, json.dumps(said).encode())
