"""What lies in the folder of the embedded server: cluster, password, socket, locks and the leases of its users.

All locks are `flock`s: the kernel lets go of them when their holder ends, however
it ends, so none is ever stale.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from handrail.core.errors import Misconfigured
from handrail.store import private

PORT = 5432
# sun_path has 108 bytes on Linux and 104 on macOS, the closing NUL included
LONGEST_SOCKET_PATH = 103
# somebody else may have taken some of them
SHORT_NAMES = 8
USER = "handrail"
DATABASE = "postgres"


class Folder:
    """The folder `postgres` of a data folder."""

    def __init__(self, data: Path) -> None:
        self.path = data.absolute() / "postgres"
        self.cluster = self.path / "cluster"
        self.password = self.path / "password"
        self.log = self.path / "postgres.log"
        self._users = self.path / "users"
        self._socket_record = self.path / "socket-folder"
        self._own_socket = self.path / "socket"

    def prepare(self) -> None:
        """Makes what is missing, for our eyes only."""
        try:
            private.make_folder(self._users)
            owner = self.path.stat().st_uid
            if owner != os.geteuid():
                raise Misconfigured(
                    f"{self.path} belongs to the user with uid {owner}, and this process runs as uid {os.geteuid()}: "
                    "start Handrail as that user, or choose another data folder."
                )
            self.path.chmod(0o700)
            self._users.chmod(0o700)
            if not self.password.exists():
                self._choose_password()
        except OSError as error:
            raise Misconfigured(f"The data folder {self.path} cannot be used: {error.strerror}.") from error

    def _choose_password(self) -> None:
        draft = _private_draft(self.password, secrets.token_urlsafe(32))
        # of processes that start at once, the first one's: the cluster is made with it
        try:
            with suppress(FileExistsError):
                os.link(draft, self.password)
        finally:
            draft.unlink()

    @property
    def dsn(self) -> str:
        """Where a client finds the server. Host and port are spelled out: PGHOST and PGPORT must not matter."""
        password = self.password.read_text()
        return f"postgresql://{USER}:{password}@/{DATABASE}?host={quote(str(self.socket), safe='')}&port={PORT}"

    @property
    def socket(self) -> Path:
        """The socket folder chosen when the server was last started."""
        return Path(self._socket_record.read_text())

    def choose_socket(self) -> Path:
        """A socket folder with a path short enough: ours where it is, else one in the temporary folder.

        Each start chooses the same one: those who use a server that was killed look for the next one there. A process
        to which root hands the folder ours is may connect: nobody else gets past the folders above it.
        """
        own = self._own_socket
        if _fits(own):
            own.mkdir(mode=0o700, exist_ok=True)
            own.chmod(0o711 if os.geteuid() == 0 else 0o700)
            return self._record(own)
        shorts = [Path(tempfile.gettempdir(), name) for name in self._short_names()]
        if not _fits(shorts[0]):
            raise Misconfigured(
                f"No path for a socket is short enough: {own}, {shorts[0]}. Set TMPDIR to a short path."
            )
        for short in shorts:
            with suppress(FileExistsError):
                short.mkdir(mode=0o700)
            if _is_private(short):
                return self._record(short)
        raise Misconfigured(
            f"Others have taken the names for a socket, such as {shorts[0]}. Set TMPDIR to your own folder."
        )

    def clear_socket(self) -> None:
        """Removes the socket of a server that has ended; its folder stays ours."""
        if self._has_socket():
            for leftover in self.socket.glob(".s.PGSQL.*"):
                leftover.unlink(missing_ok=True)

    def drop_socket(self) -> None:
        """Removes the socket and its folder where that is not ours: a process to which ours was handed finds the next
        server in it."""
        self.clear_socket()
        if self._has_socket() and self.socket != self._own_socket:
            self.socket.rmdir()

    def _has_socket(self) -> bool:
        """Whether the recorded folder is this folder's: one that was copied has the record of the other."""
        if not self._socket_record.exists():
            return False
        found = self.socket
        return found == self._own_socket or (found.name in self._short_names() and _is_private(found))

    def _short_names(self) -> list[str]:
        """Nobody can foresee them without our password."""
        known = self.password.read_bytes() + os.fsencode(self.path)
        digests = (hashlib.sha256(known + bytes([number])).hexdigest() for number in range(SHORT_NAMES))
        return [f"handrail-{digest[:16]}" for digest in digests]

    def open_log(self) -> BinaryIO:
        """The server's log, to write at its end."""
        return os.fdopen(os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")

    @contextmanager
    def starting_or_stopping(self) -> Generator[None]:
        """Held by the one process (and thread) that starts, joins or leaves the server at this moment."""
        with _open(self.path / "change.lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def claim_server(self) -> int | None:
        """The lock that every process of a running server holds, or None where one is running.

        The descriptor is handed down to PostgreSQL. A process id proves nothing: it may be a zombie's, another
        program's by now, or of another container that has this folder mounted.
        """
        lock = os.open(self.path / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
        if _try_lock(lock, fcntl.LOCK_EX):
            return lock
        os.close(lock)
        return None

    def has_server(self) -> bool:
        """Whether any process of a server runs."""
        with _open(self.path / "server.lock") as lock:
            # shared, so that processes that look at the same time do not see each other
            return not _try_lock(lock, fcntl.LOCK_SH)

    def take_lease(self) -> int:
        """A lock that says: one more user, for as long as this descriptor is open."""
        lease = os.open(self._users / f"{os.getpid()}-{secrets.token_hex(4)}", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(lease, fcntl.LOCK_EX)
        return lease

    def has_users(self) -> bool:
        """Whether anyone holds a lease; leases whose holders are gone are cleared away."""
        alive = False
        for path in self._users.iterdir():
            with _open(path) as lease:
                if _try_lock(lease, fcntl.LOCK_EX):
                    path.unlink()
                else:
                    alive = True
        return alive

    def _record(self, socket: Path) -> Path:
        _private_draft(self._socket_record, str(socket)).replace(self._socket_record)
        return socket


def _fits(socket_folder: Path) -> bool:
    # libpq reads a comma as the end of a host
    path = os.fsencode(socket_folder / f".s.PGSQL.{PORT}")
    return len(path) <= LONGEST_SOCKET_PATH and b"," not in path


def _is_private(folder: Path) -> bool:
    """Whether it is a folder of ours alone: another user may have made one of that name in the temporary folder."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) == 0o700


@contextmanager
def _open(path: Path) -> Generator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _private_draft(path: Path, text: str) -> Path:
    """What is to become this file, beside it: of mode 0600, and whole."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return draft
