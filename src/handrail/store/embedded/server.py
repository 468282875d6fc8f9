"""One process's use of the embedded server: start it or join it, keep it alive, and stop it as the last one out."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psycopg
import structlog

from handrail.core.errors import HandrailError, Unavailable
from handrail.store.embedded import programs
from handrail.store.embedded.folder import PORT, USER, Folder

# recovery after a crash replays at most max_wal_size: seconds
START_SECONDS = 120.0
STOP_SECONDS = 30.0
LOOK_SECONDS = 0.25
RETRY_SECONDS = 5.0

SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "huge_pages": "off",
    "jit": "off",
    # no reader processes: the working set is in memory
    "io_method": "sync",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "timezone": "UTC",
    # errors reach the caller; their details may hold people's data and stay out of the log
    "log_min_messages": "log",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
    "log_timezone": "UTC",
}
# for data that may be lost with the machine: tests
NOT_DURABLE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}

log = structlog.stdlib.get_logger(__name__)


def exists(data: Path) -> bool:
    """Whether a server was ever started in this data folder."""
    return Folder(data).cluster.exists()


@asynccontextmanager
async def running(data: Path, *, durable: bool = True) -> AsyncGenerator[str]:
    """Gives the DSN of the server of a data folder, which is started again should it end before we are done."""
    server = Server(data, durable=durable)
    try:
        dsn = await asyncio.to_thread(server.start)
    except asyncio.CancelledError:
        # the start goes on in its thread, and stop waits for it
        await asyncio.to_thread(server.stop)
        raise
    watch = asyncio.create_task(_keep_up(server))
    try:
        yield dsn
    finally:
        watch.cancel()
        await asyncio.to_thread(server.stop)


async def _keep_up(server: Server) -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            if server.is_down():
                await asyncio.to_thread(server.revive)
                log.warning("embedded_postgres.started_again")
        except (HandrailError, OSError) as error:
            log.error("embedded_postgres.down", reason=str(error))
            await asyncio.sleep(RETRY_SECONDS)


class Server:
    """A user of the server of a data folder. Users of one folder, in any number of processes, share one server."""

    def __init__(self, data: Path, *, durable: bool = True) -> None:
        self._folder = Folder(data)
        self._durable = durable
        self._lease: int | None = None

    def start(self) -> str:
        """Joins the server that runs, or starts it; gives its DSN."""
        self._folder.prepare()
        with self._folder.starting_or_stopping():
            self._up()
            self._lease = self._folder.take_lease()
        return self._folder.dsn

    def stop(self) -> None:
        """Leaves; the last one out stops the server, which ends its sessions and writes everything down."""
        if not self._folder.path.exists():
            return
        with self._folder.starting_or_stopping():
            if self._lease is not None:
                os.close(self._lease)
                self._lease = None
            if not self._folder.has_users():
                self._down()

    def is_down(self) -> bool:
        """Whether the server has ended under us: a quick look, without a connection."""
        return not self._folder.has_server()

    def revive(self) -> None:
        """Starts the server again unless it runs, or unless we have left."""
        with self._folder.starting_or_stopping():
            if self._lease is not None:
                self._up()

    def _up(self) -> None:
        launched = False
        deadline = time.monotonic() + START_SECONDS
        written = self._folder.log.stat().st_size if self._folder.log.exists() else 0
        while True:
            # between the death of a postmaster and that of its last backend the lock is held and nobody answers
            if (lock := self._folder.claim_server()) is not None:
                if launched:
                    os.close(lock)
                    raise programs.failure("postgres", self._folder.log.read_bytes()[written:].decode(errors="replace"))
                self._launch(lock)
                launched = True
            refusal = self._refusal()
            if refusal is None:
                return
            if time.monotonic() > deadline:
                raise Unavailable(f"The embedded PostgreSQL did not respond within {START_SECONDS:.0f} s: {refusal}")
            time.sleep(0.01)

    def _refusal(self) -> str | None:
        try:
            psycopg.connect(self._folder.dsn, connect_timeout=5).close()
        except psycopg.OperationalError as error:
            return str(error).strip()
        return None

    def _launch(self, lock: int) -> None:
        try:
            self._make_cluster()
            # nobody holds the lock, so what a killed server left behind is stale, whoever has its process id now
            (self._folder.cluster / "postmaster.pid").unlink(missing_ok=True)
            socket = self._folder.choose_socket()
            self._folder.clear_socket()
            settings = SETTINGS | ({} if self._durable else NOT_DURABLE)
            if os.geteuid() == 0:
                # for processes to which root hands the folder: those above it are closed
                settings["unix_socket_permissions"] = "0777"
            settings["unix_socket_directories"] = '"' + str(socket).replace('"', '""') + '"'
            with self._folder.open_log() as output:
                process = subprocess.Popen(  # noqa: S603, our own words
                    [
                        *programs.command("postgres"),
                        *("-D", str(self._folder.cluster)),
                        *(word for name, value in settings.items() for word in ("-c", f"{name}={value}")),
                    ],
                    env=programs.environment(),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    # a Ctrl-C meant for us is not meant for it
                    start_new_session=True,
                    pass_fds=[lock],
                )
        finally:
            os.close(lock)
        # reaps it whenever it ends, so that no zombie is left
        threading.Thread(target=process.wait, daemon=True).start()

    def _make_cluster(self) -> None:
        if self._folder.cluster.exists():
            return
        # made beside and moved into place, so that a kill half-way leaves nothing that looks whole; each attempt has
        # a name of its own, because the initdb of a process that was killed may still be writing
        for leftover in self._folder.path.glob("cluster.*"):
            shutil.rmtree(leftover, ignore_errors=True)
        draft = self._folder.cluster.with_suffix(f".{secrets.token_hex(4)}")
        programs.run(
            "initdb",
            *("-D", str(draft), "--username", USER, "--pwfile", str(self._folder.password)),
            *("--auth=scram-sha-256", "--encoding=UTF8", "--no-instructions"),
            *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
            # the password is 256 random bits: nothing is gained by making each guess, and each sign-in, slow
            "--set=scram_iterations=1",
            *([] if self._durable else ["--no-sync"]),
        )
        draft.rename(self._folder.cluster)

    def _down(self) -> None:
        for number in (signal.SIGINT, signal.SIGQUIT):
            self._signal(number)
            deadline = time.monotonic() + STOP_SECONDS
            while self._folder.has_server():
                if time.monotonic() > deadline:
                    log.error("embedded_postgres.does_not_stop", signal=number.name)
                    break
                time.sleep(0.01)
        self._folder.drop_socket()

    def _signal(self, number: signal.Signals) -> None:
        pid_file = self._folder.cluster / "postmaster.pid"
        # it may be ending at this moment
        with suppress(FileNotFoundError, ProcessLookupError):
            if self._folder.has_server():
                os.kill(int(pid_file.read_text().split()[0]), number)
