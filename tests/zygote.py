"""Handrail's processes for tests, forked from one that has imported everything.

They are real processes, with variables, files and sockets of their own; what they are spared is two to five seconds of
imports for each. The first start of a run makes the process that they are forked from, and it ends when the run's
folder is gone. `/proc` shows its command and its variables for all of them: a test of what a process is started with,
or finds in its memory, uses `servers.beginning()`.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import resource
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn, Protocol

SOCKET = "zygote"
# what `up`, `serve` and `worker` import when they run, and the processes that they start
MODULES = (
    *("handrail.cli.main", "handrail.cli.serving", "handrail.cli.output", "handrail.cli.connection"),
    *("handrail.engine.child", "handrail.engine.nursery", "handrail.store.signing"),
    *(f"handrail.channels.{name}.send" for name in ("email", "linear", "push", "slack", "webhook")),
    *("handrail.cli.signals", "handrail.changes.tidying"),
    *("anyio._backends._asyncio", "httpcore", "typer._adapters", "uvicorn.lifespan.off", "uvloop", "webbrowser"),
    *("yoyo.scripts.main", "yoyo.scripts.newmigration", "yoyo.topologicalsort", "zxcvbn"),
)
SERVING = ("up", "serve", "worker")
LIMITS = {name: number for name, number in vars(resource).items() if name.startswith("RLIMIT_")}
MOST_WORDS = 1 << 17


class Process(Protocol):
    """What is used of `subprocess.Popen`."""

    @property
    def pid(self) -> int: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def kill(self) -> None: ...
    def terminate(self) -> None: ...


def start(folder: Path, command: Sequence[str], variables: Mapping[str, str], *files: int) -> Process:
    """The command as a process with these variables; `files` are its input, output and errors."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.connect(str(_begun(folder)))
    request = {"command": command, "variables": dict(variables), "folder": str(Path.cwd())}
    # and what else a process has of the one that starts it
    request |= {"mask": _mask(), "limits": {name: resource.getrlimit(number) for name, number in LIMITS.items()}}
    socket.send_fds(connection, [json.dumps(request).encode()], files)
    return _Forked(connection)


def _mask() -> int:
    found = os.umask(0)
    os.umask(found)
    return found


