"""A real Handrail for tests: `handrail up` as a process of its own, on a private data folder and a free port."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import database as databases
import httpx
import psutil
import zygote

from handrail.store.embedded import Server

HANDRAIL = Path(sys.executable).with_name("handrail")
# a machine that runs other tests beside this one is slow
START_SECONDS = 180.0
STOP_SECONDS = 60.0
COMMAND_SECONDS = 120.0
UNTIL_SECONDS = 90.0
# nothing here speaks TLS, and reading the machine's certificates anew takes a client 25 to 75 ms
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

Given = IO[bytes] | None


class ServerProcess:
    """May be stopped, killed and started again: it keeps its data, its URL and its tokens."""

    def __init__(
        self, folder: Path, command: tuple[str, ...] = ("up",), prefix: tuple[str, ...] = (), /, **variables: str
    ) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.url = ""
        self._command = (*prefix, str(HANDRAIL), *command)
        # by its command line, as a person would start it; `running()` has it forked
        self.is_forked = False
        # processes for runs cost seconds of work at each start: tests of runs ask for them
        ours = {"HANDRAIL_ADMIN_TOKEN": f"hr_{secrets.token_urlsafe(32)}", "HANDRAIL_CONCURRENCY": "0"}
        self._variables = {**ours, **variables}
        self.admin_token = self._variables["HANDRAIL_ADMIN_TOKEN"]
        self._process: zygote.Process | None = None
        self._output = folder / f"output-{secrets.token_hex(4)}"

    def start(self) -> None:
        """Returns when it answers; raises with what it said where it does not."""
        port = self.url.rpartition(":")[2] or "0"
        command = [*self._command, "--data", str(self.data), "--port", port]
        with self._output.open("wb") as output:
            start = forked if self.is_forked else executed
            self._process = start(command, environment(self.folder, **self._variables), output)
        deadline = time.monotonic() + START_SECONDS
        while (found := re.search(r"running at (http://\S+)[\s\S]*Ctrl-C", self.output())) is None:
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"handrail did not start: {self.output()}")
            time.sleep(0.02)
        self.url = found[1]

    def stop(self) -> int:
        """Asks it to stop, and gives its exit code."""
        os.kill(self.pid, signal.SIGTERM)
        return self.wait()

    def wait(self) -> int:
        """Its exit code, once it has ended."""
        assert self._process is not None
        return self._process.wait(STOP_SECONDS)

    def kill(self) -> None:
        """kill -9 of everything: the server and its PostgreSQL, in no order."""
        doomed = self.processes()
        for process in doomed:
            # one of the database's own may have ended by itself
            with suppress(psutil.NoSuchProcess):
                process.kill()
        if self._process is not None:
            self._process.wait(STOP_SECONDS)
        wait_for_end(doomed)

    def kill_process(self) -> None:
        """kill -9 of the server alone; its PostgreSQL stays."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(STOP_SECONDS)

    def close(self) -> None:
        """Ends everything at once. PostgreSQL is asked to: killed, it would leave its shared memory to the machine."""
        if self._process is not None:
            self.kill_process()
        database = self.processes()
        for postmaster in database[:1]:
            with suppress(psutil.NoSuchProcess):
                postmaster.send_signal(signal.SIGQUIT)
        try:
            wait_for_end(database)
        finally:
            self.kill()
            shutil.rmtree(self.folder)

    def processes(self) -> list[psutil.Process]:
        """The server's process and all of its PostgreSQL that are alive."""
        found = [psutil.Process(self._process.pid)] if self._process and self._process.poll() is None else []
        pid_file = self.data / "postgres" / "cluster" / "postmaster.pid"
        if pid_file.exists():
            try:
                postmaster = psutil.Process(int(pid_file.read_text().split()[0]))
                # the number may be another process's by now
                if any(str(self.data) in word for word in postmaster.cmdline()):
                    found += [postmaster, *postmaster.children(recursive=True)]
            except psutil.NoSuchProcess:
                pass
        return found

    def output(self) -> str:
        """What it has printed since it was last started."""
        return self._output.read_text()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def client(self, token: str | None = None) -> httpx.Client:
        """An HTTP client, as the administrator where no token is given."""
        bearer = f"Bearer {token or self.admin_token}"
        headers = {"Authorization": bearer}
        return httpx.Client(base_url=self.url, headers=headers, timeout=30, trust_env=False, verify=NO_CERTIFICATES)

    def token_of(self, name: str, *roles: str, kind: str = "person") -> str:
        """A token of a new principal."""
        with self.client() as http:
            http.post("/api/people", json={"name": name, "kind": kind, "roles": roles}).raise_for_status()
            made = http.post("/api/tokens", json={"principal": name}).raise_for_status()
        return made.json()["token"]

    def make_own(self, token: str) -> str:
        """The token after its person has set a password through it."""
        with self.client(token) as http:
            http.post("/api/me/password", json={"password": secrets.token_urlsafe(16)}).raise_for_status()
        return token

    def serves(self, workflow: str) -> None:
        """Returns when a worker has told of the workflow."""
        deadline = time.monotonic() + START_SECONDS
        with self.client() as http:
            while workflow not in {
                one["name"] for one in http.get("/api/workflows").json()["workflows"] if one["served"]
            }:
                assert time.monotonic() < deadline, self.output()
                time.sleep(0.1)

    def run(self, *words: str, token: str | None = None, said: str = "", **variables: str) -> Ran:
        """Runs the command line against this server; `said` is what a person types."""
        secret = {"HANDRAIL_TOKEN": token} if token else {}
        env = environment(self.folder, HANDRAIL_URL=self.url, **secret, **variables)
        return ran([str(HANDRAIL), *words], env, said, is_forked=self.is_forked)


