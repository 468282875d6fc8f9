"""A PostgreSQL that fails over, as operators run it: three of them under Patroni, which keeps its leader in etcd, and a
PgBouncer in transaction mode. Programs of Debian's packages on free ports of loopback, as a user that is not root."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import database as databases
import psutil
import psycopg
import yaml

from deploy.tests import debian

PACKAGES = (
    *("patroni", "etcd-server", "pgbouncer", "postgresql-15", "libc-ares2", "libevent-2.1-7"),
    *("python3-cdiff", "python3-click", "python3-dateutil", "python3-dnspython", "python3-etcd"),
    *("python3-pkg-resources", "python3-prettytable", "python3-psutil", "python3-psycopg2", "python3-pysyncobj"),
    *("python3-six", "python3-urllib3", "python3-wcwidth", "python3-yaml"),
)
# the shortest that Patroni accepts
TTL_SECONDS = 20
NODES = 3
PASSWORD = "of this test alone"  # noqa: S105
START_SECONDS = 120.0
NOBODY = 65534

PGBOUNCER = """
[databases]
%include {folder}/databases.ini
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
pidfile = {folder}/pgbouncer.pid
auth_type = scram-sha-256
auth_file = {folder}/users.txt
auth_user = postgres
pool_mode = transaction
max_client_conn = 400
default_pool_size = 20
server_login_retry = 1
server_connect_timeout = 2
query_wait_timeout = 10
idle_transaction_timeout = 60
"""

# Patroni calls it with what happened, the node's role and the cluster's name
CALLBACK = """#!/bin/sh
case "$2" in master | primary) ;; *) exit 0 ;; esac
echo "handrail = host=127.0.0.1 port={port}" > {folder}/databases.ini.{port}
mv {folder}/databases.ini.{port} {folder}/databases.ini
kill -HUP "$(cat {folder}/pgbouncer.pid)"
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