class _Forked:
    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._status: int | None = None
        self.pid = int(connection.recv(100))

    def poll(self) -> int | None:
        return self._status if self._status is not None else self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        status = self._status if self._status is not None else self._look(timeout)
        if status is None:
            raise subprocess.TimeoutExpired("handrail", timeout or 0)
        return status

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def terminate(self) -> None:
        self._signal(signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def _look(self, timeout: float | None) -> int | None:
        if select.select([self._connection], [], [], timeout)[0]:
            with self._connection:
                self._status = int(self._connection.recv(100))
        return self._status


def _begun(folder: Path) -> Path:
    """Where the run's process listens; begun by whoever needs it first."""
    path = folder / SOCKET
    with (folder / f"{SOCKET}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            plain = {name: value for name, value in os.environ.items() if not name.startswith(("HANDRAIL_", "PYTHON"))}
            # it comes back once the process that it leaves behind listens
            subprocess.run([sys.executable, __file__, path], env=plain, stdin=subprocess.DEVNULL, check=True)
    return path


# In the process that others are forked from


def main(path: Path) -> None:
    """In a process that is to be Handrail, returns; everywhere else, never."""
    import quick_hashes
    import typer.main

    from handrail import policy
    from handrail.cli import main as program

    for name in MODULES:
        importlib.import_module(name)
    _load_graphs()
    # what each of them would do again: reading the default policy, and building the commands
    policy.default_policy()
    typer.main.get_command = cache(typer.main.get_command)
    typer.main.get_command(program.app)
    quick_hashes.begin()
    gc.collect()
    # collections would touch, and so copy, every shared page
    gc.freeze()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(str(path))
    listener.listen(100)
    listener.settimeout(1)
    if os.fork():
        os._exit(0)
    os.setsid()
    # who is forked is not waited for
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while path.exists():
        try:
            connection = listener.accept()[0]
        except TimeoutError:
            continue
        if os.fork() == 0:
            listener.close()
            _keep(connection)
            return
        connection.close()
    os._exit(0)


def _load_graphs() -> None:
    """Those that are built in, so that no process imports them again."""
    import asyncio

    from handrail.cli.kinds import built_in
    from handrail.engine import registry
    from handrail.settings import Settings

    settings = Settings()
    for kind in built_in(settings):
        asyncio.run(registry.load(kind, settings))


def _keep(connection: socket.socket) -> None:
    """Forks the process, waits for it, and says how it ended. Returns in that process alone."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    said, files, _, _ = socket.recv_fds(connection, MOST_WORDS, 3)
    pid = os.fork()
    if pid == 0:
        connection.close()
        _become(json.loads(said), files)
        return
    for file in files:
        os.close(file)
    connection.send(str(pid).encode())
    over = os.pidfd_open(pid)
    if over not in select.select([over, connection], [], [])[0]:
        # whoever started it is gone
        os.kill(pid, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    try:
        connection.send(str(status).encode())
    finally:
        os._exit(0)


def _become(request: dict[str, Any], files: Sequence[int]) -> None:
    os.chdir(request["folder"])
    os.umask(request["mask"])
    for name, limits in request["limits"].items():
        resource.setrlimit(LIMITS[name], limits)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        number = getattr(sys, name).fileno()
        setattr(sys, name, os.fdopen(number, mode, 1 if name == "stderr" else -1, encoding="utf-8", closefd=False))
    program, *words = request["command"]
    if words and words[0] in SERVING:
        _prepare_kin()
    _take(request["command"], request["variables"])
    sys.path[0] = str(Path(program).parent)


def _take(command: Sequence[str], variables: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(variables)
    time.tzset()
    tempfile.tempdir = None
    sys.argv[:] = command


class _Kin:
    """A process that a server starts to be a module of Handrail's: forked from it before it was anything."""

    def __init__(self, module: str) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.pid = os.fork()
        if self.pid == 0:
            os.closerange(3, theirs.fileno())
            os.closerange(theirs.fileno() + 1, 1 << 10)
            _hatch(module, theirs)
        theirs.close()
        self._status: int | None = None

    def hatch(self, command: Sequence[str], env: Mapping[str, str], pass_fds: Sequence[int]) -> None:
        request = {"command": command, "variables": dict(env), "file": pass_fds[0]}
        socket.send_fds(self._control, [json.dumps(request).encode()], pass_fds)

    def poll(self) -> int | None:
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._status = os.waitstatus_to_exitcode(status) if pid else None
        return self._status

    def wait(self, timeout: float | None = None) -> int:
        if self.poll() is None:
            descriptor = os.pidfd_open(self.pid)
            select.select([descriptor], [], [], timeout)
            os.close(descriptor)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired("handrail", timeout or 0)
        return status

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def _prepare_kin() -> None:
    """The first of each that the server starts is one that waits already; the next ones start as they always do."""
    from handrail.engine import children
    from handrail.store import signing

    for starter, module in ((signing, "handrail.store.signing"), (children, "handrail.engine.nursery")):
        waiting = [_Kin(module)]

        def popen(command: list[str], waiting: list[_Kin] = waiting, **options: Any) -> Any:
            if not waiting:
                return subprocess.Popen(command, **options)
            kin = waiting.pop()
            kin.hatch(command[-3:], options["env"], options["pass_fds"])
            return kin

        vars(starter)["subprocess"] = SimpleNamespace(**{**vars(subprocess), "Popen": popen})


def _hatch(module: str, control: socket.socket) -> NoReturn:
    """Is that module once it is told to; where the server ends before, it ends too."""
    said, files, _, _ = socket.recv_fds(control, MOST_WORDS, 1)
    if not said:
        os._exit(0)
    control.close()
    request = json.loads(said)
    os.dup2(files[0], request["file"])
    if files[0] != request["file"]:
        os.close(files[0])
    _take(request["command"], request["variables"])
    Path("/proc/self/comm").write_text(module.rpartition(".")[2])
    status = 1
    try:
        # it is another module now, and not one that is imported already
        del sys.modules[module]
        runpy.run_module(module, run_name="__main__")
        status = 0
    finally:
        os._exit(status)


def _live() -> int:
    """Is Handrail, and gives how it ends."""
    from handrail.cli.main import run

    try:
        run()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    ended = _live()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    # at once: Python would take everything apart first, and so copy every shared page
    os._exit(ended)