def executed(
    command: Sequence[str], env: Mapping[str, str], out: IO[bytes], err: IO[bytes] | None = None, given: Given = None
) -> zygote.Process:
    """A process of the command line; what it prints and complains of goes to `out`, or the latter to `err`."""
    return subprocess.Popen(command, env=env, stdin=given or subprocess.DEVNULL, stdout=out, stderr=err or out)


def forked(
    command: Sequence[str], env: Mapping[str, str], out: IO[bytes], err: IO[bytes] | None = None, given: Given = None
) -> zygote.Process:
    """The same without the imports: forked from a process that has done them."""
    run = databases.folder_of_run()
    if run is None or sys.platform != "linux":
        return executed(command, env, out, err, given)
    with Path(os.devnull).open("rb") as nothing:
        return zygote.start(run, command, env, *(each.fileno() for each in (given or nothing, out, err or out)))


def ran(command: Sequence[str], env: Mapping[str, str], said: str = "", *, is_forked: bool = True) -> Ran:
    """The command, run to its end."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(said.encode())
        given.seek(0)
        start = forked if is_forked else executed
        status = start(command, env, out, err, given).wait(COMMAND_SECONDS)
        for file in (out, err):
            file.seek(0)
        return Ran(status, out.read().decode(), err.read().decode())


def wait_for_end(processes: Iterable[psutil.Process]) -> None:
    """Returns once none of them runs. What has ended stays a zombie until its parent looks, which the machine's first
    process may do only every two seconds."""

    def runs(process: psutil.Process) -> bool:
        try:
            # the number may be another process's by now
            return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False

    deadline = time.monotonic() + STOP_SECONDS
    while running := [process for process in processes if runs(process)]:
        assert time.monotonic() < deadline, f"{running} did not end"
        time.sleep(0.005)


def until(look: Callable[[], Any]) -> Any:
    """What it gives once that is something."""
    began = time.monotonic()
    while not (seen := look()):
        waited = time.monotonic() - began
        assert waited < UNTIL_SECONDS, "it took too long"
        # a look is mostly a request, which takes more of the processor than what is waited for
        time.sleep(min(max(0.02, waited / 10), 0.1))
    return seen


@dataclass(frozen=True)
class Ran:
    """What became of a command."""

    exit: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


def environment(home: Path, **variables: str) -> Mapping[str, str]:
    """Ours without any setting of Handrail's or of Python's (an unbuffered one hides a missing flush), at home in a
    folder of its own."""
    strange = ("HANDRAIL_", "XDG_", "PYTHON")
    ours = {name: value for name, value in os.environ.items() if not name.startswith(strange)}
    return {**ours, "HOME": str(home), **variables}


def shell(code: str, **variables: str) -> str:
    """What a command of the documentation prints, run as a person would."""
    ran = subprocess.run(
        ["bash", "-c", code],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )
    return ran.stdout + ran.stderr


@contextmanager
def folder_for_workflows() -> Generator[Path]:
    """One in which workflows may read and write, whoever they are: where Handrail is root, another user."""
    folder = Path(tempfile.mkdtemp(prefix="handrail-workflows-"))
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def running(*command: str, **variables: str) -> Generator[ServerProcess]:
    """A server that is up while the block lasts, on a database that has its schema already. It and the commands that
    are run against it are forked from a process that has imported what they need."""
    server = ServerProcess(databases.new_folder(), command or ("up",), **variables)
    server.is_forked = True
    if "HANDRAIL_DATABASE_URL" not in variables:
        databases.furnish(server.data)
    with _up(server):
        yield server


@contextmanager
def beside(server: ServerProcess) -> Generator[ServerProcess]:
    """Another server on the same database, which runs nothing by itself."""
    database = Server(server.data)
    variables = {
        "HANDRAIL_DATABASE_URL": database.start(),
        "HANDRAIL_AUDIT_KEY_FILE": str(server.data / "audit" / "key.pem"),
        "HANDRAIL_ANSWER_KEY_FILE": str(server.data / "keys" / "answers.key"),
        "HANDRAIL_ADMIN_TOKEN": server.admin_token,
    }
    try:
        with running("serve", **variables) as found:
            yield found
    finally:
        database.stop()


@contextmanager
def by_command(*command: str, **variables: str) -> Generator[ServerProcess]:
    """The same, started and spoken to by command lines: for tests of a start, and of what a process has of it."""
    server = ServerProcess(databases.new_folder(), command or ("up",), **variables)
    databases.furnish(server.data)
    with _up(server):
        yield server


@contextmanager
def beginning(**variables: str) -> Generator[ServerProcess]:
    """A server as at its very first start, with nothing in its data folder."""
    with running_as((), **variables) as server:
        yield server


@contextmanager
def running_as(prefix: tuple[str, ...], /, **variables: str) -> Generator[ServerProcess]:
    """The same, with words before the command that make it somebody else's."""
    # short, because the database's socket lies in it
    folder = Path(tempfile.mkdtemp(prefix="handrail-server-"))
    with _up(ServerProcess(folder, ("up",), prefix, **variables)) as server:
        yield server


@contextmanager
def _up(server: ServerProcess) -> Generator[ServerProcess]:
    try:
        server.start()
        yield server
    finally:
        server.close()
