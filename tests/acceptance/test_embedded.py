"""The embedded PostgreSQL, used by real processes, as root and as an ordinary user."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
import pytest
from database import furnish, new_folder

from handrail.store.embedded import Server

USER_PROGRAM = Path(__file__).with_name("embedded_user.py")
# root is an ordinary user too, in a user namespace, where it can still reach a checkout that is closed to others
IDENTITIES = {"as_ourselves": []} | (
    {"as_an_ordinary_user": ["unshare", "--user", "--map-user=1000", "--map-group=1000"]} if os.geteuid() == 0 else {}
)


class User:
    """A process that uses the server of a folder."""

    def __init__(self, identity: list[str], data: Path) -> None:
        self._process = subprocess.Popen(
            [*identity, sys.executable, str(USER_PROGRAM), str(data)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd="/",
            start_new_session=True,
        )
        self._dsn = ""

    @property
    def dsn(self) -> str:
        assert self._process.stdout and self._process.stderr
        self._dsn = self._dsn or self._process.stdout.readline().strip()
        assert self._dsn, self._process.stderr.read()
        return self._dsn

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def leave(self) -> int:
        """Ends as a program does that is done."""
        self._process.communicate(timeout=120)
        return self._process.returncode

    def interrupt(self) -> int:
        """Ends as with Ctrl-C, which reaches its children too."""
        assert self.dsn
        os.killpg(self._process.pid, signal.SIGINT)
        return self.leave()

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate(timeout=120)


@pytest.fixture(params=list(IDENTITIES.values()), ids=list(IDENTITIES))
def identity(request: pytest.FixtureRequest) -> list[str]:
    return request.param


@pytest.fixture
def data() -> Generator[Path]:
    folder = new_folder()
    yield folder / "data"
    Server(folder / "data").stop()
    shutil.rmtree(folder)


@pytest.fixture
def made(data: Path) -> None:
    """The cluster is there already: making one takes longer than most of what is tried here."""
    furnish(data)


@pytest.fixture
def join(identity: list[str], data: Path) -> Generator[Callable[[], User]]:
    users: list[User] = []

    def join() -> User:
        users.append(User(identity, data))
        return users[-1]

    yield join
    for user in users:
        user.kill()


def postmaster(data: Path) -> psutil.Process:
    return psutil.Process(int((data / "postgres/cluster/postmaster.pid").read_text().split()[0]))


def kill_everything(user: User, data: Path) -> None:
    assert user.dsn
    server = postmaster(data)
    user.kill()
    server.kill()


def is_running(data: Path) -> bool:
    return not Server(data).is_down()


def eventually(get: Callable[[], list[tuple[object, ...]]]) -> list[tuple[object, ...]]:
    """What it gives as soon as the database answers."""
    deadline = time.monotonic() + 120
    while True:
        with suppress(psycopg.OperationalError):
            return get()
        assert time.monotonic() < deadline, "the database did not come back"


@pytest.mark.usefixtures("made")
def test_two_users_share_one_server_and_the_last_one_out_stops_it(join: Callable[[], User], data: Path) -> None:
    first, second = join(), join()
    assert first.dsn == second.dsn
    first.execute("CREATE TABLE seen (by text)")
    second.execute("INSERT INTO seen VALUES ('second')")

    first.leave()
    assert second.execute("SELECT by FROM seen") == [("second",)]

    second.leave()
    assert not is_running(data)
    third = join()
    assert third.execute("SELECT by FROM seen") == [("second",)]


@pytest.mark.usefixtures("made")
def test_ctrl_c_of_the_only_user_stops_the_server(join: Callable[[], User], data: Path) -> None:
    user = join()
    user.interrupt()
    assert not is_running(data)


@pytest.mark.usefixtures("made")
def test_ctrl_c_of_the_user_that_started_the_server_leaves_it_to_the_others(join: Callable[[], User]) -> None:
    first = join()
    started = first.execute("SELECT pg_postmaster_start_time()")
    second = join()
    assert second.dsn
    first.interrupt()
    assert second.execute("SELECT pg_postmaster_start_time()") == started


@pytest.mark.usefixtures("made")
def test_a_server_whose_users_were_all_killed_is_joined_again(join: Callable[[], User], data: Path) -> None:
    users = [join(), join()]
    started = users[0].execute("SELECT pg_postmaster_start_time()")
    assert users[1].dsn
    for user in users:
        user.kill()
    assert is_running(data)

    survivor = join()
    assert survivor.execute("SELECT pg_postmaster_start_time()") == started
    survivor.leave()
    assert not is_running(data)


@pytest.mark.usefixtures("made")
def test_a_killed_user_does_not_count(join: Callable[[], User], data: Path) -> None:
    killed, other = join(), join()
    assert killed.dsn and other.dsn
    killed.kill()
    other.leave()
    assert not is_running(data)


@pytest.mark.usefixtures("made")
def test_killing_everything_loses_no_acknowledged_row(join: Callable[[], User], data: Path) -> None:
    user = join()
    user.execute("CREATE TABLE seen (by text); INSERT INTO seen VALUES ('first')")
    kill_everything(user, data)

    assert join().execute("SELECT by FROM seen") == [("first",)]


@pytest.mark.usefixtures("made")
def test_a_server_that_is_killed_under_its_users_comes_back(join: Callable[[], User], data: Path) -> None:
    users = [join(), join()]
    users[0].execute("CREATE TABLE seen (by text); INSERT INTO seen VALUES ('first')")
    killed = postmaster(data)
    killed.kill()

    for user in users:
        assert eventually(lambda user=user: user.execute("SELECT by FROM seen")) == [("first",)]
    assert postmaster(data) != killed
    for user in users:
        user.leave()
    assert not is_running(data)


def test_three_users_that_start_at_once_on_an_empty_folder_share_one_server(join: Callable[[], User]) -> None:
    users = [join() for _ in range(3)]
    assert len({str(user.execute("SELECT pg_postmaster_start_time()")) for user in users}) == 1


@pytest.mark.usefixtures("made")
def test_a_process_id_of_somebody_else_is_not_taken_for_the_server(join: Callable[[], User], data: Path) -> None:
    kill_everything(join(), data)
    pid_file = data / "postgres/cluster/postmaster.pid"
    # of the same user as the server: alive, and not PostgreSQL
    bystander = subprocess.Popen(["sleep", "1000"], user=pid_file.stat().st_uid)
    try:
        pid_file.write_text(f"{bystander.pid}\n" + pid_file.read_text().split("\n", 1)[1])

        other = join()
        assert other.execute("SELECT 1") == [(1,)]
        other.leave()
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


@pytest.mark.usefixtures("made")
def test_a_zombie_is_not_taken_for_the_server(join: Callable[[], User], data: Path) -> None:
    kill_everything(join(), data)
    pid_file = data / "postgres/cluster/postmaster.pid"
    zombie = subprocess.Popen(["true"], user=pid_file.stat().st_uid)
    os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
    pid_file.write_text(f"{zombie.pid}\n" + pid_file.read_text().split("\n", 1)[1])

    assert join().execute("SELECT 1") == [(1,)]
    zombie.wait()


def test_a_kill_while_the_cluster_is_made_leaves_nothing_in_the_way(join: Callable[[], User], data: Path) -> None:
    user = join()
    deadline = time.monotonic() + 120
    while not list((data / "postgres").glob("cluster.*")):
        assert time.monotonic() < deadline, "no cluster was begun"
    user.kill()
    assert not (data / "postgres/cluster").exists()

    assert join().execute("SELECT 1") == [(1,)]


def test_a_long_data_path_gets_a_short_private_socket_folder(identity: list[str], data: Path) -> None:
    long = data / ("long" * 20) / ("path, with a comma" * 5)
    user = User(identity, long)
    try:
        assert user.execute("SELECT 1") == [(1,)]
        socket = Path((long / "postgres/socket-folder").read_text())
        assert not socket.is_relative_to(long)
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
        # who uses it finds the next server at the same place
        postmaster(long).kill()
        assert eventually(lambda: user.execute("SELECT 1")) == [(1,)]
        user.leave()
        assert not socket.exists()
    finally:
        user.kill()


@pytest.mark.usefixtures("made")
def test_there_is_no_port(join: Callable[[], User], data: Path) -> None:
    assert join().dsn
    server = postmaster(data)
    assert server.net_connections("unix")
    assert server.net_connections("inet") == []


def test_everything_in_the_folder_is_for_its_owner_alone(join: Callable[[], User], data: Path) -> None:
    assert join().dsn
    everything = [data, *data.rglob("*")]
    assert data / "postgres/socket/.s.PGSQL.5432" in everything
    open_ = {path for path in everything if stat.S_IMODE(path.lstat().st_mode) & 0o077}
    # root hands the socket's folder to processes that are another user's; nobody else gets past the folders above it
    assert open_ <= {data / "postgres/socket", data / "postgres/socket/.s.PGSQL.5432"}
    assert not open_ or os.geteuid() == 0


def test_a_wrong_password_is_refused(join: Callable[[], User]) -> None:
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(join().dsn, password="wrong")
