"""The process that has the audit key: it alone reads the file, and signs seals, statements and attestations only.

A flaw that lets somebody read the server's memory shows them no key. The process has an empty environment and one
socket, and ends when the server's end of it is closed, however the server died.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any, Protocol

from handrail.core.attestation import is_attestation
from handrail.core.audit import PublicKey, Signer, is_for_the_log
from handrail.core.errors import Misconfigured, Unavailable
from handrail.store import private
from handrail.store.audit_files import KeyFile, read_public_keys

ANSWER_SECONDS = 10.0
# a busy machine starts a process slowly, and must not end a server for that; one that died is noticed at once
START_SECONDS = 60.0


class Keys(Protocol):
    """Who can sign. `KeyFile` says what each method gives."""

    @property
    def path(self) -> Path: ...
    def create(self) -> None: ...
    def signer(self, key_id: str | None = None) -> Signer: ...
    def prepare_next(self) -> Signer: ...
    def publics(self) -> list[PublicKey]: ...


class SignerProcess:
    """A key file, by way of the process that reads it. A process that died is started again when it is next asked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection[Any, Any] | None = None

    def create(self) -> None:
        self._ask({"do": "create"})

    def signer(self, key_id: str | None = None) -> Signer:
        return self._remote({"do": "signer", "key_id": key_id})

    def prepare_next(self) -> Signer:
        return self._remote({"do": "prepare_next"})

    def publics(self) -> list[PublicKey]:
        return read_public_keys(KeyFile(self.path).public_path)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            try:
                self._process.wait(ANSWER_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._connection = self._process = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def _remote(self, request: dict[str, Any]) -> Signer:
        public = PublicKey(bytes.fromhex(self._ask(request)))

        def sign(message: bytes) -> bytes:
            return bytes.fromhex(self._ask({"do": "sign", "key_id": public.id, "message": message.decode()}))

        return Signer(public, sign)

    def _ask(self, request: dict[str, Any]) -> str:
        text = json.dumps(request).encode()
        try:
            answer = self._exchanged(text)
        except (EOFError, OSError):
            # it was killed: the next one knows all that this one knew, from the file
            self._kill()
            try:
                answer = self._exchanged(text)
            except (EOFError, OSError) as error:
                self._kill()
                raise Unavailable("The process that holds the audit key is not responding.") from error
        if "refused" in answer:
            raise Misconfigured(answer["refused"])
        return answer["answer"]

    def _exchanged(self, request: bytes) -> dict[str, str]:
        patience = ANSWER_SECONDS if self._connection else START_SECONDS
        connection = self._connection or self._start()
        connection.send_bytes(request)
        if not connection.poll(patience):
            raise TimeoutError
        return json.loads(connection.recv_bytes())

    def _start(self) -> Connection[Any, Any]:
        ours, theirs = Pipe()
        with theirs:
            end = theirs.fileno()
            # isolated: no variable and no module of the folder that the server was started in has a say
            command = [sys.executable, "-I", "-m", "handrail.store.signing", str(end), str(self.path.absolute())]
            self._process = subprocess.Popen(command, pass_fds=[end], env={}, stdin=subprocess.DEVNULL)  # noqa: S603 - our own program
        self._connection = ours
        return ours

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
        self.close()


@contextmanager
def signing(path: Path) -> Generator[SignerProcess]:
    """The key file's process while the block lasts; it starts when it is first asked."""
    process = SignerProcess(path)
    try:
        yield process
    finally:
        process.close()


def main(connection: Connection[Any, Any], keys: KeyFile) -> None:
    private.hide()
    # a terminal's signals go to the server, which needs its last events sealed
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    held: dict[str, Signer] = {}
    with suppress(EOFError, OSError):
        while True:
            request = json.loads(connection.recv_bytes())
            try:
                answer = {"answer": _answer(keys, held, request)}
            except Misconfigured as refused:
                answer = {"refused": refused.message}
            connection.send_bytes(json.dumps(answer).encode())


def _answer(keys: KeyFile, held: dict[str, Signer], request: dict[str, Any]) -> str:
    match request["do"]:
        case "create":
            keys.create()
            return ""
        case "sign":
            key_id, message = request["key_id"], request["message"].encode()
            if not is_for_the_log(message) and not is_attestation(message):
                raise Misconfigured("The audit key only signs seals and statements of the log, and attestations.")
            # the one in use: those before it are forgotten
            if key_id not in held:
                held.clear()
                held[key_id] = keys.held(key_id)
            return held[key_id].sign(message).hex()
        case "signer":
            return keys.signer(request["key_id"]).public.raw.hex()
        case "prepare_next":
            return keys.prepare_next().public.raw.hex()
        case other:
            raise Misconfigured(f"The process that holds the audit key does not know {other!r}.")


if __name__ == "__main__":
    main(Connection(int(sys.argv[1])), KeyFile(Path(sys.argv[2])))
