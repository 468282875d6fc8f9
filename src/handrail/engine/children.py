"""The supervisor's side of the processes that run graphs."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import structlog

from handrail.core.runs import Run
from handrail.engine.kinds import Owner
from handrail.engine.nursery import FORK, KILL
from handrail.engine.orders import BRAKE, DRAIN, Orders
from handrail.engine.surroundings import User, socket_folder

# what a run prints beyond this is dropped
MOST_OUTPUT = 256 << 10

log = structlog.stdlib.get_logger(__name__)


class Nursery:
    """The process that processes are forked from; begun again where it was killed. It has this environment."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._lock = asyncio.Lock()

    async def fork(self, user: User | None, *ends: int) -> int:
        """The process id of a new child that has these ends, and is this user's."""
        async with self._lock:
            control = self._begun()
            said = FORK + (f"{user.uid}:{user.gid}".encode() if user else b"")
            loop = asyncio.get_running_loop()
            socket.send_fds(control, [said], ends)
            answer = await loop.sock_recv(control, 100)
        if not answer:
            self.end()
            raise ConnectionError("the process that starts others ended")
        return int(answer)

    def kill(self, pid: int) -> None:
        if self._control is not None:
            try:
                self._control.send(KILL + str(pid).encode())
            except OSError:
                # it ended, and all that it started with it
                self.end()

    def end(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _begun(self) -> socket.socket:
        """On the loop's own thread: what this starts dies with the thread that started it."""
        if self._control is not None and self._process is not None and self._process.poll() is None:
            return self._control
        self.end()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - this program's own
                [sys.executable, "-m", "handrail.engine.nursery", str(theirs.fileno()), str(os.getpid())],
                pass_fds=[theirs.fileno()],
                env=self._environment,
                stdin=subprocess.DEVNULL,
            )
        ours.setblocking(False)
        self._control = ours
        return ours


@dataclass(frozen=True, slots=True)
class Work:
    """A run in a child. `since` is on this process's monotonic clock."""

    run: Run
    since: float

    @property
    def worked(self) -> float:
        return self.run.usage.seconds + time.monotonic() - self.since


class Child:
    """One process. `said` hears its words, `ended` that it is gone."""

    def __init__(
        self, owner: Owner, nursery: Nursery, said: Callable[[Child, str], None], ended: Callable[[Child], None]
    ) -> None:
        self.owner = owner
        self.work: Work | None = None
        self.ready = False
        self._nursery = nursery
        self._said = said
        self._ended = ended
        self._pid: int | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._printed = 0
        self._listening: asyncio.Task[None] | None = None

    async def start(self, orders: Orders, user: User | None) -> None:
        """`user` is whom it becomes. It is handed the folder of the database's socket, where it could not get there."""
        ours, theirs = socket.socketpair()
        output, printed = os.pipe()
        folder = socket_folder(orders.dsn) if user else None
        handed = [os.open(folder, os.O_PATH | os.O_DIRECTORY)] if folder else []
        try:
            self._pid = await self._nursery.fork(user, theirs.fileno(), printed, *handed)
        except BaseException:
            # the nursery was killed, or we are stopping
            ours.close()
            os.close(output)
            raise
        finally:
            theirs.close()
            for end in (printed, *handed):
                os.close(end)
        reader, self._writer = await asyncio.open_connection(sock=ours)
        self._send(pickle.dumps(orders))
        if self.work is not None:
            self._send(pickle.dumps(self.work.run))
        self._listening = asyncio.create_task(self._listen(reader, output))

    def run(self, run: Run) -> None:
        """Give it a run; it may be still on its way to being ready."""
        self.work = Work(run, time.monotonic())
        self._printed = 0
        if self._writer is not None:
            self._send(pickle.dumps(run))

    def drain(self) -> None:
        """Stop between two steps, and give the run back."""
        self._send(DRAIN)

    def brake(self) -> None:
        """Stop between two steps and pause the run; what it runs in the sandbox ends at once."""
        self._send(BRAKE.encode())

    def kill(self) -> None:
        if self._pid is not None:
            self._nursery.kill(self._pid)

    def _send(self, said: bytes) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(len(said).to_bytes(4) + said)

    async def _listen(self, reader: asyncio.StreamReader, output: int) -> None:
        printing = asyncio.create_task(self._print(output))
        try:
            while line := await reader.readline():
                self._said(self, line.decode().rstrip("\n"))
        except ConnectionError:
            pass
        finally:
            if self._writer is not None:
                self._writer.close()
            # also where it ended by itself: what it started ends with it
            self.kill()
            self._ended(self)
            # what has left its group may hold on to its output as long as it likes
            await printing

    async def _print(self, output: int) -> None:
        """What the graphs print goes to the log, line by line, as much as is sensible."""
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(output))
        try:
            while chunk := await reader.read(1 << 16):
                self._log(chunk)
        finally:
            transport.close()

    def _log(self, chunk: bytes) -> None:
        left = MOST_OUTPUT - self._printed
        self._printed += len(chunk)
        if left <= 0:
            return
        about = {"run_id": str(self.work.run.id)} if self.work else {}
        for line in chunk[:left].decode(errors="replace").splitlines():
            log.info("run_printed", text=line, **about)
        if self._printed >= MOST_OUTPUT:
            log.warning("run_prints_too_much", limit=MOST_OUTPUT, **about)


def served(said: str) -> list[str]:
    """The names that a child says it serves."""
    return json.loads(said)