@dataclass
class Node:
    """A machine, as far as PostgreSQL is concerned: Patroni and the PostgreSQL that it looks after."""

    name: str
    folder: Path
    port: int = field(default_factory=free_port)
    api: int = field(default_factory=free_port)
    patroni: subprocess.Popen[bytes] | None = None

    @property
    def postmaster(self) -> psutil.Process | None:
        with suppress(FileNotFoundError, psutil.NoSuchProcess, ValueError, IndexError):
            found = psutil.Process(int((self.folder / "data" / "postmaster.pid").read_text().split()[0]))
            if any(str(self.folder) in word for word in found.cmdline()):
                return found
        return None

    def kill_database(self) -> None:
        """kill -9 of PostgreSQL, every process of it; Patroni lives and starts it again, or gives up the lead."""
        postmaster = self.postmaster
        if postmaster is None:
            return
        doomed = [postmaster, *postmaster.children(recursive=True)]
        for process in doomed:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(doomed, 10)

    def kill(self) -> None:
        """The machine is gone: nobody gives up the lead, so it ends with its time to live."""
        if self.patroni is not None:
            self.patroni.kill()
            self.patroni.wait()
            self.patroni = None
        self.kill_database()


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.nodes = [Node(f"n{number}", folder / f"n{number}") for number in range(1, NODES + 1)]
        self._programs = debian.unpack(*_absent())
        self._etcd_port, self._bouncer_port = free_port(), free_port()
        self._others: list[subprocess.Popen[bytes]] = []

    @property
    def direct(self) -> str:
        """All hosts; Handrail finds the one that can be written to."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql://handrail:{_quoted(PASSWORD)}@{hosts}/handrail"

    @property
    def pooled(self) -> str:
        return f"postgresql://handrail:{_quoted(PASSWORD)}@127.0.0.1:{self._bouncer_port}/handrail"

    def start(self) -> None:
        etcd = f"http://127.0.0.1:{self._etcd_port}"
        peers = f"http://127.0.0.1:{free_port()}"
        self._others.append(
            self._begin(
                "etcd",
                *(str(_path("etcd")), "--name=one", f"--data-dir={self.folder}/etcd", f"--listen-client-urls={etcd}"),
                *(f"--advertise-client-urls={etcd}", f"--listen-peer-urls={peers}"),
                *(f"--initial-advertise-peer-urls={peers}", f"--initial-cluster=one={peers}"),
            )
        )
        (self.folder / "databases.ini").write_text("")
        (self.folder / "users.txt").write_text(f'"postgres" "{PASSWORD}"\n"handrail" "{PASSWORD}"\n')
        (self.folder / "pgbouncer.ini").write_text(PGBOUNCER.format(folder=self.folder, port=self._bouncer_port))
        _give(self.folder)
        self._others.append(self._begin("pgbouncer", str(_path("pgbouncer")), f"{self.folder}/pgbouncer.ini"))
        for node in self.nodes:
            self.begin(node)
        self._until("a leader and two that follow", lambda: len(self.members("running", "streaming")) == NODES)
        primary = self.primary()
        assert primary is not None
        superuser = f"postgresql://postgres:{_quoted(PASSWORD)}@127.0.0.1:{primary.port}/postgres"
        with psycopg.connect(superuser, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE handrail LOGIN CREATEROLE PASSWORD '{PASSWORD}'")
            connection.execute("CREATE DATABASE handrail OWNER handrail")

    def begin(self, node: Node) -> None:
        """Starts the node; what it has of the cluster's data stays."""
        node.folder.mkdir(exist_ok=True)
        file, callback = node.folder / "patroni.yml", node.folder / "callback"
        callback.write_text(CALLBACK.format(folder=self.folder, port=node.port))
        callback.chmod(0o755)
        file.write_text(yaml.safe_dump(self._settings(node, str(callback))))
        _give(node.folder)
        node.patroni = self._begin(node.name, "/usr/bin/python3", str(_path("patroni")), str(file))

    def _settings(self, node: Node, callback: str) -> dict[str, Any]:
        hba = ["host all all 127.0.0.1/32 scram-sha-256", "host replication replicator 127.0.0.1/32 scram-sha-256"]
        return {
            "scope": "handrail",
            "name": node.name,
            "restapi": {"listen": f"127.0.0.1:{node.api}", "connect_address": f"127.0.0.1:{node.api}"},
            "etcd3": {"host": f"127.0.0.1:{self._etcd_port}"},
            "bootstrap": {
                "dcs": {
                    "ttl": TTL_SECONDS,
                    "loop_wait": 5,
                    "retry_timeout": 5,
                    # nothing is acknowledged that only one machine has
                    "synchronous_mode": True,
                    "synchronous_mode_strict": True,
                    "postgresql": {
                        "use_pg_rewind": True,
                        "parameters": {"max_connections": 200, "wal_keep_size": "512MB"},
                    },
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
                "pg_hba": hba,
            },
            "postgresql": {
                "listen": f"127.0.0.1:{node.port}",
                "connect_address": f"127.0.0.1:{node.port}",
                "data_dir": f"{node.folder}/data",
                "bin_dir": str(_postgres()),
                "pgpass": f"{node.folder}/pgpass",
                "authentication": {
                    "superuser": {"username": "postgres", "password": PASSWORD},
                    "replication": {"username": "replicator", "password": PASSWORD},
                },
                "parameters": {"unix_socket_directories": str(node.folder), "shared_buffers": "32MB"},
                "callbacks": {"on_start": callback, "on_role_change": callback},
            },
        }

    def _begin(self, name: str, *command: str) -> subprocess.Popen[bytes]:
        modules = debian.FOLDER / "usr" / "lib" / "python3" / "dist-packages"
        libraries = debian.FOLDER / "usr" / "lib" / f"{os.uname().machine}-linux-gnu"
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - our own words
                command,
                env={
                    **{"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8"},
                    **{"PYTHONPATH": str(modules), "LD_LIBRARY_PATH": str(libraries)},
                },
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=NOBODY if os.geteuid() == 0 else None,
                group=NOBODY if os.geteuid() == 0 else None,
            )

    def members(self, *states: str) -> list[dict[str, Any]]:
        """As any node that answers sees them."""
        for node in self.nodes:
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{node.api}/cluster", timeout=2) as answer:
                found: list[dict[str, Any]] = json.load(answer)["members"]
                return [member for member in found if member["state"] in states]
        return []

    def primary(self) -> Node | None:
        """The one that has the lead and can be written to."""
        for node in self.nodes:
            with (
                suppress(OSError),
                urllib.request.urlopen(f"http://127.0.0.1:{node.api}/primary", timeout=2) as answer,
            ):
                if answer.status == 200:
                    return node
        return None

    def whole(self) -> bool:
        """Whether all follow, one of them synchronously."""
        found = self.members("running", "streaming")
        return len(found) == NODES and any(member["role"] == "sync_standby" for member in found)

    def _until(self, what: str, look: Any) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not look():
            assert time.monotonic() < deadline, f"there was no {what}: see {self.folder}"
            time.sleep(0.1)

    def stop(self) -> None:
        for node in self.nodes:
            node.kill()
        for process in self._others:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


@contextmanager
def running() -> Generator[Cluster]:
    folder = databases.new_folder()
    # whoever Patroni is must pass through those above it
    for parent in (folder, *folder.parents):
        if parent.stat().st_mode & 0o011 == 0:
            parent.chmod(parent.stat().st_mode | 0o011)
    cluster = Cluster(folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _absent() -> list[str]:
    """Without PostgreSQL where the machine has it."""
    return [name for name in PACKAGES if name != "postgresql-15" or not Path("/usr/lib/postgresql/15/bin").exists()]


def _postgres() -> Path:
    place = Path("usr/lib/postgresql/15/bin")
    return Path("/") / place if (Path("/") / place).exists() else debian.FOLDER / place


def _path(name: str) -> Path:
    [path] = [place / name for place in debian.places() if (place / name).exists()]
    return path


def _give(folder: Path) -> None:
    """To the user that the programs run as."""
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)


def _quoted(password: str) -> str:
    return password.replace(" ", "%20")
